import Meeting
import Metrics
import TestSupport
import Testing

/// Stream types that follow the tiles on the screen, in every tiled view.
@Suite("Agora's dual stream by visibility")
struct AgoraDisplayMeetingTests {
  private func meeting(
    _ view: String, _ timeline: String, default stream: String = "low", dualStream: String = "enable",
    estimator: String = "oracle", people: String = ""
  ) throws -> MemorySink {
    let text = """
      name: display
      duration: 17s
      policy: {name: agora, dual-stream: \(dualStream), default-stream: \(stream)}
      estimator: \(estimator)
      participants:
        - {id: me, view: {\(view)}}
        - {id: user, count: 12, publish: {camera: {capture: 640x360@15}, audio: false}}
      \(people)
      timeline: [\(timeline)]
      """
    return try Meetings.run(Meetings.scenario(text)).tables
  }

  /// Returns the users of whom `me` decodes a height at a second, by number; an empty height means none.
  private func users(_ tables: MemorySink, at second: Int, _ height: String = "360") -> [Int] {
    tables.rows(of: .streams).filter {
      $0["viewer"] == "me" && $0["time_s"] == "\(second).000" && $0["frame_height_px"] == height
    }.compactMap { Int($0["source"].dropFirst(5)) }
  }

  /// For each view: the users on the screen at first, the call, and the users on the screen afterwards.
  private static let views: [(view: String, first: [Int], call: String, back: String, then: [Int])] = [
    // Rows of three at 0, 130, 260 … points, after the viewer's own tile: the third row ends at 380. From 170, the
    // scroll limit of 13 tiles, 300 points show rows 2 to 4.
    (
      "container: {kind: grid, columns: 3, size: 120x120, spacing: 10}, screen: 390x300",
      [1, 2, 3, 4, 5, 6, 7, 8],
      "scroll: 340", "scroll: 0", [6, 7, 8, 9, 10, 11, 12]
    ),
    // The third of three columns is beyond the screen's width.
    (
      "container: {kind: grid, columns: 3, size: 100x100, spacing: 0, own-tile: false}, screen: 200x100",
      [1, 2],
      "scroll: 100", "scroll: 0", [4, 5]
    ),
    (
      "container: {kind: list, size: 200x100, spacing: 0, own-tile: false}, screen: 200x250", [1, 2, 3],
      "scroll: 300", "scroll: 0", [4, 5, 6]
    ),
    (
      "container: {kind: row, size: 100x100, spacing: 0, own-tile: false}, screen: 250x200", [1, 2, 3],
      "scroll: 300", "scroll: 0", [4, 5, 6]
    ),
    ("everybody: 160x160, per-page: 5", [1, 2, 3, 4, 5], "page: 3", "page: 1", [11, 12]),
    (
      "tiles: {user-1: 160x160, user-2: 160x160, user-7: 160x160}, per-page: 2", [1, 2], "page: 2", "page: 1",
      [7]
    ),
  ]

  @Test(arguments: views.indices, ["oracle", "gcc"])
  func displayedTilesAreHighAndOthersLow(place: Int, estimator: String) throws {
    let (view, first, call, back, then) = Self.views[place]
    let tables = try meeting(
      view, "{at: 6.13s, participant: me, \(call)}, {at: 11.27s, participant: me, \(back)}",
      estimator: estimator)
    for (second, expected) in [(6, first), (11, then), (16, first)] {
      #expect(users(tables, at: second) == expected, "\(view) \(second) s")
      let low = users(tables, at: second, "108")
      let wanted = view.hasPrefix("tiles") ? [1, 2, 7] : Array(1...12)
      #expect(low == wanted.filter { !expected.contains($0) }, "\(view) \(second) s")
    }
  }

  /// A default of high applies to tiles that were never on the screen: those that have left it are low.
  @Test(arguments: views.indices.prefix(5))
  func tilesThatWereNeverDisplayedKeepTheDefault(place: Int) throws {
    let (view, first, call, _, then) = Self.views[place]
    let tables = try meeting(view, "{at: 6.13s, participant: me, \(call)}", default: "high")
    #expect(users(tables, at: 6) == Array(1...12), "\(view)")
    #expect(users(tables, at: 11, "108") == first.filter { !then.contains($0) }, "\(view)")
  }

  /// A scroll of half a second past the other tiles shows each of them for a moment; a jump shows none on the way.
  @Test(arguments: [("scroll: {to: 950, for: 500 ms}", Array(1...9)), ("scroll: 950", [1, 2, 3])])
  func aScrollDisplaysWhatItPasses(call: String, low: [Int]) throws {
    let tables = try meeting(
      "container: {kind: list, size: 200x100, spacing: 0, own-tile: false}, screen: 200x250",
      "{at: 6.13s, participant: me, \(call)}", default: "high")
    // The last screen starts at 950: users 10 to 12.
    #expect(users(tables, at: 11, "108") == low)
  }

  @Test func aHiddenTileLeavesTheScreen() throws {
    let tables = try meeting(
      "everybody: 160x160",
      "{at: 5.4s, participant: me, hide: user-3}, {at: 10.4s, participant: me, show: user-3}")
    #expect(users(tables, at: 5, "108") == [])
    #expect(users(tables, at: 9, "108") == [3])
    #expect(users(tables, at: 14) == Array(1...12))
  }

  /// Without a low stream, a tile that has left the screen receives nothing; one that was never on it keeps the
  /// default.
  @Test(arguments: ["disable", "auto"])
  func withoutALowStreamNothingComesFromBeyondTheScreen(dualStream: String) throws {
    let tables = try meeting(
      "everybody: 160x160, per-page: 5",
      "{at: 6.13s, participant: me, page: 2}, {at: 11.27s, participant: me, page: 1}", default: "high",
      dualStream: dualStream)
    #expect(users(tables, at: 11, "") == [1, 2, 3, 4, 5])
    #expect(users(tables, at: 11) == Array(6...12))
    #expect(users(tables, at: 16, "") == Array(6...10))
    let hidden = tables.stream(viewer: "me", source: "user-1")[10]
    #expect(hidden["limitation"] == "off-screen" && hidden["bitrate_bps"] == "0")
  }

  /// A late joiner comes after the others: low off the screen, high on it, whenever that is.
  @Test func whoComesLateFollowsTheScreenToo() throws {
    let tables = try meeting(
      "container: {kind: list, size: 200x100, spacing: 0, own-tile: false}, screen: 200x250",
      "{at: 10.21s, participant: me, scroll: 1200}",
      people: "  - {id: later, join: 5.77s, publish: {camera: {capture: 640x360@15}, audio: false}}")
    let rows = tables.stream(viewer: "me", source: "later")
    #expect(rows.first { $0["time_s"] == "9.000" }?["frame_height_px"] == "108")
    #expect(rows.last?["frame_height_px"] == "360" && rows.last?["limitation"] == "none")
  }

  /// If the app does not follow the screen, every stream stays as it is.
  @Test func anAppMayLeaveTheStreamsAlone() throws {
    let tables = try meeting(
      "everybody: 160x160, per-page: 5, follow-screen: false", "{at: 6.13s, participant: me, page: 2}")
    #expect(users(tables, at: 11, "108") == Array(1...12))
  }

  /// The guide adds a cell when a user's video starts: those whose camera never was on have none. With the viewer's own,
  /// five squares of half the width make three rows of 160 points, whose last scroll offset in 300 points is 180.
  @Test func usersWithoutVideoHaveNoCell() throws {
    func seen(_ dark: String) throws -> [String] {
      let text = """
        name: cells
        duration: 9s
        policy: {name: agora, dual-stream: enable, default-stream: low}
        estimator: oracle
        participants:
          - {id: me, publish: {camera: 640x360@15}, view: {grid: agora-squares, screen: 320x250}}
          - {id: u, count: 4, publish: {camera: 640x360@15, audio: false}}
          \(dark)
        timeline: [{at: 4.2s, participant: me, scroll: 1000}]
        """
      return try Meetings.run(Meetings.scenario(text)).tables.rows(of: .streams).filter {
        $0["viewer"] == "me" && $0["time_s"] == "9.000" && $0["frame_height_px"] == "360"
      }.map { $0["source"] }
    }
    let dark = "- {id: dark, count: 4, publish: {camera: {capture: 640x360@15, on: false}, audio: false}}"
    #expect(try seen(dark) == ["u-2", "u-3", "u-4"])
    #expect(try seen("") == ["u-2", "u-3", "u-4"])
  }

  /// A pin requests the high stream; an unpinned tile that was never displayed goes back to the default, one that is
  /// displayed stays high, and one that has left the screen becomes low.
  @Test(arguments: [("low", "108"), ("high", "360")])
  func anUnpinnedTileGoesBackToWhatItWas(stream: String, height: String) throws {
    let tables = try meeting(
      "everybody: 160x160, per-page: 5",
      """
      {at: 3.1s, participant: me, pin: user-2}, {at: 3.1s, participant: me, pin: user-9},
      {at: 7.2s, participant: me, unpin: user-2}, {at: 7.2s, participant: me, unpin: user-9},
      {at: 9.1s, participant: me, pin: user-3}, {at: 9.1s, participant: me, page: 2},
      {at: 13.1s, participant: me, unpin: user-3}
      """, default: stream)
    func shown(_ user: Int, at second: Int) -> String {
      tables.stream(viewer: "me", source: "user-\(user)")[second - 1]["frame_height_px"]
    }
    #expect(shown(9, at: 3) == height && shown(9, at: 7) == "360" && shown(9, at: 9) == height)
    #expect(shown(2, at: 7) == "360" && shown(2, at: 9) == "360")
    #expect(shown(3, at: 13) == "360" && shown(3, at: 17) == "108")
  }

  /// An app that does not follow the screen has the default back.
  @Test func anUnpinAloneGoesBackToTheDefault() throws {
    let tables = try meeting(
      "everybody: 160x160, follow-screen: false",
      "{at: 3.1s, participant: me, pin: user-2}, {at: 7.2s, participant: me, unpin: user-2}")
    let rows = tables.stream(viewer: "me", source: "user-2")
    #expect([3, 7, 10].map { rows[$0 - 1]["frame_height_px"] } == ["108", "360", "108"])
  }
}
