import Meeting
import Metrics
import Quantity
import TestSupport
import Testing

@Suite("Screens in layout.csv")
struct ScreenLayoutMeetingTests {
  private func run(
    _ view: String, policy: String = "best", people: String = "abcde", timeline: String = "",
    duration: Int = 10
  ) throws -> MemorySink {
    let publishers = people.map { person in
      let screen = person == "a" ? ", screen: {capture: 1080p5, on: false}" : ""
      return "  - {id: \(person), publish: {camera: 360p15\(screen)}}"
    }
    let text = """
      name: screens
      duration: \(duration)s
      policy: \(policy)
      participants:
      \(publishers.joined(separator: "\n"))
        - {id: me, view: \(view)}
      timeline: [\(timeline)]
      """
    let tables = try Meetings.run(Meetings.scenario(text)).tables
    checkScreens(tables)
    return tables
  }

  // MARK: Views without geometry

  private let stage = "stage: {participant: a, size: 480x270}, tiles: {b: 160x90, c: 160x90, d: 160x90"

  /// Two pixels per point: the stage is 960x540, and three tiles of 320x180 below it fill a row of 960 pixels.
  @Test func tilesAreBelowTheStageInPixels() throws {
    let screen = RecordedScreen(
      try run("{\(stage)}, screen: 480x400@2}", duration: 3), viewer: "me", at: 2)
    #expect(screen.screen == "0,0 960x800")
    #expect(screen.tiles == ["a", "b", "c", "d"])
    #expect(screen["a"] == "stage 0,0 960x540 1.0000")
    #expect(screen["b"] == "grid 0,540 320x180 1.0000")
    #expect(screen["c"] == "grid 320,540 320x180 1.0000")
    #expect(screen["d"] == "grid 640,540 320x180 1.0000")
  }

  /// A fourth tile starts another row, which ends at 540 + 2 * 180 = 900 pixels.
  @Test func aScreenIsExtendedToHoldItsTiles() throws {
    let screen = RecordedScreen(
      try run("{\(stage), e: 160x90}, screen: 480x400@2}", duration: 3), viewer: "me", at: 2)
    #expect(screen.screen == "0,0 960x900")
    #expect(screen["e"] == "grid 0,720 320x180 1.0000")
  }

  /// A participant on the stage has no tile meanwhile, and returns after the share.
  @Test func aShareTakesTheStage() throws {
    let tables = try run(
      "{\(stage)}}",
      timeline: "{at: 3s, participant: a, share: screen}, {at: 6s, participant: a, share: none}")
    let during = RecordedScreen(tables, viewer: "me", at: 5)
    #expect(during.tiles == ["a/screen", "b", "c", "d"])
    #expect(during["a/screen"] == "share 0,0 480x270 1.0000")
    #expect(during["b"] == "grid 0,270 160x90 1.0000")
    #expect(RecordedScreen(tables, viewer: "me", at: 9)["a"] == "stage 0,0 480x270 1.0000")
    #expect(RecordedScreen(tables, viewer: "me", at: 9).tiles == ["a", "b", "c", "d"])
  }

  @Test func aPageHasItsOwnTilesAlone() throws {
    let tables = try run(
      "{tiles: {a: 320x180, b: 320x180, c: 320x180}, per-page: 2}",
      timeline: "{at: 4s, participant: me, page: 2}, {at: 6s, participant: me, hide: c}")
    let first = RecordedScreen(tables, viewer: "me", at: 3)
    #expect(first.tiles == ["a", "b"] && first.screen == "0,0 640x180")
    #expect(first["b"] == "grid 320,0 320x180 1.0000")
    let second = RecordedScreen(tables, viewer: "me", at: 5)
    #expect(second.tiles == ["c"] && second.screen == "0,0 320x180")
    #expect(second["c"] == "grid 0,0 320x180 1.0000")
    // A hidden participant keeps the place.
    #expect(RecordedScreen(tables, viewer: "me", at: 7)["c"] == "grid 0,0 320x180 0.0000")
  }

  /// Rows are as wide as the picture of 1280 pixels, with the slots of 160 pixels below it; then one of them leaves.
  @Test func requestsAreAsLargeAsTheirQuality() throws {
    let slots = "{quality: 720p30, priority: high, participant: e}, {quality: 90p7, priority: low, count: 9}"
    let tables = try run(
      "{request: [\(slots)]}", policy: "bluejeans", timeline: "{at: 4s, participant: b, leave: true}")
    let screen = RecordedScreen(tables, viewer: "me", at: 3)
    #expect(screen.screen == "0,0 1280x810" && screen.tiles == ["a", "b", "c", "d", "e"])
    #expect(screen["e"] == "grid 0,0 1280x720 1.0000")
    #expect(screen["a"] == "grid 0,720 160x90 1.0000")
    #expect(screen["d"] == "grid 480,720 160x90 1.0000")
    let later = RecordedScreen(tables, viewer: "me", at: 6)
    #expect(later.tiles == ["a", "c", "d", "e"])
    #expect(later["d"] == "grid 320,720 160x90 1.0000")
    // The app's requests are shown when they are allocated, 0.3 s after the last participant was announced.
    #expect(tables.rows(of: .layout).count(where: { $0["source"] == "b" && $0["x_px"].isEmpty }) == 1)
  }

  /// Five tiles of unknown sizes: three columns and two rows on 1280x720, in the order of sources.
  @Test func signalsWithoutSizesFillTheScreenEvenly() throws {
    let consumers = "consumers: {c: {priority: 10}, a: {}, b: {}, d: {paused: true}, e: {}}"
    let screen = RecordedScreen(
      try run("{signals: {\(consumers)}}", policy: "mediasoup", duration: 3), viewer: "me", at: 2)
    #expect(screen.screen == "0,0 1280x720" && screen.tiles == ["a", "b", "c", "e"])
    #expect(screen["a"] == "grid 0,0 640x360 1.0000")
    #expect(screen["b"] == "grid 640,0 640x360 1.0000")
    #expect(screen["c"] == "grid 0,360 640x360 1.0000")
    #expect(screen["e"] == "grid 640,360 640x360 1.0000")
  }

  // MARK: Views with geometry

  /// Five tiles of 200x100 points, 10 apart, on 200x320: at 50 points, the first is half on the screen, and the fourth,
  /// from 330 to 430, by 40 points. From 6 s on, the list scrolls by 100 points in 2 s.
  @Test func aListThatScrollsMovesTheScreenAndNotItsTiles() throws {
    let tables = try run(
      "{container: {kind: list, size: 200x100, spacing: 10, own-tile: false}, screen: 200x320@2}",
      timeline: """
        {at: 4s, participant: me, scroll: 50}, {at: 6s, participant: me, scroll: {to: 150, for: 2s}}
        """)
    let start = RecordedScreen(tables, viewer: "me", at: 3)
    #expect(start.screen == "0,0 400x640")
    #expect(start["c"] == "grid 0,440 400x200 1.0000")
    #expect(start["d"] == "grid 0,660 400x200 0.0000")
    let scrolled = RecordedScreen(tables, viewer: "me", at: 5)
    #expect(scrolled.screen == "0,100 400x640")
    #expect(scrolled["a"] == "grid 0,0 400x200 0.5000")
    #expect(scrolled["d"] == "grid 0,660 400x200 0.4000")
    #expect(RecordedScreen(tables, viewer: "me", at: 7).screen == "0,200 400x640")
    #expect(RecordedScreen(tables, viewer: "me", at: 7)["d"] == "grid 0,660 400x200 0.9000")
    #expect(RecordedScreen(tables, viewer: "me", at: 9).screen == "0,300 400x640")
    // The first row and the jump, then a row every 50 ms for 2 s and whenever tiles appear or disappear, and none
    // afterwards.
    let moves = tables.rows(of: .layout).filter { $0["source"].isEmpty }.map { $0["time_s"] }
    #expect((2 + 40...2 + 44).contains(moves.count) && moves[2] == "6.050" && moves.last == "8.000")
  }

  /// Squares of 155 points in rows of two, 165 apart from 10 on, of which 350 points are visible: 10 of the third row.
  /// The first place is the viewer's own.
  @Test func aGridHasThePlacesOfItsClientAndOfItsBar() throws {
    let tables = try run(
      "{grid: agora-squares, screen: 390x400@2}", policy: "agora",
      timeline: "{at: 3s, participant: a, share: screen}", duration: 6)
    let screen = RecordedScreen(tables, viewer: "me", at: 2)
    #expect(screen.screen == "0,0 780x800")
    #expect(screen["a"] == "grid 450,20 310x310 1.0000")
    #expect(screen["b"] == "grid 20,350 310x310 1.0000")
    // 10 of 155 points are visible.
    #expect(screen["d"] == "grid 20,680 310x310 0.0645")
    // 780 pixels wide, at 16 to 9.
    #expect(RecordedScreen(tables, viewer: "me", at: 5)["a/screen"] == "share 0,0 780x438 1.0000")
    let share = tables.rows(of: .layout).filter { $0["source"] == "a/screen" }
    #expect(share.map { $0["z"] } == ["1"])
  }

  @Test func aWindowIsAllThatIsLeftInTheBackground() throws {
    let tables = try run(
      "{grid: stream-grid, screen: 390x844@2}", policy: "stream", people: "ab",
      timeline: """
        {at: 3s, participant: me, background: {picture-in-picture: b}},
        {at: 6s, participant: me, foreground: true}
        """)
    // Two tiles beside the viewer's own, one below the other, 8 points apart; each (844 - 8) / 2 = 418 points high.
    let before = RecordedScreen(tables, viewer: "me", at: 2)
    #expect(before["a"] == "grid 0,0 780x836 1.0000" && before["b"] == "grid 0,852 780x836 1.0000")
    let during = RecordedScreen(tables, viewer: "me", at: 3)
    #expect(during.tiles == ["b"] && during["b"] == "window 140,1208 640x480 1.0000")
    let after = RecordedScreen(tables, viewer: "me", at: 6)
    #expect(after["a"] == before["a"] && after["b"] == before["b"])
  }

  // MARK: Everything

  @Test(arguments: [
    "remote-education", "agora-17-one-high", "picture-in-picture", "vonage-picture-in-picture",
    "gallery-scroll", "stream-video-renderer", "screen-and-camera", "speaker-changes", "livekit-signals",
  ])
  func screensOfShippedScenariosAreConsistent(name: String) throws {
    let tables = try Meetings.run(Meetings.shipped(name)).tables
    checkScreens(tables)
    #expect(tables.rows(of: .layout).contains { $0["visible_frac"] == "1.0000" })
  }
}
