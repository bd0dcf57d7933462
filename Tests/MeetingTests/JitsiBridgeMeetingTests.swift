import Metrics
import Quantity
import TestSupport
import Testing

/// Jitsi's bridge, packet by packet.
@Suite("Jitsi's bridge in a meeting")
struct JitsiBridgeMeetingTests {
  /// A bridge that decides only when something makes it.
  private func meeting(_ timeline: String) -> String {
    """
    name: bridge
    duration: 40s
    policy: {name: jitsi, reallocation-period: 600s}
    estimator: {down: oracle}
    participants:
      - {id: a, publish: {audio: false, camera: 720p30}, up: {capacity: 3 Mbps}, down: {capacity: 10 Mbps}}
      - {id: v, up: {capacity: 10 Mbps}, down: {capacity: 20 Mbps}, view: {signals: {constraints: {a: 720}}}}
    timeline:
    \(timeline)
    """
  }

  private func given(_ text: String, from time: Double) throws -> Set<String> {
    let rows = try Meetings.run(Meetings.scenario(text)).tables.rows(of: .decisions)
    return Set(rows.filter { $0["viewer"] == "v" && $0.number("time_s") >= time }.map { $0["given"] })
  }

  /// The uplink of 700 kbps carries no 720p any more; nothing starts.
  @Test func aLayerThatStopsTriggersNothing() throws {
    let text = meeting("  - {at: 20s, link: a/up, capacity: 700 kbps}")
    #expect(try given(text, from: 19).isSubset(of: ["f.2"]))
  }

  @Test func aPublishersLimitTriggersNothing() throws {
    let text = meeting("  - {at: 20s, participant: a, send: {maximum: {q: 100 kbps}}}")
    #expect(try given(text, from: 19.9).isSubset(of: ["f.2"]))
  }

  private func share(_ duration: String) -> String {
    """
    name: pace
    duration: \(duration)
    policy: jitsi
    estimator: {up: gcc, down: gcc}
    links: {slow: {capacity: 1.2 Mbps, delay: 30 ms}}
    participants:
      - {id: sharer, publish: {screen: 1080p15}}
      - {id: v, down: slow, view: {stage: sharer}}
    """
  }

  /// Whatever the estimate does in between, a decision's is the last one that differed by more than 15 %.
  @Test func aDecisionsEstimateIsTheOneThatWasActedOn() throws {
    let rows = try Meetings.run(Meetings.scenario(share("40s"))).tables.rows(of: .decisions)
    var budgets: [Int] = []
    for row in rows where row["viewer"] == "v" {
      guard let budget = row.integerIfPresent("budget_bps"), budget != budgets.last else { continue }
      budgets.append(budget)
    }
    #expect(budgets.count > 5)
    for (last, next) in zip(budgets, budgets.dropFirst()) {
      #expect(100 * abs(next - last) > 15 * last, "\(last) to \(next)")
    }
  }

  /// The bridge takes 2.5 Mbps for granted at first, and the link carries 1.2: what it sends waits at the link.
  @Test func whatTheBridgeForwardsWaitsAtTheLink() throws {
    let rows = try Meetings.run(Meetings.scenario(share("3s")), interval: .milliseconds(200)).tables
      .rows(of: .participants).filter { $0["participant"] == "v" }
    let queued = rows.map { $0.number("down_queue_delay_s", ifEmpty: 0) }.max() ?? 0
    #expect(queued > 0.1, "\(queued)")
  }
}
