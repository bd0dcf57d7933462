import Decision
import Parameters
import Quantity
import Scenario
import Systems
import TestSupport
import Vendors

/// Decisions alone: a gallery of 25 sources for one viewer; for a controller, 25 viewers of 25 publishers.
enum Decisions {
  private static let people = 26

  private static func scenario(_ policy: String) -> String {
    """
    name: decisions
    policy: \(policy)
    links: {up: {capacity: 4 Mbps}, down: {capacity: 8 Mbps}}
    participants:
      - {id: person, count: \(people), up: up, down: down, publish: {camera: 720p30}, capabilities: {receive-720p: true}, view: {stage: person-2, everybody: 320x180}}
    """
  }

  /// CPU time of one decision over budgets from 0 to 20 Mbit/s [µs]: the median and the maximum over batches of ten.
  static func microseconds(_ policy: String) throws -> (median: Double, greatest: Double) {
    let plan = try Meetings.scenario(scenario(policy)).plan
    guard let decision = StandaloneAllocation(plan, viewer: 0, at: .zero) else { return (0, 0) }
    var times: [Double] = []
    for batch in 0..<100 {
      let start = cpuSeconds()
      for turn in 0..<10 { _ = decision.rows(budget: .kilobits(Int64(batch * 200 + turn * 20))) }
      times.append((cpuSeconds() - start) * 1e5)
    }
    times.sort()
    return (times[times.count / 2], times[times.count - 1])
  }

  /// - Parameter policies: if empty, all.
  static func markdown(of policies: [String]) throws -> String {
    var text =
      "| system | one decision, 25 sources: median µs | greatest of batches of ten, µs |\n|---|---:|---:|\n"
    let all = Registry<RegisteredSystem>.systems.names + ["{name: janus, allocation: true}"]
    for policy in policies.isEmpty ? all : policies {
      let (median, greatest) = try microseconds(policy)
      text += "| \(policy) | \(rounded(median)) | \(rounded(greatest)) |\n"
    }
    return text
  }

  private static func rounded(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}
