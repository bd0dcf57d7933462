import Metrics
import TestSupport
import Testing

@Suite("The first request of a BlueJeans app is a call like any other")
struct FirstRequestMeetingTests {
  private let none = "request: [{quality: 90p7, priority: low}]"

  private func run(
    _ view: String, _ timeline: [String] = [], people: [String] = [], role: String = "",
    policy: String = "bluejeans"
  ) throws -> MemorySink {
    let people = people.map { "- {\($0), publish: {camera: 360p30, audio: false}}" }
    return try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: 12s
        policy: \(policy)
        estimator: oracle
        participants:
          \((people + ["- {id: ann, publish: {camera: 360p30, audio: false}}"]).joined(separator: "\n  "))
          - {id: caller, publish: audio-only}
          - {id: viewer, \(role) publish: {camera: 360p30, audio: false}, view: {\(view)}}
        timeline: [\(timeline.joined(separator: ", "))]
        """)
    ).tables
  }

  private func results(_ run: MemorySink) -> [String] {
    run.rows(of: .events).filter { $0["event"] == "request" }.map { "\($0["detail"]) \($0["result"])" }
  }

  private func height(_ run: MemorySink, _ source: String, at second: Int) -> String? {
    run.stream(viewer: "viewer", source: source).first { $0["time_s"] == "\(second).000" }?["frame_height_px"]
  }

  @Test(
    arguments: [
      // A caller is seen by nobody, and the viewer is the moderator.
      ("{quality: 360p30, participant: caller}", "", "2 entries: caller noParticipantsWithIds"),
      (
        "{quality: 90p7, participant: \"@moderator\"}", "role: moderator,",
        "2 entries: viewer noParticipantsWithIds"
      ),
      // The teacher is the first of two moderators.
      (
        "{quality: 90p7, participant: \"@moderator\"}, {quality: 90p7, participant: teacher}", "",
        "3 entries: teacher duplicateParticipantIds"
      ),
    ])
  func itFailsAsALaterOneDoes(entries: String, role: String, result: String) throws {
    let people = ["id: teacher, role: moderator", "id: assistant, role: moderator"]
    let request = "request: [{quality: 360p30, participant: ann}, \(entries)]"
    let moderators = role.isEmpty ? people : []
    let first = try run(request, people: moderators, role: role)
    #expect(results(first) == [result])
    #expect(height(first, "ann", at: 10) ?? "" == "")
    let later = try run(
      none, ["{at: 4s, participant: viewer, \(request)}"], people: moderators, role: role)
    #expect(results(later) == [result])
  }

  /// Bob, whom the request also names, joins at 6 s.
  @Test func anAppThatIsRefusedAsksAgainAsPeopleCome() throws {
    let request = "request: [{quality: 360p30, participant: ann}, {quality: 90p7, participant: bob}]"
    let run = try run(request, people: ["id: bob, join: 6s"])
    #expect(results(run) == ["2 entries: bob noParticipantsWithIds", "2 entries ok"])
    #expect(height(run, "ann", at: 5) ?? "" == "")
    #expect(height(run, "ann", at: 12) == "360" && height(run, "bob", at: 12) == "90")
  }

  /// A participant who leaves after a request was accepted, and returns, is a change of participants, not a call.
  @Test func aRequestThatWasTakenStaysInForce() throws {
    let request = "request: [{quality: 360p30, participant: ann}, {quality: 90p7, participant: bob}]"
    let run = try run(
      request, ["{at: 4s, participant: bob, leave: true}", "{at: 8s, participant: bob, join: true}"],
      people: ["id: bob"])
    #expect(results(run).isEmpty)
    #expect(height(run, "ann", at: 7) == "360" && height(run, "bob", at: 12) == "90")
  }

  /// Janus has no such check: those who are present are shown.
  @Test func elsewhereARequestIsAListOfTiles() throws {
    let request = "request: [{quality: 360p30, participant: ann}, {quality: 90p7, participant: bob}]"
    let run = try run(request, people: ["id: bob, join: 6s"], policy: "janus")
    #expect(results(run).isEmpty && height(run, "ann", at: 5) == "360")
  }
}
