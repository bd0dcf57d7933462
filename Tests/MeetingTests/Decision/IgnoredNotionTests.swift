import Ladder
import Meeting
import Parameters
import Quantity
import Scenario
import Systems
import TestSupport
import Testing

/// A notion of the neutral view makes no difference exactly where `validate` says so.
@Suite("Notions that a system lacks")
struct IgnoredNotionTests {
  private static let tiles = "tiles: {a: 320x180, b: 320x180, c: 320x180}, share: false"
  /// By notion: what adds it to ``tiles``.
  private static let notions: [(notion: ViewNotion, keys: String)] = [
    (.pins, "pin: [b, c]"), (.stage, "stage: a"), (.pages, "per-page: 2, page: 2"),
  ]

  /// What is given at several budgets [kbit/s].
  private func given(_ policy: String, _ view: String) throws -> (layers: [String], system: any System) {
    let plan = try Meetings.scenario(
      """
      name: test
      policy: \(policy)
      participants:
        - {id: a, publish: {camera: 720p30}}
        - {id: b, publish: {camera: 720p30}}
        - {id: c, publish: {camera: 720p30}}
        - {id: v, view: {\(view)}, capabilities: {receive-720p: true}}
      """
    ).plan
    let decision = try #require(StandaloneDecision(plan, viewer: 3, at: .zero))
    let layers = [100, 300, 600, 1200, 2400, 5000].flatMap { budget in
      decision.rows(budget: .kilobits(budget)).rows.map { "\(budget): \($0.layer?.id as Any)" }
    }
    return (layers, plan.system)
  }

  @Test(
    arguments: [
      // A pinned user's stream is high in any case where the default is.
      "{name: agora, dual-stream: enable, default-stream: low}", "bluejeans", "stream",
      "{name: stream, client: javascript}", "vonage", "{name: vonage, preferred-resolution: auto}", "jitsi",
      "livekit",
      "mediasoup", "janus", "{name: janus, allocation: true}", "signal", "gso", "best",
    ])
  func makeNoDifference(policy: String) throws {
    let (plain, system) = try given(policy, Self.tiles)
    for (notion, keys) in Self.notions {
      let isSame = try given(policy, "\(Self.tiles), \(keys)").layers == plain
      #expect(isSame == system.ignoredNotions.contains(notion), "\(policy): \(keys)")
    }
  }

  /// A new system has to be looked at as well.
  @Test func everySystemIsLookedAt() {
    #expect(
      Registry<RegisteredSystem>.systems.names.sorted() == [
        "agora", "best", "bluejeans", "gso", "janus", "jitsi", "livekit", "mediasoup", "signal", "stream",
        "vonage",
      ])
  }
}
