import Meeting
import Metrics
import Quantity
import Scenario
import TestSupport
import Testing

/// A 720p camera in VP9 whose sender follows the height that receivers request, over an ample path of 20 ms.
@Suite("Jitsi's scalable senders and the requested height")
struct JitsiHeightTests {
  private func meeting(
    camera: String = "{capture: 720p30, codec: vp9}", timeline: [String], other: Int = 180
  ) throws -> MemorySink {
    try Meetings.run(
      Meetings.scenario(
        """
        name: heights
        duration: 20s
        policy: jitsi
        estimator: oracle
        links: {open: {capacity: 1000 Mbps, delay: 10 ms}}
        participants:
          - {id: p, up: open, down: open, publish: {audio: false, camera: \(camera)}}
          - {id: v, up: open, down: open, view: {signals: {constraints: {p: 720}}}}
          - {id: w, up: open, down: open, view: {signals: {constraints: {p: \(other)}}}}
        timeline:
        \(timeline.map { "  - {\($0)}" }.joined(separator: "\n"))
        """)
    ).tables
  }

  private func row(_ tables: MemorySink, _ layer: String, at time: String) throws -> Row {
    try #require(tables.rows(of: .sent).first { $0["layer"] == layer && $0["time_s"] == time })
  }

  private func lines(_ tables: MemorySink, _ viewer: String, at time: String) -> String? {
    tables.rows(of: .streams).first { $0["viewer"] == viewer && $0["time_s"] == time }?["frame_height_px"]
  }

  /// L3T3_KEY at 1200 kbps, L2T3_KEY of 640x360 at 300, L1T3 of 320x180 at 100, and back, each with a key picture. The
  /// upper layer takes 64.5 % of 300 kbps.
  @Test func modeSizesAndRatesFollow() throws {
    let tables = try meeting(timeline: [
      "at: 5s, participant: v, signals: {constraints: {p: 360}}",
      "at: 10s, participant: v, signals: {constraints: {p: 180}}",
      "at: 15s, participant: v, signals: {constraints: {p: 720}}",
    ])
    let expected: [(time: String, rates: [Double], lines: String)] = [
      ("5.000", [142_000, 410_226, 647_774], "720"), ("9.000", [106_452, 193_548, 0], "360"),
      ("14.000", [100_000, 0, 0], "180"), ("19.000", [142_000, 410_226, 647_774], "720"),
    ]
    for (time, rates, lines) in expected {
      for (layer, rate) in zip(["s0", "s1", "s2"], rates) {
        let row = try row(tables, layer, at: time)
        #expect(abs(row.number("target_bitrate_bps") - rate) <= 1, "\(layer) at \(time)")
        #expect(row["active"] == (rate > 0 ? "true" : "false"), "\(layer) at \(time)")
      }
      #expect(self.lines(tables, "v", at: time) == lines)
      #expect(self.lines(tables, "w", at: time) == "180")
    }
    let keys = tables.rows(of: .sent).filter { $0["layer"] == "s0" && $0.number("key_frames_encoded") > 0 }
    #expect(Set(keys.map { $0["time_s"] }).isSuperset(of: ["6.000", "11.000", "16.000"]))
  }

  /// The tallest request counts.
  @Test func anotherReceiverKeepsTheHeight() throws {
    let tables = try meeting(
      timeline: ["at: 5s, participant: v, signals: {constraints: {p: 180}}"], other: 360)
    #expect(try row(tables, "s1", at: "9.000")["frame_height_px"] == "360")
    #expect(try row(tables, "s2", at: "9.000")["active"] == "false")
    #expect(lines(tables, "w", at: "9.000") == "360" && lines(tables, "v", at: "9.000") == "180")
  }

  /// Sizes are those requested: 540 lines in two layers, half and full size. Of lib-jitsi-meet's 300 kbps the lower one
  /// takes its maximum, 1.6 x 129,600 + 50,000 bit/s; the upper one needs 600 x 720 - 95,000 more.
  @Test func layersHaveTheRequestedSizes() throws {
    let tables = try meeting(timeline: ["at: 5s, participant: v, signals: {constraints: {p: 540}}"])
    #expect(try row(tables, "s0", at: "9.000")["frame_height_px"] == "270")
    #expect(abs(try row(tables, "s0", at: "9.000").number("target_bitrate_bps") - 257_360) <= 1000)
    #expect(try row(tables, "s1", at: "9.000")["frame_height_px"] == "")
    #expect(lines(tables, "v", at: "9.000") == "270")
  }

  /// A stated mode is the application's choice, and a stated maximum applies at every height.
  @Test func aStatedModeStays() throws {
    let tables = try meeting(
      camera: "{capture: 720p30, codec: vp9, scalability-mode: L3T3_KEY}",
      timeline: ["at: 5s, participant: v, signals: {constraints: {p: 180}}"])
    #expect(try row(tables, "s2", at: "9.000")["active"] == "true")
    let limited = try meeting(
      camera: "{capture: 720p30, codec: vp9, maximum: 80 kbps}",
      timeline: ["at: 5s, participant: v, signals: {constraints: {p: 180}}"])
    #expect(try row(limited, "s0", at: "9.000").number("target_bitrate_bps") == 80_000)
    let raised = try meeting(
      camera: "{capture: 720p30, codec: vp9, maximum: 2 Mbps}",
      timeline: ["at: 5s, participant: v, signals: {constraints: {p: 360}}"])
    #expect(try row(raised, "s2", at: "4.000").number("target_bitrate_bps") == 1_440_000)
    #expect(abs(try row(raised, "s1", at: "9.000").number("target_bitrate_bps") - 193_548) <= 1)
  }

  /// A publisher who rejoins starts with all layers, as receivers request them.
  @Test func aNewCallBeginsWithAllLayers() throws {
    let tables = try meeting(timeline: [
      "at: 5s, participant: v, signals: {constraints: {p: 180}}", "at: 9s, participant: p, leave: true",
      "at: 10s, participant: v, signals: {constraints: {p: 720}}", "at: 11s, participant: p, join: true",
    ])
    #expect(try row(tables, "s2", at: "16.000")["active"] == "true")
    #expect(lines(tables, "v", at: "16.000") == "720")
  }
}
