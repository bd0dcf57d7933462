import Meeting
import Metrics
import TestSupport
import Testing

/// The scrolling grid of the scalable-UI guide. On 390x400 points, tiles are squares of 155 in rows of two, 165 apart,
/// starting at 10; 350 points show rows 0 to 2, that is the viewer's own tile and five more. 17 tiles make nine rows
/// and 1495 points, of which 1145 can be scrolled.
@Suite("Agora's grid, packet by packet")
struct AgoraGridMeetingTests {
  private func meeting(
    _ timeline: String, default stream: String = "low", screen: String = "390x400", duration: Int = 12
  ) -> String {
    """
    name: grid
    duration: \(duration)s
    policy: {name: agora, dual-stream: enable, default-stream: \(stream)}
    participants:
      - id: me
        view: {grid: agora-squares, screen: \(screen)}
      - {id: user, count: 16, publish: {camera: {capture: 640x360@15, ladder: agora-dual}, audio: false}}
    timeline: [\(timeline)]
    """
  }

  /// Returns the users of whom `me` decodes 360 lines at a second, by number.
  private func high(_ tables: MemorySink, at second: Int) -> [Int] {
    tables.rows(of: .streams).filter {
      $0["viewer"] == "me" && $0["time_s"] == "\(second).000" && $0["frame_height_px"] == "360"
    }.compactMap { Int($0["source"].dropFirst(5)) }
  }

  /// Returns the times at which `me` is granted another layer of a user after the start.
  private func switches(_ tables: MemorySink, of user: Int) -> [String] {
    tables.rows(of: .decisions).filter {
      $0["viewer"] == "me" && $0["source"] == "user-\(user)" && $0["previous"] != ""
        && $0["previous"] != $0["given"]
    }.map { "\($0["time_s"]) \($0["given"])" }
  }

  // MARK: Order

  @Test func whoComesLateOrAgainIsLast() throws {
    let tables = try Meetings.tables(
      meeting(
        """
        {at: 0s, participant: user-1, mute: video}, {at: 3s, participant: user-1, unmute: video},
        {at: 5s, participant: user-2, leave: true}, {at: 8s, participant: user-2, join: true}
        """, duration: 16))
    // Five tiles beside the viewer's own. User 1, whose video starts when all are there, is not among the first.
    #expect(high(tables, at: 2) == [2, 3, 4, 5, 6])
    #expect(high(tables, at: 4) == [2, 3, 4, 5, 6])
    // When a user leaves, the others move up; a returning user goes behind user 1.
    #expect(high(tables, at: 8) == [3, 4, 5, 6, 7])
    #expect(high(tables, at: 12) == [3, 4, 5, 6, 7])
  }

  /// The last rows, 6 to 8, hold tiles 12 to 16: with the list's order of 3 … 16, 1, 2 these are users 14, 15, 16, 1,
  /// 2.
  @Test func theLastTilesAreThoseOfTheLastToCome() throws {
    let tables = try Meetings.tables(
      meeting(
        """
        {at: 1s, participant: user-1, leave: true}, {at: 2s, participant: user-1, join: true},
        {at: 3s, participant: user-2, leave: true}, {at: 4s, participant: user-2, join: true},
        {at: 6s, participant: me, scroll: 1145}
        """))
    #expect(high(tables, at: 5) == [3, 4, 5, 6, 7])
    #expect(high(tables, at: 10) == [1, 2, 14, 15, 16])
  }

  @Test func aViewerWhoComesAgainBeginsAtTheTopWithDefaultStreams() throws {
    let tables = try Meetings.tables(
      meeting(
        """
        {at: 3s, participant: me, scroll: 1145},
        {at: 6s, participant: me, leave: true}, {at: 7s, participant: me, join: true}
        """))
    #expect(high(tables, at: 5) == [12, 13, 14, 15, 16])
    #expect(high(tables, at: 11) == [1, 2, 3, 4, 5])
  }

  // MARK: Scrolling

  /// A jump displays rows 6 to 8 and passes none; a scroll passes all rows, which are low once they have left the
  /// screen.
  @Test(arguments: [
    ("1145", [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]), ("{to: 1145, for: 400 ms}", [12, 13, 14, 15, 16]),
    // Scrolling stops at the end of the content.
    ("9999", [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]), ("{to: 9999, for: 400 ms}", [12, 13, 14, 15, 16]),
  ])
  func whatWasOnTheScreenAtAnyMomentHasBeenDisplayed(scroll: String, expected: [Int]) throws {
    let tables = try Meetings.tables(meeting("{at: 4s, participant: me, scroll: \(scroll)}", default: "high"))
    #expect(high(tables, at: 4) == Array(1...16))
    #expect(high(tables, at: 9) == expected)
  }

  /// Row 5 ends at 990 points; row 8 starts at 1330, and the screen ends at 1340 or 1339.
  @Test(arguments: [(990, [12, 13, 14, 15, 16]), (989, [10, 11, 12, 13, 14, 15, 16])])
  func aTileIsOnTheScreenWhileAPointOfItIs(offset: Int, expected: [Int]) throws {
    let tables = try Meetings.tables(meeting("{at: 4s, participant: me, scroll: \(offset)}"))
    #expect(high(tables, at: 9) == expected)
  }

  /// Row 3 is at 505 to 660 points, and scrolling 1145 points takes a second: it appears at offset 155, after 135 ms,
  /// and leaves at 660, after 576 ms; the frames that show this are the 9th and the 35th. Both calls take effect half a
  /// second later.
  @Test func onlyTheRequestIsDelayed() throws {
    let tables = try Meetings.tables(meeting("{at: 5s, participant: me, scroll: {to: 1145, for: 1 s}}"))
    #expect(switches(tables, of: 6) == ["5.655 high.0", "6.088 low.0"])
    // The first rows leave at offsets 165 and 330: frames 9 and 18.
    #expect(switches(tables, of: 1) == ["5.655 low.0"])
    #expect(switches(tables, of: 2) == ["5.805 low.0"])
    // A jump has no frames.
    let jump = try Meetings.tables(meeting("{at: 5s, participant: me, scroll: 1145}"))
    #expect(switches(jump, of: 6) == [])
    #expect(switches(jump, of: 1) == ["5.505 low.0"])
  }

  /// Row 0 ends at 165 points. The change of the second call does not take effect together with the first.
  @Test func everyCallTakesItsOwnTime() throws {
    let tables = try Meetings.tables(
      meeting("{at: 5s, participant: me, scroll: 165}, {at: 5.3s, participant: me, scroll: 1145}"))
    #expect(switches(tables, of: 1) == ["5.505 low.0"])
    #expect(switches(tables, of: 2) == ["5.805 low.0"])
  }

  /// A second scroll replaces the first, from its current position.
  @Test func anotherScrollTakesThePlaceOfTheFirst() throws {
    let tables = try Meetings.tables(
      meeting(
        """
        {at: 4s, participant: me, scroll: {to: 1145, for: 10s}},
        {at: 5s, participant: me, scroll: {to: 0, for: 100 ms}}
        """))
    // After one second of ten, 114 points: row 3, which starts at 505, is 41 points short of the screen.
    #expect(high(tables, at: 9) == [1, 2, 3, 4, 5])
    #expect((6...16).allSatisfy { switches(tables, of: $0) == [] })
  }

  @Test func aHiddenTileIsNotDisplayed() throws {
    let tables = try Meetings.tables(
      meeting("{at: 4s, participant: me, hide: user-1}, {at: 8s, participant: me, show: user-1}"))
    #expect(high(tables, at: 7) == [2, 3, 4, 5])
    #expect(high(tables, at: 11) == [1, 2, 3, 4, 5])
  }

  // MARK: Turning

  /// Turned to 844x390, the tiles still measure 155 points: five fit in a row, and 340 points show two rows.
  @Test func aTurnedScreenHasMoreColumnsOfTheSameTiles() throws {
    let tables = try Meetings.tables(
      meeting(
        """
        {at: 4s, participant: me, screen: 844x390}, {at: 8s, participant: me, screen: 390x400}
        """, duration: 14))
    #expect(high(tables, at: 4) == [1, 2, 3, 4, 5])
    #expect(high(tables, at: 7) == [1, 2, 3, 4, 5, 6, 7, 8, 9])
    #expect(high(tables, at: 12) == [1, 2, 3, 4, 5])
    let widths = tables.stream(viewer: "me", source: "user-1").map { $0["tile_width_px"] }
    #expect(Set(widths.dropFirst(2)) == ["155"])
  }

  /// The four rows of the turned screen measure 670 points, of which 340 are visible: the offset falls from 1145 to 330
  /// points, which leaves rows 2 and 3, tiles 10 to 16.
  @Test func aTurnGoesNoFurtherThanTheContent() throws {
    let tables = try Meetings.tables(
      meeting("{at: 4s, participant: me, scroll: 1145}, {at: 7s, participant: me, screen: 844x390}"))
    #expect(high(tables, at: 6) == [12, 13, 14, 15, 16])
    #expect(high(tables, at: 11) == [10, 11, 12, 13, 14, 15, 16])
  }

  /// Without users 5 to 16, five tiles in three rows measure 505 points: the grid's offset falls from 1145 to 155, and
  /// stays there when they return, behind the others.
  @Test func contentThatShrankAndGrewScrollsNothingBack() throws {
    let leave = (5...16).map { "{at: 6s, participant: user-\($0), leave: true}" }
    let join = (5...16).map { "{at: 10s, participant: user-\($0), join: true}" }
    let tables = try Meetings.tables(
      meeting(
        (["{at: 3s, participant: me, scroll: 1145}"] + leave + join).joined(separator: ", "), duration: 15))
    #expect(high(tables, at: 5) == [12, 13, 14, 15, 16])
    #expect(high(tables, at: 9) == [1, 2, 3, 4])
    #expect(high(tables, at: 14) == [1, 2, 3, 4, 5])
    let offsets = tables.rows(of: .layout).filter { $0["viewer"] == "me" && $0["source"].isEmpty }
    #expect(offsets.map { $0["y_px"] } == ["0", "1145", "155"])
  }

  // MARK: Wrong use

  @Test(arguments: ["scroll: 100", "scroll: {to: 100, for: 1s}", "screen: 844x390"])
  func aViewWithoutAGridSaysSo(call: String) throws {
    for policy in ["agora", "stream", "janus"] {
      let text = """
        name: test
        duration: 3s
        policy: \(policy)
        participants:
          - {id: ann, publish: {camera: 640x360@15}}
          - {id: bob, view: {everybody: 360p}}
        timeline: [{at: 1s, participant: bob, \(call)}]
        """
      let result = try Meetings.tables(text).rows(of: .events).last { $0["participant"] == "bob" }?["result"]
      #expect(result == "noGrid: only a view with 'grid' or 'container' scrolls or turns", "\(policy)")
    }
  }

  @Test func theEventTellsWhereAndHowFast() throws {
    let events = try Meetings.tables(
      meeting(
        """
        {at: 1s, participant: me, scroll: 9999}, {at: 2s, participant: me, scroll: {to: 0, for: 400 ms}},
        {at: 3s, participant: me, screen: 844x390}
        """, duration: 4)
    ).rows(of: .events).filter { $0["event"] == "scroll" || $0["event"] == "screen" }
    #expect(events.map { $0["detail"] } == ["9999", "0 in 400 ms", "844x390"])
  }
}
