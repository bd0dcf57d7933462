import Metrics
import TestSupport
import Testing

/// Returns the rows of `events.csv` for an event, as `TIME DETAIL RESULT`.
private func events(_ run: MemorySink, _ name: String) -> [String] {
  run.rows(of: .events).filter { $0["event"] == name && $0["participant"] == "viewer" }.map {
    "\($0["time_s"]) \($0["detail"]) \($0["result"])"
  }
}

@Suite("Unsent BlueJeans requests, and the participants they name")
struct BlueJeansPendingRequestTests {
  private func run(_ people: [String], _ timeline: [String], view: String, capabilities: String = "{}") throws
    -> MemorySink
  {
    try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: 14s
        policy: bluejeans
        estimator: oracle
        participants:
          \(people.map { "- {\($0), publish: {camera: 360p30, audio: false}}" }.joined(separator: "\n  "))
          - {id: viewer, capabilities: \(capabilities), view: \(view)}
        timeline: [\(timeline.joined(separator: ", "))]
        """)
    ).tables
  }

  private let lesson =
    "request: [{quality: 360p30, priority: high, participant: \"@moderator\"}, {quality: 90p7, priority: low}]"

  /// The call at 5 s waits for a moderator, who joins at 9 s; the mute at 7 s triggers a reallocation.
  @Test func whatIsShownStaysUntilTheRequestIsSent() throws {
    let run = try run(
      ["id: ann", "id: bob", "id: cat", "id: teacher, role: moderator, join: 9s"],
      ["{at: 5s, participant: viewer, \(lesson)}", "{at: 7s, participant: cat, mute: video}"],
      view: "{everybody: 640x360}")
    let heights = ["ann", "bob", "teacher"].map { source in
      run.stream(viewer: "viewer", source: source).map { "\($0["time_s"]) \($0["frame_height_px"])" }
    }
    #expect(heights[0].contains("8.000 360") && heights[1].contains("8.000 360"))
    // By then one of the two is in the slot of 90 lines, and the other is not requested.
    #expect(heights[2].contains("14.000 360"))
    let shown = run.rows(of: .streams).filter { $0["time_s"] == "14.000" && $0["state"] == "receiving" }
    #expect(shown.count == 2)
  }

  /// The teacher is first in the scenario, the assistant is first in the meeting.
  @Test func theModeratorIsWhoWasThereFirst() throws {
    let run = try run(
      ["id: teacher, role: moderator, join: 6s", "id: assistant, role: moderator, join: 2s"], [],
      view: "{\(lesson)}")
    func height(_ source: String, _ second: Int) -> String? {
      let rows = run.stream(viewer: "viewer", source: source)
      return rows.first { $0["time_s"] == "\(second).000" }?["frame_height_px"]
    }
    #expect(height("assistant", 5) == "360" && height("assistant", 12) == "360")
    #expect(height("teacher", 12) == "90")
  }

  @Test(
    arguments: [
      "{everybody: 640x360}", "{tiles: {ann: 640x360}}", "{stage: ann}",
      "{container: {kind: list, size: 320x180}}",
    ])
  func everyViewOfSingleStreamsFallsBackWithoutCustomLayouts(view: String) throws {
    let run = try run(
      ["id: ann", "id: bob"],
      [
        "{at: 4s, participant: viewer, layout: gallery-9}", "{at: 6s, participant: viewer, leave: true}",
        "{at: 8s, participant: viewer, join: true}",
      ], view: view, capabilities: "{custom-layout: false}")
    #expect(events(run, "layout") == ["0.000 custom -> people not-allowed", "4.000 gallery-9 ok"])
    let requested = run.stream(viewer: "viewer", source: "bob").first { $0["time_s"] == "3.000" }
    #expect(requested?["requested_height_px"] == "90")
  }

  @Test func theStreamOfASlotIsAbsentThenSmallThenLarge() throws {
    let run = try run(
      ["id: ann"], [], view: "{request: [{quality: 360p30, priority: high}]}")
    let details = run.rows(of: .events).filter { $0["event"] == "video-streams" }.map { $0["detail"] }
    #expect(details == ["ann absent", "ann absent -> 180p", "ann 180p -> 360p"])
  }

  /// The viewer is away from 4 to 8 s, and `bob` from 6 to 10 s: the request that the app makes at its return names
  /// somebody who is not there.
  @Test func whoComesBackMakesANewRequest() throws {
    let run = try run(
      ["id: ann", "id: bob"],
      [
        "{at: 4s, participant: viewer, leave: true}", "{at: 6s, participant: bob, leave: true}",
        "{at: 8s, participant: viewer, join: true}", "{at: 10s, participant: bob, join: true}",
      ],
      view: "{request: [{quality: 360p30, participant: ann}, {quality: 90p15, participant: bob}]}")
    let ann = run.stream(viewer: "viewer", source: "ann").map { "\($0["time_s"]) \($0["state"])" }
    #expect(
      ann.contains("3.000 receiving") && ann.contains("10.000 hidden") && ann.contains("12.000 receiving"))
    #expect(
      events(run, "request") == ["8.310 2 entries: bob noParticipantsWithIds", "10.310 2 entries ok"])
  }

  /// A stream that was attached in an earlier call is attached no more.
  @Test func leavingDetachesEverything() throws {
    let run = try run(
      ["id: ann", "id: bob"],
      [
        "{at: 3s, participant: viewer, attach: {participant: ann, view: left}}",
        "{at: 4s, participant: viewer, leave: true}", "{at: 6s, participant: viewer, join: true}",
        "{at: 9s, participant: viewer, detach: ann}",
        "{at: 10s, participant: viewer, attach: {participant: ann, view: left}}",
        "{at: 11s, participant: viewer, detach: ann}",
      ],
      view: "{request: [{quality: 360p30, participant: ann}, {quality: 90p15, participant: bob}]}")
    #expect(events(run, "detach") == ["9.000 ann notAttached", "11.000 ann ok"])
  }
}
