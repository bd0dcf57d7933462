import Meeting
import Metrics
import TestSupport
import Testing

@Suite("Rules behind decisions")
struct DecisionRuleTests {
  /// Two large tiles on a link that carries one; later one of them is hidden.
  private func decisions(_ policy: String) throws -> [Row] {
    let run = try Meetings.run(
      Meetings.scenario(
        """
        name: rules
        duration: 20s
        policy: \(policy)
        links:
          wide: {capacity: 20 Mbps, delay: 10 ms}
          narrow: {capacity: 1500 kbps, delay: 10 ms}
        participants:
          - {id: a, up: wide, down: wide, publish: {camera: 720p30}}
          - {id: b, up: wide, down: wide, publish: {camera: 720p30}}
          - {id: v, up: wide, down: narrow, capabilities: {receive-720p: true}, view: {everybody: 1280x720}}
        timeline: [{at: 10s, participant: b, leave: true}]
        """))
    return run.tables.rows(of: .decisions).filter { $0["viewer"] == "v" }
  }

  @Test(arguments: [
    ("bluejeans", ["BlueJeansClient", "BlueJeansPolicy", "RampUp"]),
    ("agora", ["AgoraClient", "AgoraPolicy"]),
    ("stream", ["StreamClient", "StreamPolicy"]), ("janus", ["JanusClient", "JanusPolicy"]),
  ])
  func everyRuleIsAFileOfItsSystem(policy: String, rules: [String]) throws {
    let found = Set(try decisions(policy).compactMap { $0["rule"] })
    #expect(found.sorted() == rules)
    for rule in found {
      let folders = [
        "Vendors/BlueJeans", "Vendors/Agora", "Vendors/Stream", "Vendors/Janus", "Systems/Views",
        "Systems/Servers",
      ]
      let places = folders.filter {
        Repository.bytes(of: "\(Repository.root)/Sources/\($0)/\(rule).swift") != nil
      }
      #expect(places.count == 1, "\(rule): \(places)")
    }
  }

  @Test func ranksAreThePlacesInThePolicysOrder() throws {
    let rows = try decisions("bluejeans")
    #expect(rows.filter { $0["source"] == "a" }.allSatisfy { $0["rank"] == "1" })
    let other = rows.filter { $0["source"] == "b" }
    #expect(other.dropLast().allSatisfy { $0["rank"] == "2" })
    // A participant who has left is no longer wanted, which the client determines, not the policy.
    #expect(
      other.last?["rank"] == "" && other.last?["rule"] == "BlueJeansClient" && other.last?["given"] == "")
  }
}
