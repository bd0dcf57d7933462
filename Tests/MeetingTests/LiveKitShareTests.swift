import Ladder
import Metrics
import Quantity
import Systems
import TestSupport
import Testing
import Vendors

/// livekit-client's screen share: at half size and at full size.
@Suite("LiveKit's screen share")
struct LiveKitShareTests {
  /// Returns `RID SIZE@FPS TARGET MAXIMUM MINIMUM` of each encoding, in kbit/s.
  private func words(_ width: Int, _ height: Int, fps: Int = 15) -> [String] {
    let capture = VideoFormat(Resolution(width: width, height: height), framesPerSecond: fps)
    return Ladder.livekitScreen(capture: capture).encodings.map {
      let size = $0.format.resolution
      let rates = [$0.bitrate, $0.maximum ?? .zero, $0.minimum ?? .zero].map { "\($0.bitsPerSecond / 1000)" }
      return
        "\($0.rid) \(size.width)x\(size.height)@\($0.format.milliFramesPerSecond / 1000) \(rates.joined(separator: " "))"
    }
  }

  @Test func hasTwoEncodings() {
    #expect(words(1920, 1080) == ["q 960x540@15 625 625 30", "h 1920x1080@15 2500 2500 800"])
    // The rates are those of the default encoding, whatever the capture; libwebrtc's target for 360p is lower.
    #expect(words(1280, 720) == ["q 640x360@15 500 625 30", "h 1280x720@15 2500 2500 600"])
    #expect(words(1920, 1080, fps: 30) == ["q 960x540@15 625 625 30", "h 1920x1080@15 2500 2500 800"])
    #expect(words(1920, 1080, fps: 5) == ["q 960x540@5 625 625 30", "h 1920x1080@5 2500 2500 800"])
    #expect(words(1080, 1920) == ["q 540x960@15 625 625 30", "h 1080x1920@15 2500 2500 800"])
    #expect(words(480, 270).count == 2)
    #expect(words(478, 270).count == 1)
  }

  private func heights(_ tile: String, estimator: String) throws -> Set<Int> {
    let tables = try Meetings.run(
      Meetings.scenario(
        """
        name: share
        duration: 20s
        policy: livekit
        estimator: \(estimator)
        participants:
          - {id: p, up: ample, down: ample, publish: {screen: 1080p15, audio: false}}
          - {id: v, up: ample, down: ample, view: {signals: {adaptive-stream: true, tracks: {p/screen: {size: \(tile)}}}}}
        """)
    ).tables
    let rows = tables.stream(viewer: "v", source: "p/screen").filter { $0.number("time_s") > 10 }
    return Set(rows.map { $0.integerIfPresent("frame_height_px") ?? 0 })
  }

  @Test(arguments: ["oracle", "remb", "livekit-send"])
  func aSmallTileGetsTheHalf(estimator: String) throws {
    #expect(try heights("240x136", estimator: estimator) == [540])
    #expect(try heights("1920x1080", estimator: estimator) == [1080])
  }
}
