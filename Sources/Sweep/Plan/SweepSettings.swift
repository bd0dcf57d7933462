import Metrics
package import Plan
package import Scenario

/// Settings shared by all runs of a sweep; stored at the top of `manifest.json`.
package struct SweepSettings: Codable, Hashable, Sendable {
  /// A variable as a column of the tables.
  package struct Column: Codable, Hashable, Sendable {
    package var name: String
    /// Frictionless type.
    package var type: String
    package var variable: String
    package var paths: [String]

    /// Beginning of the names of all columns of variables.
    static let prefix = "p_"
    /// Name of the variable with its base unit.
    package var title: Substring { name.trimmingPrefix(Self.prefix) }
  }

  package struct Trace: Codable, Hashable, Sendable {
    package var path: String
    package var hash: String
  }

  /// Shard that a directory is for, from 1.
  package struct Shard: Codable, Hashable, Sendable {
    package var index: Int
    package var count: Int

    package init(index: Int, count: Int) {
      self.index = index
      self.count = count
    }
  }

  package var tool = "meetsim"
  package var version: String
  package var name: String
  package var title: String
  /// Path of the sweep file as the user gave it.
  package var file: String
  /// Hash of the set of runs, the version and the settings that affect the results.
  package var sweepHash = ""
  /// Hash that differs between builds of the same version that simulate differently.
  package var fingerprint = ""
  package var filter: String
  package var seeds: String
  package var repetitions: Int
  package var until: SweepFile.StopRule?
  package var confidenceLevel: Double
  package var metrics: [String]
  package var scopes: [String]
  package var viewers: [String]
  package var interval: String
  package var intervalNanoseconds: Int64
  package var keepsSeries: Bool
  package var compressesSeries: Bool
  package var columns: [Column]
  package var traces: [Trace]
  package var scenarioHash: String
  /// Unvaried scenario, as YAML.
  package var scenario: String
  /// Sweep, as YAML.
  package var sweep: String
  package var shard: Shard?
  /// Command other than `sweep` that created the directory, such as `run`.
  package var command: String?
  package var expectations: [Expectation] = []

  /// Expectations on values that runs do not normally record.
  var measuredExpectations: [Expectation] { expectations.filter { $0.measure != nil } }

  /// Hashes everything that determines the results, given the bytes of `plan.csv`.
  func hash(of plan: [UInt8]) -> String {
    var hash = ContentHash(of: plan)
    let rest = [
      version, fingerprint, "\(confidenceLevel)", metrics.joined(separator: ","),
      scopes.joined(separator: ","),
      viewers.joined(separator: ","), interval, "\(keepsSeries)", until.map { "\($0)" } ?? "",
    ]
    hash.update(rest.joined(separator: "\n").utf8)
    for expectation in measuredExpectations {
      let name = [expectation.scope.rawValue, expectation.viewer, expectation.source, expectation.metric]
      hash.update((["\n"] + name + [expectation.stat]).joined(separator: " ").utf8)
    }
    return hash.text
  }
}
