import Meeting
import Metrics
import Quantity
import TestSupport
import Testing

@Suite("Custom frames, packet by packet")
struct CustomSourceMeetingTests {
  @Test func customFramesFollowTheAppsRateAndOrientation() throws {
    let run = try Meetings.run(Meetings.shipped("custom-source-24fps"))
    let rows = run.tables.stream(viewer: "customer", source: "shop")
    #expect(rows[14]["frames_per_second"] == "24.00" && rows[14]["kind"] == "custom")
    #expect(rows[24]["frame_width_px"] == "720" && rows[24]["frame_height_px"] == "1280")
    let pushes = run.tables.rows(of: .events).filter { $0["event"] == "push-frames" }.map { $0["result"] }
    // The first batch continues past the change of source.
    #expect(pushes == ["NotUsingCustomVideoSource", "Success", "Success", "Success"])
  }

  @Test func theEncodingsFollowThePushedFramesSizeAndOrientation() throws {
    let text = """
      name: test
      duration: 34s
      participants:
        - {id: shop, publish: {camera: 720p30, audio: false}}
        - {id: large, capabilities: {receive-720p: true}, view: {request: [{quality: 720p30, priority: high}]}}
        - {id: middle, view: {request: [{quality: 360p30, priority: high}]}}
        - {id: small, view: {request: [{quality: 90p15, priority: high}]}}
      timeline:
        - {at: 2s, participant: shop, source: custom}
        - {at: 3s, participant: shop, push-frames: {fps: 30, size: 640x480, for: 7s}}
        - {at: 10s, participant: shop, push-frames: {fps: 30, size: 1280x720, orientation: landscape-right, for: 7s}}
        - {at: 17s, participant: shop, push-frames: {fps: 30, size: 320x180, for: 7s}}
        - {at: 24s, participant: shop, push-frames: {fps: 30, size: 854x480, orientation: portrait-upside-down, for: 2s}}
        - {at: 26s, participant: shop, source: camera}
      """
    let run = try Meetings.run(Meetings.scenario(text)).tables
    func sizes(_ viewer: String) -> [String] {
      let rows = run.stream(viewer: viewer, source: "shop")
      return [9, 16, 23, 25, 33].map {
        "\(rows[$0]["frame_width_px"])x\(rows[$0]["frame_height_px"])"
      }
    }
    #expect(sizes("large") == ["640x480", "720x1280", "320x180", "854x480", "1280x720"])
    #expect(sizes("middle") == ["480x360", "360x640", "320x180", "640x358", "640x360"])
    #expect(sizes("small") == ["120x90", "90x160", "160x90", "160x88", "160x90"])
    // A picture smaller than requested is due to the sender, or to a missing layer.
    let limits = [9, 16, 23].map { run.stream(viewer: "large", source: "shop")[$0]["limitation"] }
    #expect(limits == ["sender", "none", "sender"])
  }
}
