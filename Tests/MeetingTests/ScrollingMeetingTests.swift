import Meeting
import Metrics
import TestSupport
import Testing

/// Views that scroll over time. Tiles are 100 points high, and the screen shows three of them.
@Suite("Scrolling views")
struct ScrollingMeetingTests {
  private func run(
    _ policy: String, _ people: String, scroll: String, duration: Int
  ) throws -> MemorySink {
    try Meetings.run(
      Meetings.scenario(
        """
        name: scroll
        duration: \(duration)s
        policy: \(policy)
        participants:
        \(people)
          - {id: v, view: {container: {kind: list, size: 300x100, spacing: 0, own-tile: false}, screen: 320x300}}
        timeline: [{at: 5s, participant: v, scroll: \(scroll)}]
        """)
    ).tables
  }

  private func tile(_ tables: MemorySink, _ source: String, at second: Int) -> Row? {
    tables.stream(viewer: "v", source: source).first { $0["time_s"] == "\(second).000" }
  }

  /// At 100 points a second the screen starts at 100 (t - 5), with tile t - 4; the tile below it has been entering the
  /// view for two seconds, and tile t - 7 has been gone for two. JavaScript's client sends changes 600 ms after the
  /// last change: a tile that enters counts from 35 points on, and one that leaves stops counting at 65, 300 ms later.
  @Test(
    arguments: [
      "stream", "{name: stream, client: javascript}", "signal", "mediasoup", "gso", "best", "jitsi",
      "livekit",
    ])
  func tilesPlayAsTheyPass(policy: String) throws {
    let tables = try run(
      policy, "  - {id: p, count: 20, publish: {camera: 360p30, audio: false}}",
      scroll: "{to: 1700, for: 17 s}", duration: 22)
    for second in 9...21 {
      for number in [second - 4, second - 3] {
        #expect(tile(tables, "p-\(number)", at: second)?["state"] == "receiving", "p-\(number) \(second) s")
      }
      let gone = tile(tables, "p-\(second - 7)", at: second)
      #expect(gone?["state"] == "hidden" && gone?["limitation"] == "off-screen", "\(second) s")
    }
  }

  /// 1700 points in two seconds pass tiles 11 to 13, which start at 1000 and are 30 % visible from 730 on.
  @Test(arguments: [("ios", "receiving"), ("guide", "hidden")])
  func whoJoinedLateAppearsWhenItsTilePasses(client: String, state: String) throws {
    let tables = try run(
      "{name: stream, client: \(client)}",
      """
        - {id: p, count: 10, publish: {camera: 360p30, audio: false}}
        - {id: late, count: 3, join: 2s, publish: {camera: 360p30, audio: false}}
        - {id: q, count: 7, publish: {camera: 360p30, audio: false}}
      """, scroll: "{to: 1700, for: 2 s}", duration: 12)
    for number in 1...3 {
      #expect(tile(tables, "late-\(number)", at: 5)?["state"] == "hidden")
      #expect(tile(tables, "late-\(number)", at: 10)?["state"] == state)
    }
  }

  /// Five tiles per page: those of the last to join, 11 to 13, are on the third, which is turned to at 8 s.
  @Test(arguments: ["everybody: 160x90", "tiles: {p-1: 160x90, late-1: 160x90}"], ["ios", "guide"])
  func whoJoinedLateAppearsWithItsPage(view: String, client: String) throws {
    let page = view.hasPrefix("everybody") ? (size: 5, number: 3) : (size: 1, number: 2)
    let tables = try Meetings.run(
      Meetings.scenario(
        """
        name: pages
        duration: 14s
        policy: {name: stream, client: \(client)}
        participants:
          - {id: p, count: 10, publish: {camera: 180p30, audio: false}}
          - {id: late, count: 3, join: 2s, publish: {camera: 180p30, audio: false}}
          - {id: v, view: {\(view), per-page: \(page.size)}}
        timeline:
          - {at: 8s, participant: v, page: \(page.number)}
          - {at: 11s, participant: v, page: 1}
        """)
    ).tables
    #expect(tile(tables, "late-1", at: 7)?["state"] == "hidden")
    #expect(tile(tables, "late-1", at: 10)?["state"] == "receiving")
    // The iOS client keeps tiles that it has shown.
    #expect(tile(tables, "late-1", at: 14)?["state"] == (client == "ios" ? "receiving" : "hidden"))
  }

  /// Eight of twelve people leave, and 400 of 1200 points are left: the list's offset falls from 600 to 100, where it
  /// stays.
  @Test(arguments: ["stream", "jitsi", "livekit", "agora", "mediasoup"])
  func aListThatShrankAndGrewStaysWhereItIs(policy: String) throws {
    let calls = (5...12).flatMap { number in
      [
        (8, "  - {at: 8s, participant: p-\(number), leave: true}"),
        (12, "  - {at: 12s, participant: p-\(number), join: true}"),
      ]
    }.sorted { $0.0 < $1.0 }.map(\.1)
    let tables = try Meetings.run(
      Meetings.scenario(
        """
        name: shrinks
        duration: 15s
        policy: \(policy)
        participants:
          - {id: p, count: 12, publish: {camera: 180p30, audio: false}}
          - {id: v, view: {container: {kind: list, size: 300x100, spacing: 0, own-tile: false}, screen: 320x300}}
        timeline:
          - {at: 5s, participant: v, scroll: 9999}
        \(calls.joined(separator: "\n"))
        """)
    ).tables
    let offsets = tables.rows(of: .layout).filter { $0["viewer"] == "v" && $0["source"].isEmpty }
    #expect(offsets.map { $0["y_px"] } == ["0", "900", "100"])
  }
}
