import Meeting
import Metrics
import TestSupport
import Testing

@Suite("Columns of decisions by hand")
struct MeasuredDecisionTests {
  /// Comfort noise from one silent microphone is 1,480 bit/s, or 1,628 with a headroom of 1.1; headers are 10 % of the
  /// video, which leaves 1 / 1.1 of the rest.
  ///
  /// A cap of 1452 kbps leaves 1 / 1.21 for layers. Of 1200 kbps, ann, first by priority, gets 720p15 (768), and eve
  /// 360p15 (384): 48 are left, and their next layers take 512 and 256 more. Of 800 kbps, 725,793 bit/s remain: 360p30
  /// (640) and 90p7 (59) leave 26,793, and 720p15 and 90p15 take 128,000 and 40,000 more.
  @Test func aCapAndThenANarrowLink() throws {
    let text = """
      name: decisions
      duration: 12s
      policy: {name: bluejeans, receive-cap: 1452 kbps, ramp-time: 0s}
      links: {down: {capacity: 3 Mbps, delay: 20 ms}}
      participants:
        - {id: ann, publish: {camera: 720p30}}
        - {id: eve, publish: {camera: 720p30, audio: false}}
        - id: bob
          down: down
          capabilities: {receive-720p: true}
          view:
            request:
              - {quality: 720p30, priority: medium, participant: eve}
              - {quality: 720p30, priority: high, participant: ann}
      timeline: [{at: 8s, link: bob/down, capacity: 800 kbps}]
      """
    let rows = try Meetings.run(Meetings.scenario(text)).tables.rows(of: .decisions)
    let columns = [
      ("source", ["ann", "eve", "ann", "eve"]), ("rank", ["1", "2", "1", "2"]),
      ("rule", ["PolicyReceiveCap", "PolicyReceiveCap", "BlueJeansPolicy", "BlueJeansPolicy"]),
      ("estimate_bps", ["3000000", "3000000", "800000", "800000"]),
      ("voice_reserve_bps", Array(repeating: "1628", count: 4)), ("padding_bps", ["0", "0", "0", "0"]),
      ("header_bps", ["272579", "272579", "72579", "72579"]), ("repair_bps", ["0", "0", "0", "0"]),
      ("cap_bps", Array(repeating: "1200000", count: 4)),
      ("budget_bps", ["1200000", "1200000", "725793", "725793"]),
      ("given_before_bps", ["0", "768000", "0", "640000"]), ("wanted", Array(repeating: "r3.2", count: 4)),
      ("given", ["r3.1", "r2.1", "r2.2", "r0.1"]), ("previous", ["", "", "r3.1", "r2.1"]),
      ("reason", ["request-cap", "request-cap", "bandwidth", "bandwidth"]),
      ("missing_bps", ["464000", "208000", "101207", "13207"]),
    ]
    try #require(rows.count == 4, "\(rows)")
    for (column, expected) in columns { #expect(rows.map { $0[column] } == expected, "\(column)") }
    #expect(rows[2...].allSatisfy { $0["time_s"] == "8.000" && $0["viewer"] == "bob" })
  }
}
