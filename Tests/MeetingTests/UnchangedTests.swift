import Meeting
import Metrics
import TestSupport
import Testing

/// Actions that leave everything as it is, and say so in `events.csv`.
@Suite("Actions without an effect")
struct UnchangedTests {
  private func results(_ timeline: String, view: String = "tiles: {ann: 640x360}") throws -> [String] {
    let tables = try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: 10s
        policy: livekit
        links:
          line: {capacity: 3 Mbps, delay: 20 ms, loss: 1 %}
        participants:
          - {id: ann, publish: {camera: {capture: 720p30, ladder: webrtc-vp8}, audio: false}}
          - {id: bob, count: 3, publish: {camera: 360p30, audio: false}}
          - {id: cora, down: line, view: {\(view)}}
        timeline:
        \(timeline)
        """)
    ).tables
    return tables.rows(of: .events).filter {
      ["send", "page", "capacity", "delay", "loss", "down"].contains($0["event"])
    }
    .map { $0["result"] }
  }

  @Test(arguments: [
    ("{maximum: 900 kbps}", "ok"), ("{maximum: none}", "unchanged"), ("{capture: 720p30}", "unchanged"),
    ("{capture: 360p30}", "ok"), ("{encodings: [q, h, f]}", "unchanged"), ("{encodings: [q]}", "ok"),
    ("{maximum: none, encodings: [q]}", "ok"),
  ])
  func aSenderThatHasAllOfTheValues(_ change: String, _ result: String) throws {
    let entry = { (at: Int) in "  - {at: \(at)s, participant: ann, send: \(change)}\n" }
    #expect(try results(entry(3) + entry(6)) == [result, "unchanged"])
  }

  @Test(arguments: [
    ("capacity: 3 Mbps", ["unchanged", "unchanged"]), ("capacity: 2 Mbps", ["ok", "unchanged"]),
    ("delay: 20 ms", ["unchanged", "unchanged"]), ("loss: 1 %", ["unchanged", "unchanged"]),
    ("loss: 2 %", ["ok", "unchanged"]), ("down: 1s", ["ok", "ok"]),
  ])
  func aLinkThatHasTheValue(_ change: String, _ expected: [String]) throws {
    let entry = { (at: Int) in "  - {at: \(at)s, link: cora/down, \(change)}\n" }
    #expect(try results(entry(3) + entry(6)) == expected)
  }

  /// Four cameras fill two pages of two.
  @Test func aPageBeyondTheLast() throws {
    let entry = { (at: Int, page: Int) in "  - {at: \(at)s, participant: cora, page: \(page)}\n" }
    #expect(
      try results(entry(3, 2) + entry(4, 3) + entry(5, 3), view: "everybody: 360p, per-page: 2")
        == ["ok", "ok: beyond the last page, 2", "ok: beyond the last page, 2"])
  }
}
