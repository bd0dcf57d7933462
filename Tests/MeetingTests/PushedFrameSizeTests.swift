import Meeting
import Metrics
import TestSupport
import Testing

/// A pushed frame has its own size, whatever the camera's is.
@Suite("Sizes of pushed frames")
struct PushedFrameSizeTests {
  /// Returns the pictures of a camera of some format, of frames that change in size and rotate while pushed, and of the
  /// camera again.
  private func pictures(_ camera: String, _ policy: String, estimator: String, custom: Bool = false) throws
    -> [String]
  {
    let own = custom ? "custom: {capture: \(camera), on: false}" : "camera: \(camera)"
    let change = custom ? "" : "{at: 4.21s, participant: shop, source: custom}, "
    let view =
      policy == "bluejeans" ? "request: [{quality: 720p30, participant: shop}]" : "tiles: {shop: 1280x720}"
    let text = """
      name: sizes
      duration: 34s
      policy: \(policy)
      estimator: \(estimator)
      participants:
        - {id: shop, publish: {\(own), audio: false}}
        - {id: other, publish: {camera: 180p15, audio: false}}
        - {id: v, capabilities: {receive-720p: true}, view: {\(view)}}
      timeline:
        [\(change){at: 6s, participant: shop, push-frames: {size: 1280x720, fps: 30}},
        {at: 12.3s, participant: shop, push-frames: {size: 320x240, fps: 15}},
        {at: 17.7s, participant: shop, push-frames: {size: 1280x720, fps: 24, orientation: landscape-left}},
        {at: 24s, participant: shop, source: camera}]
      """
    let rows = try Meetings.run(Meetings.scenario(text)).tables.stream(viewer: "v", source: "shop")
    return [3, 11, 16, 22, 33].map { second in
      let row = rows.first { $0["time_s"] == "\(second).000" }
      return row.map { "\($0["frame_width_px"])x\($0["frame_height_px"])" } ?? ""
    }
  }

  /// Larger, smaller and upright frames arrive as they are, and afterwards the camera's picture as before: in systems
  /// with four, three, two encodings and one.
  @Test(
    arguments: ["bluejeans", "jitsi", "mediasoup", "janus", "best", "stream", "agora", "vonage"],
    [("360p30", "640x360"), ("180p15", "320x180"), ("720p30", "1280x720")])
  func framesOfAnySizeComeAsTheyAre(policy: String, camera: (format: String, size: String)) throws {
    let found = try pictures(camera.format, policy, estimator: "oracle")
    #expect(found == [camera.size, "1280x720", "320x240", "720x1280", camera.size], "\(policy)")
  }

  @Test func congestionControlMakesNoDifference() throws {
    let found = try pictures("360p30", "bluejeans", estimator: "gcc")
    #expect(found == ["640x360", "1280x720", "320x240", "720x1280", "640x360"])
  }

  /// The size stated for a custom source is the default of its frames, not a limit.
  @Test(arguments: ["360p30", "180p30"])
  func aStatedSizeIsNoLimit(stated: String) throws {
    let found = try pictures(stated, "bluejeans", estimator: "oracle", custom: true)
    #expect(Array(found[1...3]) == ["1280x720", "320x240", "720x1280"])
  }

  /// Returns the last picture from a lone encoding of 720 lines on 300 kbps, and what limits it.
  private func lastOnNarrowUplink(_ timeline: String) throws -> String {
    let text = """
      name: narrow
      duration: 40s
      policy: bluejeans
      estimator: gcc
      links: {thin: {capacity: 300 kbps, delay: 20 ms}}
      participants:
        - {id: shop, up: thin, publish: {camera: {capture: 720p30, ladder: single}, audio: false}}
        - {id: v, capabilities: {receive-720p: true}, view: {request: [{quality: 720p30, participant: shop}]}}
      timeline: [\(timeline)]
      """
    let row = try #require(
      Meetings.run(Meetings.scenario(text)).tables.stream(viewer: "v", source: "shop").last)
    return "\(row["frame_width_px"])x\(row["frame_height_px"]) \(row["limitation"])"
  }

  /// An encoder that shrinks its pictures on a narrow uplink does so for the app's frames, and for the camera after
  /// them.
  @Test func aSourceChangeKeepsTheEncoderAdapting() throws {
    let custom = "{at: 2s, participant: shop, source: custom}"
    #expect(try lastOnNarrowUplink("") == "640x360 sender-uplink")
    #expect(
      try lastOnNarrowUplink("\(custom), {at: 4s, participant: shop, source: camera}")
        == "640x360 sender-uplink")
    let turned =
      "{at: 4s, participant: shop, push-frames: {size: 1280x720, fps: 30, orientation: landscape-left}}"
    #expect(try lastOnNarrowUplink("\(custom), \(turned)") == "360x640 sender-uplink")
  }

  /// BlueJeans' highest encoding has 720 lines: 1920x1080 is scaled to it.
  @Test func noFrameExceedsTheLadder() throws {
    let text = """
      name: largest
      duration: 10s
      policy: bluejeans
      participants:
        - {id: shop, publish: {camera: 360p30, audio: false}}
        - {id: v, capabilities: {receive-720p: true}, view: {request: [{quality: 720p30, participant: shop}]}}
      timeline:
        - {at: 1s, participant: shop, source: custom}
        - {at: 2s, participant: shop, push-frames: {size: 1920x1080, fps: 30}}
      """
    let last = try Meetings.run(Meetings.scenario(text)).tables.stream(viewer: "v", source: "shop").last
    #expect(last?["frame_width_px"] == "1280" && last?["frame_height_px"] == "720")
  }

  /// Agora's recommended rates, twice those of its table: 800 kbit/s for 640x360 at 15 frames per second, 2260 for
  /// 1280x720, 280 for 320x180 and 4160 for 1920x1080. Frames pushed later do not affect what is sent before.
  @Test func aDualStreamHasTheRateOfTheFramesThatArePushed() throws {
    func targets(_ last: String) throws -> [String] {
      let text = """
        name: rates
        duration: 26s
        policy: agora
        estimator: oracle
        participants:
          - {id: shop, up: ample, publish: {camera: 640x360@15, audio: false}}
          - {id: v, down: ample, view: {everybody: 640x360}}
        timeline:
          - {at: 2.3s, participant: shop, source: custom}
          - {at: 5.1s, participant: shop, push-frames: {size: 1280x720, fps: 15}}
          - {at: 10.7s, participant: shop, push-frames: {size: 320x180, fps: 15}}
          - {at: 15.2s, participant: shop, push-frames: {size: \(last), fps: 15}}
          - {at: 20.4s, participant: shop, source: camera}
        """
      let rows = try Meetings.run(Meetings.scenario(text)).tables.rows(of: .sent)
        .filter { $0["layer"] == "high" }
      return [2, 9, 14, 19, 25].map { second in
        rows.first { $0["time_s"] == "\(second).000" }?["target_bitrate_bps"] ?? ""
      }
    }
    #expect(try targets("1920x1080") == ["800000", "2260000", "280000", "4160000", "800000"])
    #expect(try targets("320x180") == ["800000", "2260000", "280000", "280000", "800000"])
  }

  /// Frames of 1080 lines at 14 s leave everything before that as it is without them.
  @Test(arguments: ["mediasoup", "vonage", "bluejeans", "stream", "livekit", "jitsi"])
  func laterFramesChangeNothingBefore(policy: String) throws {
    func sent(_ last: String) throws -> [String] {
      let text = """
        name: before
        duration: 18s
        policy: \(policy)
        participants:
          - {id: shop, up: ample, publish: {camera: 360p24, audio: false}}
          - {id: v, down: ample, view: {tiles: {shop: 1280x720}}}
        timeline:
          - {at: 3.3s, participant: shop, source: custom}
          - {at: 4.6s, participant: shop, push-frames: {size: 960x540, fps: 20}}
          - {at: 14s, participant: shop, push-frames: {size: \(last), fps: 20}}
        """
      return try Meetings.run(Meetings.scenario(text)).tables.rows(of: .sent)
        .filter { $0.number("time_s") < 14 && $0["active"] == "true" }
        .map { "\($0["time_s"]) \($0["frame_width_px"]) \($0["target_bitrate_bps"]) \($0["bitrate_bps"])" }
    }
    let without = try sent("960x540")
    let later = try sent("1920x1080")
    #expect(!without.isEmpty && later == without)
  }

  /// Viewers of an app that pushes nothing lack its frames, not a key frame.
  @Test(arguments: ["mediasoup", "signal", "best", "vonage", "janus", "bluejeans"])
  func whoPushesNothingIsTheCause(policy: String) throws {
    let text = """
      name: nothing
      duration: 14s
      policy: \(policy)
      participants:
        - {id: shop, publish: {camera: 360p24, audio: false}}
        - {id: v, view: {tiles: {shop: 640x360}}}
      timeline:
        - {at: 2.3s, participant: shop, source: custom}
        - {at: 3.6s, participant: shop, push-frames: {size: 640x360, fps: 20, for: 4s}}
      """
    let rows = try Meetings.run(Meetings.scenario(text)).tables.stream(viewer: "v", source: "shop")
    let silent = rows.filter { $0.number("time_s") > 9 }
    #expect(silent.count == 5 && silent.allSatisfy { $0["limitation"] == "sender" }, "\(silent)")
  }

  /// Encodings that only the frames of 720 lines from 11 to 15 s fill are neither wanted nor sent before, and off again
  /// once the app pushes smaller ones, in systems that request every encoding, those that viewers use, or all at first.
  @Test(arguments: ["mediasoup", "janus", "signal", "livekit", "jitsi", "bluejeans", "stream"])
  func encodingsOfLargerFramesAreOff(policy: String) throws {
    func sent(_ timeline: String) throws -> [Row] {
      let text = """
        name: larger
        duration: 22s
        policy: \(policy)
        participants:
          - {id: shop, up: ample, publish: {camera: 360p15, audio: false}}
          - {id: v, down: ample, capabilities: {receive-720p: true}, view: {everybody: 1280x720}}
        timeline: [\(timeline)]
        """
      return try Meetings.run(Meetings.scenario(text)).tables.rows(of: .sent)
        .filter { $0["wanted"] == "true" || $0["active"] == "true" || $0["bitrate_bps"] != "0" }
    }
    func before(_ rows: [Row]) -> [String] {
      rows.filter { $0.number("time_s") <= 10 }.map {
        "\($0["time_s"]) \($0["layer"]) \($0["frame_width_px"]) \($0["target_bitrate_bps"]) \($0["bitrate_bps"])"
      }
    }
    func last(_ rows: [Row]) -> [String] {
      rows.filter { $0["time_s"] == "22.000" }.map { "\($0["layer"]) \($0["frame_width_px"])" }
    }
    let without = try sent("")
    let later = try sent(
      "{at: 10s, participant: shop, source: custom}, "
        + "{at: 11s, participant: shop, push-frames: {size: 1280x720, fps: 15}}, "
        + "{at: 15s, participant: shop, push-frames: {size: 640x360, fps: 15}}")
    #expect(!before(without).isEmpty && before(later) == before(without))
    #expect(later.contains { $0["time_s"] == "14.000" && $0["frame_width_px"] == "1280" })
    #expect(!last(without).isEmpty && last(later) == last(without))
  }
}
