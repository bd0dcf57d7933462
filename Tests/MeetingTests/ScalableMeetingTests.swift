import Meeting
import Metrics
import Quantity
import Scenario
import TestSupport
import Testing

/// A camera that sends one stream with several spatial layers, packet by packet. livekit-client's 1445 kbps are split
/// into 142, 418 and 885 kbps; RTP headers add some 5 %.
@Suite("Scalable streams, packet by packet")
struct ScalableMeetingTests {
  private func meeting(
    _ mode: String, up: String = "10 Mbps", view: String = "{size: 1280x720}", timeline: String = "  []",
    policy: String = "livekit", codec: String = "vp9", duration: String = "12s", loss: String = "0 %"
  ) throws -> MemorySink {
    try Meetings.run(
      Meetings.scenario(
        """
        name: scalable
        duration: \(duration)
        policy: \(policy)
        estimator: oracle
        links:
          open: {capacity: 1000 Mbps, delay: 10 ms}
          down: {capacity: 1000 Mbps, delay: 10 ms, loss: \(loss)}
          up: {capacity: \(up), delay: 10 ms}
        participants:
          - id: p
            up: up
            down: open
            publish: {audio: false, camera: {capture: 720p30, codec: \(codec), scalability-mode: \(mode), maximum: 1445 kbps}}
          - {id: viewer, up: open, down: down, view: {signals: {tracks: {p: \(view)}}}}
        timeline:
        \(timeline)
        """)
    ).tables
  }

  private func sent(_ tables: MemorySink, _ layer: String) -> [Row] {
    tables.rows(of: .sent).filter { $0["layer"] == layer }
  }

  private func received(_ tables: MemorySink) -> [Row] {
    tables.rows(of: .streams).filter { $0["viewer"] == "viewer" }
  }

  /// Returns the mean over the seconds after the fifth.
  private func average(_ rows: [Row], _ column: String) -> Double {
    let rows = rows.filter { $0.number("time_s") > 5 }
    return rows.reduce(0) { $0 + $1.number(column) } / Double(rows.count)
  }

  /// Returns the mean of a rate over the seconds after the fifth [kbit/s].
  private func mean(_ rows: [Row], _ column: String) -> Int { Int(average(rows, column) / 1000) }

  /// With a round trip of 20 ms, a retransmitted packet arrives before its picture is due.
  @Test(arguments: ["L3T3_KEY", "L3T3", "S3T3"])
  func repairsKeepThePicture(mode: String) throws {
    let rows = received(try meeting(mode, duration: "20s", loss: "2 %")).filter { $0.number("time_s") > 3 }
    #expect(rows.contains { $0.number("nack_count") > 0 })
    #expect(rows.allSatisfy { $0["frame_height_px"] == "720" && $0.number("frames_per_second") >= 28 })
    #expect(rows.allSatisfy { $0["freeze_count"] == "0" })
  }

  @Test func everyLayerHasItsRow() throws {
    let tables = try meeting("L3T3_KEY")
    for (layer, height, target) in [("s0", "180", 142_000.0), ("s1", "360", 418_000), ("s2", "720", 885_000)]
    {
      let rows = sent(tables, layer)
      #expect(rows.last?["frame_height_px"] == height)
      #expect(rows.last?.number("target_bitrate_bps") == target)
      #expect(rows.last?.number("frames_per_second") == 30)
      let rate = Double(mean(rows, "bitrate_bps"))
      #expect(rate > target / 1000 * 0.9 && rate < target / 1000 * 1.15)
    }
  }

  /// In `_KEY` and `S` modes only the watched layer is forwarded; in `L` modes, all layers below it too.
  @Test(arguments: [("L3T3_KEY", 800...1000), ("S3T3", 800...1000), ("L3T3", 1400...1650)])
  func theWatchedLayerGoesOut(mode: String, kilobits: ClosedRange<Int>) throws {
    let rows = received(try meeting(mode))
    #expect(rows.last?["frame_height_px"] == "720")
    #expect(rows.last?.number("frames_per_second") == 30)
    #expect(kilobits.contains(mean(rows, "bitrate_bps")))
    #expect(rows.allSatisfy { $0.number("packets_lost") == 0 })
  }

  /// From 560 kbps, where two layers are full, to 891 kbps, where the third starts, a higher target brings nothing.
  @Test func theEncoderHasADeadZone() throws {
    let tables = try meeting("L3T3_KEY", up: "850 kbps")
    #expect(sent(tables, "s0").last?.number("target_bitrate_bps") == 142_000)
    #expect(sent(tables, "s1").last?.number("target_bitrate_bps") == 418_000)
    #expect(sent(tables, "s2").last?.number("target_bitrate_bps") == 0)
    #expect(received(tables).last?["frame_height_px"] == "360")
  }

  private static let smaller = """
      - {at: 6s, participant: viewer, signals: {tracks: {p: {size: 640x360}}}}
    """

  /// A viewer's change of spatial layer costs a key picture of all layers in `_KEY` modes, and nothing on the way down
  /// if all layers below are sent anyway.
  @Test(arguments: [("L3T3_KEY", 1.0), ("L3T3", 0)])
  func goingDownCostsAKeyPicture(mode: String, keyFrames: Double) throws {
    let tables = try meeting(mode, timeline: Self.smaller, duration: "20s")
    for layer in ["s0", "s1", "s2"] {
      let after = sent(tables, layer).filter { $0.number("time_s") > 6 }
      #expect(after.reduce(0) { $0 + $1.number("key_frames_encoded") } == keyFrames)
    }
    let rows = received(tables).filter { $0.number("time_s") > 10 }
    #expect(rows.allSatisfy { $0["frame_height_px"] == "360" && $0.number("frames_per_second") == 30 })
  }

  /// A viewer who joins later and starts with the lowest layer climbs to the highest with a key picture that the server
  /// requests, whatever its filter.
  @Test(arguments: ["best", "mediasoup", "jitsi", "livekit", "stream"])
  func aLateViewerClimbs(policy: String) throws {
    let tables = try Meetings.run(
      Meetings.scenario(
        """
        name: late
        duration: 30s
        policy: \(policy)
        estimator: {up: gcc}
        links:
          open: {capacity: 20 Mbps, delay: 17 ms}
        participants:
          - {id: p, up: open, down: open, publish: {camera: {capture: 720p30, codec: vp9, scalability-mode: L3T3}}}
          - {id: early, up: open, down: open, view: {stage: p}}
          - {id: late, join: 7300ms, up: open, down: open, view: {stage: p}}
        """)
    ).tables
    for viewer in ["early", "late"] {
      let last = tables.rows(of: .streams).filter { $0["viewer"] == viewer }.last
      #expect(last?["frame_height_px"] == "720", "\(viewer)")
    }
  }

  /// One spatial layer: a stream like any other, at the codec's rates.
  @Test func aStreamOfTemporalLayersAlone() throws {
    let tables = try meeting("L1T3", codec: "av1")
    #expect(Set(tables.rows(of: .sent).map { $0["layer"] }) == ["s0"])
    #expect(received(tables).last?["frame_height_px"] == "720")
  }

  private func shared(
    _ codec: String, _ mode: String, up: String = "10 Mbps", content: String = ""
  ) throws -> MemorySink {
    try Meetings.run(
      Meetings.scenario(
        """
        name: screen
        duration: 10s
        policy: livekit
        estimator: oracle
        links: {open: {capacity: 1000 Mbps, delay: 10 ms}, up: {capacity: \(up), delay: 10 ms}}
        participants:
          - id: p
            up: up
            down: open
            publish: {audio: false, screen: {capture: 720p30, codec: \(codec), scalability-mode: \(mode)\(content)}}
          - {id: viewer, up: open, down: open, view: {stage: p}}
        """)
    ).tables
  }

  /// A screen share's lower layers get the middle of their limits, 20 to 142 and 135 to 418 kbps in AV1; the highest
  /// gets the rest, from its minimum of 365 on. Below 722 kbps the middle layer is the highest and takes up to its
  /// maximum; below 216, the lowest. In VP9 they are the middles of 49 to 142 and 193 to 418, and the third layer starts
  /// at 881 kbps.
  @Test(
    arguments: [
      ("av1", "L3T3_KEY", "880 kbps", [81, 276, 443]), ("av1", "L3T3_KEY", "660 kbps", [81, 418, 0]),
      ("av1", "L3T3_KEY", "220 kbps", [142, 0, 0]), ("vp9", "L3T1_KEY", "1100 kbps", [95, 305, 600]),
      ("vp9", "L3T1", "880 kbps", [95, 418, 0]),
    ] as [(String, String, String, [Int])])
  func lowerLayersOfAScreenHaveFixedRates(codec: String, mode: String, up: String, rates: [Int]) throws {
    let tables = try shared(codec, mode, up: up)
    let targets = ["s0", "s1", "s2"].map { layer in
      sent(tables, layer).last.map { Int(($0.number("target_bitrate_bps") / 1000).rounded()) }
    }
    #expect(targets == rates)
    #expect(
      received(tables).last?["frame_height_px"] == (rates[2] > 0 ? "720" : rates[1] > 0 ? "360" : "180"))
  }

  /// Content that needs more than the lowest layer's 305 kbps: VP9's encoder drops its frames alone in a share, and the
  /// picture of the highest layer needs none of them.
  @Test func aShareKeepsTheFramesOfItsUpperLayer() throws {
    let tables = try shared("vp9", "L2T1", content: ", content: 20 Mbps")
    func frameRate(_ rows: [Row]) -> Double { average(rows, "frames_per_second") }
    #expect(frameRate(sent(tables, "s0")) < 28)
    #expect(frameRate(sent(tables, "s1")) == 30)
    #expect(frameRate(received(tables)) == 30)
    #expect(received(tables).allSatisfy { $0["freeze_count"] == "0" })
  }
}
