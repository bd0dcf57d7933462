import Meeting
import Metrics
import TestSupport
import Testing

/// Four cameras, each requested at 360p, which is 6.9 million pixels per second.
@Suite("Device limits, in every system")
struct DeviceLimitMeetingTests {
  private func run(_ policy: String, _ limit: String) throws -> MemorySink {
    try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: 14s
        policy: \(policy)
        participants:
          - {id: c, count: 4, publish: {camera: {capture: 720p30, ladder: webrtc-vp8}, audio: false}}
          - id: v
            capabilities: {decode: \(limit)}
            view: \(policy == "bluejeans" ? "{request: [{quality: 360p30, priority: high, count: 4}]}" : view)
        """)
    ).tables
  }

  private let view = "{everybody: 640x360}"

  @Test(
    arguments: [
      "bluejeans", "agora", "stream", "vonage", "livekit", "jitsi", "mediasoup", "signal", "janus", "gso",
      "best",
    ])
  func twoStreamsAtOnce(policy: String) throws {
    let rows = try run(policy, "{streams: 2}").rows(of: .streams).filter { $0.number("time_s") > 8 }
    #expect(rows.count == 24)
    for row in rows {
      let plays = row.number("frames_per_second", ifEmpty: 0) > 0
      #expect(plays == ["c-1", "c-2"].contains(row["source"]), "\(row["source"])")
      if !plays { #expect(row["limitation"] == "device") }
    }
  }

  /// Four at 180p30 take 6.9 million, as much as one at 360p30.
  @Test(
    arguments: [
      "bluejeans", "stream", "vonage", "jitsi", "mediasoup", "signal", "janus", "best",
    ])
  func tenMillionPixelsASecond(policy: String) throws {
    let run = try run(policy, "{pixels-per-second: 10000000}")
    let decoded = run.rows(of: .participants).filter { $0["participant"] == "v" && $0.number("time_s") > 8 }
    for row in decoded { #expect(row.number("decoded_pixels_per_s") <= 10_400_000) }
    let rows = run.rows(of: .streams).filter { $0.number("time_s") == 13 }
    #expect(rows.contains { $0["frame_height_px"] == "360" || $0["frame_height_px"] == "180" })
    #expect(rows.count { $0["limitation"] == "device" } >= 2, "\(rows.map { $0["limitation"] })")
  }

  /// `best` keeps 180p30, which 250 kbit/s carry, since 360p7.5 is not worth a switch; 360p7.5 is all that the device
  /// decodes of 360p. 360p30 would be worth it, and its absence is due to the device once the link carries it.
  @Test func aDeviceComesBeforeAHold() throws {
    let rows = try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: 8s
        policy: best
        estimator: oracle
        links: {line: {capacity: [{at: 0s, to: 250 kbps}, {at: 4s, to: 5 Mbps}], delay: 5 ms}}
        participants:
          - {id: c, publish: {camera: {capture: 360p30, ladder: webrtc-vp8}, audio: false}}
          - id: v
            down: line
            capabilities: {decode: {pixels-per-second: 3000000}}
            view: {everybody: 640x360}
        """)
    ).tables.stream(viewer: "v", source: "c")
    #expect(rows.allSatisfy { $0["frame_height_px"] == "180" })
    #expect([2, 3, 6, 7].map { rows[$0]["limitation"] } == ["hold", "hold", "device", "device"])
  }

  private func stage(_ policy: String, ladder: String, gate: Bool, _ limit: String) throws -> (String, String)
  {
    let tables = try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: 14s
        policy: \(policy)
        participants:
          - {id: c, publish: {camera: {capture: 720p30, ladder: \(ladder)}, audio: false}}
          - {id: v, capabilities: {receive-720p: \(gate), decode: \(limit)}, view: {stage: c}}
        """)
    ).tables
    let last = try #require(tables.rows(of: .streams).last { $0["viewer"] == "v" })
    return (last["frame_height_px"], last["limitation"])
  }

  /// 720p30 takes 27.6 million pixels a second, 360p30 6.9. The device ranks above the gate, which alone would admit
  /// the same; without a limit on pixels, the gate is the limitation.
  @Test(
    arguments: [
      "bluejeans", "stream", "vonage", "livekit", "jitsi", "mediasoup", "signal", "janus", "gso", "best",
    ])
  func theDeviceComesBeforeAGate(policy: String) throws {
    for (gate, limit, word) in [
      (true, "{pixels-per-second: 10000000}", "device"), (false, "{pixels-per-second: 10000000}", "device"),
      (false, "{streams: 4}", "request-cap"),
    ] {
      let seen = try stage(policy, ladder: "stream-ios", gate: gate, limit)
      #expect(seen == ("360", word), "\(gate) \(limit)")
    }
  }
}
