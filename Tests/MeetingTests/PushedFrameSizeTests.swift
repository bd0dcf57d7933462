import Meeting
import Metrics
import TestSupport
import Testing

/// A pushed frame has a size of its own, whatever the camera's is.
@Suite("Sizes of pushed frames")
struct PushedFrameSizeTests {
  /// A camera of some format, frames that change in size and turn while they are pushed, and the camera again.
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

  /// Larger, smaller and upright frames come as they are, and the camera's picture afterwards as before: in systems with
  /// four, three, two encodings and one.
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

  /// The size that a custom source states is a default of its frames, not a limit.
  @Test(arguments: ["360p30", "180p30"])
  func aStatedSizeIsNoLimit(stated: String) throws {
    let found = try pictures(stated, "bluejeans", estimator: "oracle", custom: true)
    #expect(Array(found[1...3]) == ["1280x720", "320x240", "720x1280"])
  }

  /// BlueJeans' highest encoding is of 720 lines: 1920x1080 is scaled to it.
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
}
