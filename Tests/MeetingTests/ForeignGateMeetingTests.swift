import Metrics
import TestSupport
import Testing

@Suite("A closed 720p gate in systems that have none")
struct ForeignGateMeetingTests {
  private func run(
    _ policy: String, _ capture: String, _ view: String, timeline: String = "[]", uplink: String = "20 Mbps"
  ) throws -> [Row] {
    try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: 6s
        policy: \(policy)
        estimator: oracle
        participants:
          - {id: ann, up: {capacity: \(uplink), delay: 5 ms}, publish: {camera: \(capture), audio: false}}
          - id: viewer
            capabilities: {receive-720p: false}
            view: \(view)
            publish: {camera: 360p30, audio: false}
        timeline: \(timeline)
        """)
    ).tables.stream(viewer: "viewer", source: "ann")
  }

  private static let systems = [
    "bluejeans", "{name: agora, dual-stream: enable}", "stream", "{name: vonage, scalable-video: on}",
    "janus", "{name: janus, allocation: true}", "livekit", "jitsi", "mediasoup", "signal", "gso", "best",
  ]

  @Test(arguments: systems, ["1280x720@30", "720x1280@30"])
  func noPictureHasMoreThan360Lines(policy: String, capture: String) throws {
    let rows = try run(policy, capture, "{tiles: {ann: \(capture.dropLast(3))}}")
    let last = try #require(rows.last)
    let shorter = min(last.number("frame_width_px"), last.number("frame_height_px"))
    #expect(shorter > 0 && shorter <= 360, "\(policy) \(capture): \(shorter)")
    #expect(last["limitation"] == "request-cap", "\(policy) \(capture)")
  }

  /// An uplink of 1000 kbit/s carries 360p but not 720p, which the gate blocks whatever the uplink; an uplink of 300
  /// carries only 180p and thereby withholds 360p.
  @Test(
    arguments: ["bluejeans", "stream", "janus", "jitsi", "mediasoup", "signal", "best"],
    [("1000 kbps", "360", "request-cap"), ("300 kbps", "180", "sender-uplink")])
  func theUplinkCountsForWhatTheGateLetsThrough(
    policy: String, uplink: (rate: String, height: String, word: String)
  ) throws {
    let last = try #require(
      try run(policy, "720p30", "{tiles: {ann: 1280x720}}", uplink: uplink.rate).last)
    #expect(last["frame_height_px"] == uplink.height && last["limitation"] == uplink.word, "\(policy)")
  }

  /// Signal's server takes the first encoding that is tall enough, 540p for 360 lines, and raises the active speaker to
  /// that of the stage.
  @Test(arguments: ["960x540@30", "1280x720@30"])
  func noActiveSpeakerHasMoreThan360Lines(capture: String) throws {
    let rows = try run(
      "signal", capture, "{stage: {participant: ann, size: \(capture.dropLast(3))}}",
      timeline: "[{at: 1s, participant: ann, speaks: 5s}]")
    let heights = rows.suffix(3).map { $0.integer("frame_height_px") }
    #expect(heights.allSatisfy { 0 < $0 && $0 <= 360 }, "\(heights)")
    #expect(rows.suffix(3).allSatisfy { $0["limitation"] == "request-cap" })
  }

  /// Stream's own rule would take 720x1280 for a portrait tile of any width from 400 up.
  @Test(arguments: ["stream", "mediasoup", "signal"])
  func aCameraWithoutASmallerPictureIsNotShown(policy: String) throws {
    let rows = try run(
      policy, "{layers: [{encoding: 0, temporal: 0, size: 1280x720, fps: 30, bitrate: 1 Mbps}]}",
      "{tiles: {ann: 1280x720}}")
    let last = try #require(rows.last)
    #expect(last["frame_height_px"].isEmpty || last["frame_height_px"] == "0")
    #expect(last["limitation"] == "request-cap")
  }

  /// A preferred resolution has no effect without scalable video, which is off between two clients.
  @Test(
    arguments: [
      ("vonage", "720p30"), ("{name: vonage, scalable-video: off}", "720p30"),
      (
        "{name: vonage, scalable-video: on}",
        "{layers: [{encoding: 0, temporal: 0, size: 1280x720, fps: 30, bitrate: 1 Mbps}]}"
      ),
    ])
  func aVonageSubscriberOfASingleEncodingGetsIt(policy: String, camera: String) throws {
    let rows = try run(policy, camera, "{tiles: {ann: 1280x720}}")
    let last = try #require(rows.last)
    #expect(last["frame_height_px"] == "720" && last["limitation"] == "none", "\(last["limitation"])")
  }

  /// Of 540p and 720p the subscriber gets the lower one.
  @Test func aVonageSubscriberGetsNoMoreThanTheLowestEncoding() throws {
    let rows = try run(
      "{name: vonage, scalable-video: on}",
      "{layers: [{encoding: 0, temporal: 0, size: 960x540, fps: 30, bitrate: 500 kbps}, "
        + "{encoding: 1, temporal: 0, size: 1280x720, fps: 30, bitrate: 1 Mbps}]}", "{tiles: {ann: 1280x720}}"
    )
    let last = try #require(rows.last)
    #expect(last["frame_height_px"] == "540" && last["limitation"] == "request-cap", "\(last["limitation"])")
  }
}
