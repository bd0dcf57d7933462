import Network
import Plan
import Quantity
import Scenario
import Testing

@Suite("Links in the timeline")
struct LinkChangeReadingTests {
  private func plan(_ entries: String...) throws -> MeetingPlan {
    let text = """
      name: t
      duration: 60s
      links: {home: {capacity: 1 Mbps, delay: 20 ms}}
      shared-links: {house: {up: home, down: home}}
      participants:
        - {id: ann, down: home}
      timeline: [\(entries.joined(separator: ", "))]
      """
    return try ScenarioReader.read(bytes: Array(text.utf8), file: "t.yaml", directory: "").plan
  }

  private func seconds(_ time: Int64) -> SimTime { SimTime(nanoseconds: time * 1_000_000_000) }

  /// Link parameters after single changes from the timeline, as made by `change(_:at:)`.
  private func changed(_ changes: (at: Int64, change: LinkChange)...) -> LinkParameters {
    var parameters = LinkParameters(
      capacity: .constant(.megabits(1)), propagationDelay: .milliseconds(20))
    for (time, change) in changes { parameters.change(change, at: seconds(time)) }
    return parameters
  }

  private func share(_ value: Double) throws -> Fraction { try #require(Fraction(value)) }

  @Test func anEntryMayChangeAnyParameterOfALink() throws {
    let plan = try plan(
      "{at: 45s, link: ann/down, loss: 5 %, delay: 80 ms}", "{at: 50s, link: ann/down, down: 2s}",
      "{at: 40s, link: ann/down, queue: 40 packets, jitter: 3 ms, capacity: 600 kbps}",
      "{at: 55s, link: house/up, queue: 50 kB, loss: {p: 1 %, r: 30 %}, down: 24 h}")
    let down = try #require(plan.links.first { $0.name == "ann/down" })
    let expected = changed(
      (40, .capacity(.kilobits(600))), (40, .jitter(.milliseconds(3))), (40, .queue(.packets(40))),
      (45, .delay(.milliseconds(80))), (45, .loss(.independent(try share(0.05)))), (50, .down(.seconds(2))))
    #expect(down.parameters == expected)
    #expect(down.parameters.propagationDelay == .milliseconds(20) && down.parameters.loss == .zero)
    let chain = GilbertElliott(toBad: try share(0.01), toGood: try share(0.3), lossWhenBad: try share(1))
    let up = try #require(plan.links.first { $0.name == "house/up" })
    let day = LinkChange.down(.seconds(86_400))
    #expect(
      up.parameters
        == changed((55, .loss(.bursts(chain))), (55, .queue(.bytes(ByteCount(50_000)))), (55, day)))
  }

  /// In order of time; within an entry, in the order of ``LinkChange/Name``, whatever the order written.
  @Test func eachKeyIsAnEntryOfThePlansTimeline() throws {
    let plan = try plan(
      "{at: 45s, link: ann/down, loss: 0.25 %, delay: 80 ms}",
      "{at: 40s, link: ann/down, queue: 1 packet, jitter: 3 ms}",
      "{at: 46s, link: ann/down, loss: {p: 1 %, r: 30 %}, queue: 1500 B, down: 2s}")
    let entries = plan.timeline.map { entry -> String in
      guard case .link(let link, let change) = entry.action else { return "?" }
      return "\(entry.at.sinceStart) \(plan.links[link].name) \(change.name.rawValue) \(change)"
    }
    #expect(
      entries == [
        "40 s ann/down jitter 3 ms", "40 s ann/down queue 1 packet", "45 s ann/down delay 80 ms",
        "45 s ann/down loss 0.25 %", "46 s ann/down loss p 1 %, r 30 %, 1-h 100 %, 1-k 0 %",
        "46 s ann/down queue 1500 B", "46 s ann/down down 2 s",
      ])
    #expect(plan.timeline.allSatisfy { $0.participant == nil })
  }
}
