import Ladder
import Quantity
import Systems
import Testing
import Vendors

@Suite("lib-jitsi-meet's encodings of a camera")
struct JitsiLadderTests {
  /// Returns `RID SIZE TARGET MAXIMUM MINIMUM` of each encoding, in kbit/s.
  private func words(_ width: Int, _ height: Int) -> [String] {
    let capture = VideoFormat(Resolution(width: width, height: height), framesPerSecond: 30)
    return Ladder.jitsi(capture: capture).encodings.map {
      let size = $0.format.resolution
      let rates = [$0.bitrate, $0.maximum ?? .zero, $0.minimum ?? .zero].map { "\($0.bitsPerSecond / 1000)" }
      return "\($0.rid) \(size.width)x\(size.height) \(rates.joined(separator: " "))"
    }
  }

  @Test(
    arguments: [
      (1280, 720, ["q 320x180 150 200 30", "h 640x360 500 500 150", "f 1280x720 1500 1500 600"]),
      // 180 and 360 lines, rather than halves.
      (1920, 1080, ["q 320x180 150 200 30", "h 640x360 500 500 150", "f 1920x1080 3000 3000 800"]),
      (720, 1280, ["q 180x320 150 200 30", "h 360x640 500 500 150", "f 720x1280 1500 1500 600"]),
      (640, 360, ["q 320x180 150 200 30", "h 640x360 500 500 150"]),
      (320, 180, ["q 320x180 150 200 30"]),
    ])
  func encodings(width: Int, height: Int, expected: [String]) { #expect(words(width, height) == expected) }
}
