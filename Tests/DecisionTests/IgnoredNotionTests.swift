import Decision
import Ladder
import Parameters
import Plan
import Quantity
import Scenario
import Systems
import TestSupport
import Testing
import Vendors

/// A notion of the neutral view makes no difference exactly where `validate` reports it as ignored.
@Suite("Notions that a system lacks")
struct IgnoredNotionTests {
  private static let tiles = "tiles: {a: 320x180, b: 320x180, c: 320x180}, share: false"
  private static let list = "container: {kind: list, size: 320x180, own-tile: false}, share: false"
  /// A view without and with each notion.
  private static let notions: [(notion: ViewNotion, without: String, with: String)] = [
    (.pins, tiles, "\(tiles), pin: [b, c]"), (.stage, tiles, "\(tiles), stage: a"),
    (.pages, tiles, "\(tiles), per-page: 2, page: 2"),
    // Three tiles of 180 points stacked vertically; the smaller screen shows one of them.
    (.scrolling, "\(list), screen: 320x560", "\(list), screen: 320x180"),
  ]

  /// The layers granted at several budgets [kbit/s].
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
    let decision = try #require(StandaloneAllocation(plan, viewer: 3, at: .zero))
    let layers = [100, 300, 600, 1200, 2400, 5000].flatMap { budget in
      decision.rows(budget: .kilobits(budget)).rows.map { "\(budget): \($0.layer?.id as Any)" }
    }
    return (layers, plan.system)
  }

  @Test(
    arguments: [
      // With a high default, everybody's stream is high from the start.
      "{name: agora, dual-stream: enable, default-stream: low}", "bluejeans", "stream",
      "{name: stream, client: javascript}", "vonage", "{name: vonage, preferred-resolution: auto}", "jitsi",
      "livekit",
      "mediasoup", "janus", "{name: janus, allocation: true}", "signal", "gso", "best",
    ])
  func makeNoDifference(policy: String) throws {
    for (notion, without, with) in Self.notions {
      // Off screen, a pinned user's stream stays high.
      let isDualStream = policy.contains("agora") && notion == .pins
      let (without, with) =
        isDualStream ? ("\(without), per-page: 1", "\(with), per-page: 1") : (without, with)
      let (plain, system) = try given(policy, without)
      let isSame = try given(policy, with).layers == plain
      #expect(isSame == system.traits.ignoredNotions.contains(notion), "\(policy): \(with)")
    }
  }

  /// A new system has to be covered as well.
  @Test func everySystemIsLookedAt() {
    #expect(
      Registry<RegisteredSystem>.systems.names.sorted() == [
        "agora", "best", "bluejeans", "gso", "janus", "jitsi", "livekit", "mediasoup", "signal", "stream",
        "vonage",
      ])
  }
}
