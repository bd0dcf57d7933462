import Ladder
import Metrics
import Plan
import Quantity
import Scenario
import Systems
import TestSupport
import Testing

/// GetStream's encodings, by capture.
@Suite("Stream's encodings of a camera")
struct StreamLadderTests {
  /// Returns the heights that `v` sees of a camera in tiles of its own sizes, lowest first, with the rates of their
  /// layers [kbit/s].
  private func shown(_ policy: String, _ capture: String, _ tiles: [String]) throws -> [Int] {
    let viewers = tiles.enumerated().map { index, tile in
      "  - {id: v\(index), up: ample, down: ample, view: {tiles: {a: \(tile)}}}"
    }
    let tables = try Meetings.run(
      Meetings.scenario(
        """
        name: stream
        duration: 8s
        policy: \(policy)
        estimator: oracle
        participants:
          - {id: a, up: ample, down: ample, publish: {camera: {capture: \(capture)}, audio: false}}
        \(viewers.joined(separator: "\n"))
        """)
    ).tables
    return tiles.indices.map { index in
      tables.stream(viewer: "v\(index)", source: "a").last?.integerIfPresent("frame_height_px") ?? 0
    }
  }

  private static let tiles = ["160x120", "320x240", "640x480"]

  @Test(arguments: ["stream", "{name: stream, client: ios}", "{name: stream, client: javascript}"])
  func a640x480CaptureIsSentAt240LinesAtLeast(policy: String) throws {
    #expect(try shown(policy, "640x480@30", Self.tiles) == [240, 240, 480])
  }

  @Test func itWasSentAt120LinesToo() throws {
    #expect(try shown("{name: stream, drop-smallest: false}", "640x480@30", Self.tiles) == [120, 240, 480])
    let ios = "{name: stream, client: ios, drop-smallest: false}"
    #expect(try shown(ios, "640x480@30", Self.tiles) == [120, 240, 480])
  }

  @Test func otherCaptures() throws {
    #expect(try shown("stream", "960x540@30", ["160x90", "480x270", "960x540"]) == [135, 270, 540])
    #expect(try shown("stream", "720p30", ["160x90", "640x360", "1280x720"]) == [180, 360, 720])
    #expect(try shown("stream", "720x1280@30", ["90x160", "360x640", "720x1280"]) == [320, 640, 1280])
  }

  /// 640x480 has a third of the pixels of 1280x720.
  @Test func theRatesAreInProportionToThePixels() throws {
    let scenario = try Meetings.scenario(
      """
      name: stream
      policy: stream
      participants:
        - {id: a, publish: {camera: 640x480@30, screen: 1080p15}}
        - {id: b, publish: {camera: 320x240@15}}
        - {id: v, view: {everybody: 640x360}}
      """)
    let camera = scenario.plan.participants[0].camera?.ladder
    #expect(camera?.encodings.map(\.rid) == ["q", "h"])
    #expect(camera?.encodings.map(\.bitrate) == [.kilobits(250), BitRate(bitsPerSecond: 416_666)])
    let small = scenario.plan.participants[1].camera?.ladder
    #expect(
      small?.encodings.map(\.format) == [
        VideoFormat(Resolution(width: 320, height: 240), framesPerSecond: 15)
      ])
    #expect(small?.encodings.map(\.bitrate) == [BitRate(bitsPerSecond: 104_166)])
    #expect(scenario.plan.participants[0].screen?.ladder.encodings.map(\.bitrate) == [.kilobits(3000)])
  }
}
