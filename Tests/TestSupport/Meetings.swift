package import Meeting
package import Metrics
import Plan
package import Quantity
package import Scenario

/// Runs meetings given as scenarios.
package enum Meetings {
  package struct Failure: Error, CustomStringConvertible {
    package var description: String

    package init(description: String) { self.description = description }
  }

  /// Setting for tests of rules rather than of congestion control: an estimator that knows the capacity.
  package static let known = "estimator=oracle"

  /// Reads a scenario's text; throws all its errors as one. The estimator is the oracle unless the text names one.
  package static func scenario(_ text: String, overrides: [String] = []) throws -> LoadedScenario {
    do {
      return try ScenarioReader.read(
        bytes: Array(text.utf8), file: "test.yaml", directory: Repository.root + "/scenarios/",
        overrides: (text.contains("estimator:") ? [] : [known]) + overrides)
    } catch {
      throw Failure(description: error.diagnostics.map(\.description).joined(separator: "\n"))
    }
  }

  /// Reads one of the shipped scenarios, with the oracle unless the overrides say otherwise.
  package static func shipped(_ name: String, overrides: [String] = []) throws -> LoadedScenario {
    do {
      return try ScenarioReader.read(
        path: "\(Repository.root)/scenarios/\(name).yaml", overrides: [known] + overrides)
    } catch {
      throw Failure(description: error.diagnostics.map(\.description).joined(separator: "\n"))
    }
  }

  /// Runs a meeting and keeps its tables in memory.
  package static func run(
    _ scenario: LoadedScenario, seed: UInt64? = nil, interval: SimDuration = .seconds(1)
  ) throws -> (tables: MemorySink, result: MeetingRun.Result) {
    var sink = MemorySink()
    let result = try MeetingRun.run(
      scenario.plan, seed: seed ?? scenario.plan.seed, interval: interval, runID: "test", into: &sink)
    return (sink, result)
  }

  /// Runs a scenario given as text; returns its tables.
  package static func tables(_ text: String, interval: SimDuration = .seconds(1)) throws -> MemorySink {
    try run(scenario(text), interval: interval).tables
  }

  /// Runs a shipped scenario; returns the packet-hops and the simulated seconds.
  package static func shippedHops(
    _ name: String, estimator: String
  ) throws -> (hops: Int64, seconds: Double) {
    let scenario = try shipped(name, overrides: ["estimator=\(estimator)"])
    return (try run(scenario).result.packetHops, scenario.plan.duration.seconds)
  }
}

extension MemorySink {
  /// Returns the rows of `streams.csv` for a tile, in order of time.
  package func stream(viewer: String, source: String) -> [Row] {
    rows(of: .streams).filter { $0.has(viewer, in: "viewer") && $0.has(source, in: "source") }
  }
}
