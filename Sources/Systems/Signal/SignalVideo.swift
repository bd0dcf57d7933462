import Allocation
import Ladder
import Quantity

/// One source as Signal's SFU allocates it: its encodings with all their temporal layers.
struct SignalVideo {
  struct Encoding {
    /// The layer that stands for it, among those of the source.
    var layer: Int
    /// Height of its picture [px] and rate [bit/s]; both zero for one that does not arrive, or that the gate keeps away.
    var height = 0
    var rate: Int64 = 0
  }

  /// Lines that are asked for; 0 for no video.
  let requested: Int
  /// By encoding.
  let encodings: [Encoding]
  /// The encoding that suits the request best; `nil` for none.
  let ideal: Int?

  /// The encoding that it has been allocated, and the rate that this was allocated for [bit/s].
  var granted: Int?
  var rate: Int64 = 0
  /// The encoding that did not fit since; `nil` for none.
  var skipped: Int?

  init(_ wish: borrowing Wish, _ layers: [Layer], requested: Int) {
    self.requested = requested
    var encodings: [Encoding] = []
    encodings.reserveCapacity((layers.last?.id.encoding ?? -1) + 1)
    for (index, layer) in layers.enumerated() {
      while encodings.count <= layer.id.encoding { encodings.append(Encoding(layer: index)) }
      guard layer.bitrate > .zero, !wish.isGated(layer) else { continue }
      encodings[layer.id.encoding] = Encoding(
        layer: index, height: layer.format.resolution.height, rate: layer.bitrate.bitsPerSecond)
    }
    self.encodings = encodings
    ideal = Self.ideal(of: encodings, for: requested)
  }

  /// The highest of the encodings that have the height of the first that is high enough, else the highest.
  private static func ideal(of encodings: [Encoding], for requested: Int) -> Int? {
    guard requested > 0 else { return nil }
    guard let enough = encodings.first(where: { $0.rate > 0 && $0.height >= requested }) else {
      return encodings.lastIndex { $0.rate > 0 }
    }
    return encodings.lastIndex { $0.rate > 0 && $0.height == enough.height }
  }

  /// The encoding that is considered in the place of another: a higher one up to the ideal that takes less.
  ///
  /// - Returns: `nil` where there is nothing to consider.
  func candidate(for encoding: Int) -> Int? {
    guard let ideal, encoding <= ideal, encodings[encoding].rate > 0 else { return nil }
    var candidate = encoding
    for higher in encoding..<ideal + 1
    where encodings[higher].rate > 0 && encodings[higher].rate < encodings[candidate].rate {
      candidate = higher
    }
    return candidate
  }

  /// What an encoding takes beyond what is allocated [bit/s].
  func increase(to encoding: Int) -> Int64 { max(0, encodings[encoding].rate - rate) }
}
