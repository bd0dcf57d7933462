import Scenario
import Testing

@Suite("Differences between scenarios")
struct ScenarioDifferenceTests {
  @Test func keysAreNamedAsInSet() {
    let base = """
      policy: livekit
      links: {home: {capacity: 2 Mbps, delay: 20 ms}}
      participants: [{id: a, view: {everybody: 320x180}}, {id: b}]
      """
    let new = """
      policy: {name: livekit, allow-pause: true}
      links: {home: {delay: 20 ms, capacity: 1 Mbps, loss: 2 %}}
      participants: [{id: a, view: {everybody: 320x180, per-page: 4}}]
      """
    let found = ScenarioDifference.between(base, new).map {
      "\($0.path): \($0.base ?? "-") → \($0.new ?? "-")"
    }
    #expect(
      found == [
        "policy: livekit → {name: livekit, allow-pause: true}", "links.home.capacity: 2 Mbps → 1 Mbps",
        "links.home.loss: - → 2 %", "participants.a.view.per-page: - → 4", "participants.b: {id: b} → -",
      ])
    #expect(ScenarioDifference.between(base, base).isEmpty)
    #expect(ScenarioDifference.between("{", base).isEmpty)
  }
}
