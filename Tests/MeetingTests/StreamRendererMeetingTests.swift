import Meeting
import Metrics
import Quantity
import TestSupport
import Testing

@Suite("GetStream's video renderers, packet by packet")
struct StreamRendererMeetingTests {
  private func meeting(
    client: String = "guide", view: String, camera: String = "720p30", _ timeline: String = "[]"
  ) -> String {
    """
    name: test
    duration: 12s
    policy: {name: stream, client: \(client)}
    participants:
      - {id: ann, publish: {camera: \(camera)}}
      - {id: bob, publish: {camera: \(camera)}}
      - {id: cem, publish: {camera: \(camera)}}
      - {id: viewer, view: {\(view)}}
    timeline: \(timeline)
    """
  }

  private func states(_ run: MemorySink, at second: Int) -> [String] {
    ["ann", "bob", "cem"].map { run.stream(viewer: "viewer", source: $0)[second - 1]["state"] }
  }

  @Test func whoJoinsALargeCallAppearsWithTheFirstLookAtItsTile() throws {
    // Ten people are known when the last one joins. Tiles are as high as the screen.
    func late(_ view: String, client: String, _ timeline: String = "[]") throws -> [Row] {
      let text = """
        name: test
        duration: 12s
        policy: {name: stream, client: \(client)}
        participants:
          - {id: person, count: 9, publish: {camera: 360p30}}
          - {id: viewer, view: {\(view)}}
          - {id: late, join: 1s, publish: {camera: 360p30}}
        timeline: \(timeline)
        """
      return try Meetings.tables(text).stream(viewer: "viewer", source: "late")
    }
    for client in ["guide", "ios"] {
      let shown = try late("everybody: 180p", client: client)
      #expect(shown[3]["state"] == "receiving")
    }
    let list = "container: {kind: list, size: 400x600, spacing: 0, own-tile: false}, screen: 400x600"
    let scrolled = "[{at: 5s, participant: viewer, scroll: 5400}, {at: 8s, participant: viewer, scroll: 0}]"
    let ios = try late(list, client: "ios", scrolled)
    #expect([4, 7, 11].map { ios[$0 - 1]["state"] } == ["hidden", "receiving", "receiving"])
    let guide = try late(list, client: "guide", scrolled)
    #expect([4, 7, 11].map { guide[$0 - 1]["state"] } == ["hidden", "receiving", "hidden"])
    let hidden = try late("everybody: 180p", client: "ios", "[{at: 0.5s, participant: viewer, hide: late}]")
    #expect(hidden[5]["state"] == "hidden")
  }

  @Test func tilesAreInPointsAndTablesInPixels() throws {
    for (screen, width, height, frame) in [
      ("", "320", "180", "180"), ("screen: 390x844,", "320", "180", "180"),
      ("screen: 390x844@2,", "640", "360", "360"), ("screen: 390x844@3,", "960", "540", "720"),
    ] {
      for view in ["everybody: 320x180", "tiles: [{participant: ann, size: 320x180}]"] {
        let tables = try Meetings.tables(meeting(view: "\(screen) \(view)"))
        let row = tables.stream(viewer: "viewer", source: "ann")[5]
        #expect(row["tile_width_px"] == width && row["tile_height_px"] == height, "\(screen)")
        #expect(row["requested_height_px"] == height && row["frame_height_px"] == frame, "\(screen)")
      }
    }
    let resized = try Meetings.tables(
      meeting(
        view: "screen: 390x844@2, everybody: 640x360",
        "[{at: 4s, participant: viewer, resize: {participant: ann, to: 160x90}}]"))
    let row = resized.stream(viewer: "viewer", source: "ann")[8]
    #expect(row["tile_height_px"] == "180" && row["frame_height_px"] == "180")
  }

  /// The guide multiplies by the screen's scale; today's SDK does not.
  @Test func theSDKReportsPoints() throws {
    let tables = try Meetings.tables(meeting(client: "ios", view: "screen: 390x844@2, everybody: 320x180"))
    let row = tables.stream(viewer: "viewer", source: "ann")[5]
    #expect(row["tile_height_px"] == "360" && row["requested_height_px"] == "180")
    #expect(row["frame_height_px"] == "180")
  }

  @Test func theGuidesViewsReportAfterTenMilliseconds() throws {
    let tables = try Meetings.tables(
      meeting(
        view: "everybody: 720p",
        "[{at: 4s, participant: viewer, resize: {participant: ann, to: 320x180}}, {at: 6s, participant: viewer, hide: bob}]"
      ))
    let changes = tables.rows(of: .decisions).filter { $0["given"] != $0["previous"] }
    let last = { (source: String) in changes.last { $0["source"] == source }?["time_s"] }
    #expect(last("ann") == "4.015" && last("bob") == "6.015")
  }

  /// Three tiles on a screen of 400x600 points; a tile counts as visible from 30 %, with JavaScript from 35 %.
  @Test(
    arguments: [
      // The third starts at 520: 80 of 250 points are 32 %; at 532, 27 %.
      ("guide", "{kind: list, size: 400x250, spacing: 10, own-tile: false}", "receiving"),
      ("javascript", "{kind: list, size: 400x250, spacing: 10, own-tile: false}", "hidden"),
      ("guide", "{kind: list, size: 400x250, spacing: 16, own-tile: false}", "hidden"),
      // A small first tile leaves room.
      (
        "guide",
        "{kind: list, size: 400x250, spacing: 16, own-tile: false, tiles: [{participant: ann, size: 400x200}]}",
        "receiving"
      ),
      // Side by side: the third starts at 312 and at 318 of 400; 88 of 280 points are 31 %, 82 are 29 %.
      (
        "guide",
        "{kind: row, size: 280x200, spacing: 12, own-tile: false, tiles: [{participant: ann, size: 20x200}, {participant: bob, size: 268x200}]}",
        "receiving"
      ),
      (
        "guide",
        "{kind: row, size: 280x200, spacing: 15, own-tile: false, tiles: [{participant: ann, size: 20x200}, {participant: bob, size: 268x200}]}",
        "hidden"
      ),
      // Two columns: the third is in the second row, at 410 or 430; 190 of 600 points are 32 %, 170 are 28 %.
      (
        "guide",
        "{kind: grid, size: 190x600, spacing: 10, own-tile: false, tiles: [{participant: ann, size: 190x400}, {participant: bob, size: 190x300}]}",
        "receiving"
      ),
      (
        "guide",
        "{kind: grid, size: 190x600, spacing: 10, own-tile: false, tiles: [{participant: ann, size: 190x400}, {participant: bob, size: 190x420}]}",
        "hidden"
      ),
      // The viewer's own tile comes first.
      ("guide", "{kind: list, size: 400x250, spacing: 10}", "hidden"),
      // Three columns.
      ("guide", "{kind: grid, columns: 3, size: 120x600}", "hidden"),
      ("guide", "{kind: grid, columns: 3, size: 120x600, own-tile: false}", "receiving"),
    ])
  func containersShowWhatIsOnTheScreen(client: String, container: String, third: String) throws {
    let tables = try Meetings.tables(
      meeting(client: client, view: "container: \(container), screen: 400x600"))
    #expect(states(tables, at: 6)[2] == third && states(tables, at: 6)[0] == "receiving")
  }

  @Test func listsScrollDownAndRowsAcross() throws {
    for kind in ["list", "row"] {
      let tables = try Meetings.tables(
        meeting(
          view: "container: {kind: \(kind), size: 400x600, spacing: 0, own-tile: false}, screen: 400x600",
          "[{at: 4s, participant: viewer, scroll: \(kind == "list" ? 600 : 400)}, {at: 8s, participant: viewer, scroll: \(kind == "list" ? 1020 : 680)}]"
        ))
      #expect(states(tables, at: 3) == ["receiving", "hidden", "hidden"])
      #expect(states(tables, at: 7) == ["hidden", "receiving", "hidden"])
      // 30 % of the second and 70 % of the third are left.
      #expect(states(tables, at: 11) == ["hidden", "receiving", "receiving"])
    }
  }

  @Test func widthsOfUprightPicturesAreCompared() throws {
    let camera = "{capture: 720x1280@30, ladder: webrtc-vp8}"
    for (tile, width) in [("180x640", "180"), ("200x640", "180"), ("202x200", "360"), ("402x100", "720")] {
      let tables = try Meetings.tables(meeting(view: "everybody: \(tile)", camera: camera))
      #expect(tables.stream(viewer: "viewer", source: "ann")[8]["frame_width_px"] == width, "\(tile)")
    }
  }

  @Test func otherSystemsCompareTheShorterSide() throws {
    let text = meeting(
      view: "request: [{quality: 360p30, participant: ann}]",
      camera: "{capture: 720x1280@30, ladder: webrtc-vp8}"
    ).replacing("{name: stream, client: guide}", with: "bluejeans")
    #expect(try Meetings.tables(text).stream(viewer: "viewer", source: "ann")[8]["frame_width_px"] == "360")
  }

  @Test(
    arguments: [
      ("capacity: 100 Mbps", "excellent"), ("capacity: 100 Mbps, loss: 1.5 %", "good"),
      ("capacity: 100 Mbps, loss: 8 %", "poor"), ("capacity: 100 Mbps, delay: 151 ms", "good"),
      ("capacity: 100 Mbps, delay: 140 ms", "excellent"), ("capacity: 100 Mbps, delay: 401 ms", "poor"),
      // Three streams of 1250 kbit/s.
      ("capacity: 3 Mbps", "good"), ("capacity: 1500 kbps", "poor"),
    ])
  func theConnectionsQualityIsTheWorstOfLossDelayAndRate(link: String, quality: String) throws {
    let text = meeting(view: "everybody: 720p").replacing(
      "id: viewer,", with: "id: viewer, down: line,"
    ).replacing("participants:", with: "links: {line: {\(link)}}\nparticipants:")
    let tables = try Meetings.run(Meetings.scenario(text), interval: .seconds(4)).tables
    let rows = tables.rows(of: .participants).filter { $0["participant"] == "viewer" }
    #expect(rows.suffix(2).allSatisfy { $0["connection_quality"] == quality }, "\(link)")
  }

  /// A publisher on 150 kbit/s offers only its lowest encoding. That is all that the viewer's 100 Mbit/s have to carry
  /// of it, and no estimate can show more than a multiple of what is sent.
  @Test(arguments: ["agora", "vonage", "stream"], ["gcc", "oracle"])
  func theConnectionsQualityGoesByWhatIsOffered(policy: String, estimator: String) throws {
    let text = """
      name: offered
      duration: 16s
      policy: \(policy)
      estimator: \(estimator)
      links: {weak: {capacity: 150 kbps, delay: 20 ms}}
      participants:
        - {id: ann, publish: {camera: 720p30, audio: false}}
        - {id: bob, up: weak, publish: {camera: 720p30, audio: false}}
        - {id: viewer, view: {everybody: 640x360}}
      """
    let rows = try Meetings.tables(text).rows(of: .participants).filter { $0.number("time_s") > 6 }
    for (participant, quality) in [("ann", "excellent"), ("bob", "poor"), ("viewer", "excellent")] {
      let seen = rows.filter { $0["participant"] == participant }.map { $0["connection_quality"] }
      #expect(seen.count == 10 && seen.allSatisfy { $0 == quality }, "\(participant) \(seen)")
    }
  }
}
