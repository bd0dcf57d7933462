import Meeting
import Metrics
import Scenario
import TestSupport
import Testing

/// Sources whose encodings are listed in the scenario.
@Suite("Custom ladders")
struct OwnLadderMeetingTests {
  private func run(policy: String, up: String = "20 Mbps", camera: String, timeline: String = "") throws
    -> MemorySink
  {
    try Meetings.run(
      Meetings.scenario(
        """
        name: layers
        duration: 24s
        policy: \(policy)
        estimator: oracle
        participants:
          - {id: a, up: {capacity: \(up), delay: 10 ms}, publish: {camera: {layers: [\(camera)]}, audio: false}}
          - {id: v, capabilities: {receive-720p: true}, view: {tiles: [{participant: a, size: 1280x720}]}}
        timeline: [\(timeline)]
        """)
    ).tables
  }

  /// Rates that are in no ladder, with two, one and two temporal layers.
  private static let camera = [
    "{encoding: 0, temporal: 0, size: 256x144, fps: 6, bitrate: 61 kbps}",
    "{encoding: 0, temporal: 1, size: 256x144, fps: 12, bitrate: 97 kbps}",
    "{encoding: 1, size: 512x288, fps: 24, bitrate: 311 kbps}",
    "{encoding: 2, temporal: 0, size: 1024x576, fps: 12, bitrate: 600 kbps}",
    "{encoding: 2, temporal: 1, size: 1024x576, fps: 24, bitrate: 907 kbps}",
  ].joined(separator: ", ")

  private func late(_ tables: MemorySink, _ layer: String) -> [Row] {
    tables.rows(of: .sent).filter { $0["layer"] == layer && $0.number("time_s") > 8 }
  }

  /// In every system that lets its senders choose their rates, encodings are sent as listed.
  @Test(arguments: RandomMeeting.allPolicies.filter { $0 != "gso" })
  func everyEncodingHasItsTarget(policy: String) throws {
    let tables = try run(policy: policy, camera: Self.camera)
    let expected = [
      ("0", "256", "12.00", "97000"), ("1", "512", "24.00", "311000"), ("2", "1024", "24.00", "907000"),
    ]
    for (layer, width, frames, target) in expected {
      // Systems differ in which lower encodings they request.
      let sent = late(tables, layer).filter { $0["active"] == "true" && $0["target_bitrate_bps"] != "0" }
      #expect(layer != "2" || sent.count == 16)
      #expect(sent.allSatisfy { $0["frame_width_px"] == width && $0["frames_per_second"] == frames })
      #expect(
        sent.allSatisfy { $0["target_bitrate_bps"] == target && $0["quality_limitation_reason"] == "none" })
      let rate = sent.reduce(0) { $0 + $1.number("bitrate_bps") } / Double(max(sent.count, 1))
      // About one packet per frame, with 24 B of RTP.
      #expect(sent.isEmpty || abs(rate / (Double(target) ?? 1) - 1) < 0.15, "\(layer): \(rate)")
    }
    let seen = tables.stream(viewer: "v", source: "a").suffix(8)
    #expect(seen.allSatisfy { $0["frame_width_px"] == "1024" })
  }

  /// The highest needs 0.6 of its 907 kbit/s in addition to the 408 of those below: 952, plus headers.
  @Test(arguments: [("850 kbps", false), ("1150 kbps", true)])
  func aNarrowUplinkTakesTheHighestOff(up: String, carries: Bool) throws {
    let tables = try run(policy: "janus", up: up, camera: Self.camera)
    #expect(late(tables, "2").allSatisfy { ($0["target_bitrate_bps"] != "0") == carries })
    #expect(late(tables, "2").allSatisfy { ($0["quality_limitation_reason"] == "bandwidth") != carries })
    #expect(late(tables, "1").allSatisfy { $0["target_bitrate_bps"] == "311000" })
  }

  /// A lone encoding is called f, and adapts its size to the available rate.
  @Test func aLoneEncoding() throws {
    let one = "{encoding: 0, size: 1280x720, fps: 30, bitrate: 1300 kbps}"
    let wide = try run(policy: "jitsi", camera: one)
    #expect(
      late(wide, "f").allSatisfy { $0["target_bitrate_bps"] == "1300000" && $0["frame_height_px"] == "720" })
    let narrow = try run(policy: "jitsi", up: "250 kbps", camera: one)
    #expect(late(narrow, "f").allSatisfy { $0.number("frame_height_px") < 720 })
    #expect(late(narrow, "f").allSatisfy { $0["quality_limitation_reason"] == "bandwidth" })
  }

  /// An app's own encodings are changed by number; half of a picture has a quarter of its documented rate.
  @Test func sendChangesThem() throws {
    let tables = try run(
      policy: "jitsi", camera: Self.camera,
      timeline: """
        {at: 2s, participant: a, send: {encodings: ["0", "1"]}}, \
        {at: 5s, participant: a, send: {encodings: ["0", "1", "2"], scale-down-by: {"2": 2}, maximum: {"1": 200 kbps}}}
        """)
    #expect(
      late(tables, "2").allSatisfy { $0["frame_width_px"] == "512" && $0["target_bitrate_bps"] == "226750" })
    #expect(late(tables, "1").allSatisfy { $0["target_bitrate_bps"] == "200000" })
    let off = tables.rows(of: .sent).filter { $0["layer"] == "2" && 4...5 ~= $0.number("time_s") }
    #expect(off.allSatisfy { $0["active"] == "false" && $0["target_bitrate_bps"] == "0" })
  }

  /// Spatial layers are sent at their own rates, which libwebrtc would split into 142 and 418 kbps of 660.
  @Test(arguments: ["mediasoup", "janus", "livekit"])
  func everySpatialLayerHasItsTarget(policy: String) throws {
    let camera = [
      "{spatial: 0, size: 320x180, fps: 30, bitrate: 60 kbps}",
      "{spatial: 1, size: 640x360, fps: 30, bitrate: 200 kbps}",
      "{spatial: 2, size: 1280x720, fps: 30, bitrate: 400 kbps}",
    ].joined(separator: ", ")
    let wide = try run(policy: policy, camera: camera)
    for (layer, target) in [("s0", "60000"), ("s1", "200000"), ("s2", "400000")] {
      #expect(late(wide, layer).allSatisfy { $0["target_bitrate_bps"] == target })
    }
    let rate = late(wide, "s2").reduce(0) { $0 + $1.number("bitrate_bps") } / 16
    #expect(abs(rate / 400_000 - 1) < 0.15, "\(rate)")
    // 600 kbps of packets carry two layers; the third needs 660.
    let narrow = try run(policy: policy, up: "600 kbps", camera: camera)
    #expect(late(narrow, "s1").allSatisfy { $0["target_bitrate_bps"] == "200000" })
    #expect(late(narrow, "s2").allSatisfy { $0["target_bitrate_bps"] == "0" })
  }

  /// libwebrtc's own maximum for 640x360 is 1700 kbps.
  @Test func aLoneLayerHasItsTarget() throws {
    let tables = try run(policy: "janus", camera: "{size: 640x360, fps: 30, bitrate: 3 Mbps}")
    #expect(late(tables, "f").allSatisfy { $0["target_bitrate_bps"] == "3000000" })
    let rate = late(tables, "f").reduce(0) { $0 + $1.number("bitrate_bps") } / 16
    #expect(abs(rate / 3_000_000 - 1) < 0.15, "\(rate)")
  }
}
