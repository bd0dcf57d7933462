import Ladder
import Media
import Quantity
import Statistics

/// A 30 fps camera that feeds one encoding, with its output second by second.
struct Captures {
  var encoding: AdaptiveEncoding
  private var sizes: RandomStream
  private var frames: Int64 = 0
  /// Height, frames and bytes in each whole second.
  private(set) var seconds: [(height: Int, frames: Int, bytes: Int)] = []

  init(_ encoding: AdaptiveEncoding, seed: UInt64 = 1) {
    self.encoding = encoding
    sizes = RandomStream(seed: seed, name: "sizes")
  }

  /// Sets a payload rate and offers 30 frames a second for some seconds.
  mutating func run(seconds count: Int, kilobits: Int64) {
    encoding.setTarget(.kilobits(kilobits))
    for _ in 0..<count {
      var coded = 0
      var bytes = 0
      for _ in 0..<30 {
        let now = SimTime(nanoseconds: frames * 1_000_000_000 / 30)
        frames += 1
        guard let frame = encoding.encode(at: now, sizes: &sizes) else { continue }
        coded += 1
        bytes += frame.frame.bytes
      }
      seconds.append((encoding.format.resolution.height, coded, bytes))
    }
  }

  /// Returns the first second that ends with this picture height, counted from 1.
  func reaches(_ height: Int) -> Int? { seconds.firstIndex { $0.height == height }.map { $0 + 1 } }

  /// Returns the payload rate over some seconds [kbps].
  func kilobits(_ range: Range<Int>) -> Double {
    Double(seconds[range].reduce(0) { $0 + $1.bytes }) * 8 / 1000 / Double(range.count)
  }
}
