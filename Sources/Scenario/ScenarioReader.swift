import Allocation
import CongestionControl
import Network
package import Plan
import Quantity
import YAML

/// A parsed scenario: its plan, and the data that identify it.
package struct LoadedScenario: Sendable {
  /// Path of the file as the user gave it.
  package var file: String
  package var plan: MeetingPlan
  /// The scenario as YAML with overrides applied and keys sorted; the input of run ids.
  package var resolvedText: String
  /// The policy parameters that the scenario sets, with their values as text.
  package var policySettings: [(key: String, value: String)] = []
  /// Contents of all trace files that the scenario refers to.
  package var traces: [(path: String, bytes: [UInt8])]
  /// Advice on the file, ordered by line.
  package var warnings: [Diagnostic] = []
  /// Statements about the meeting that readers of its results should know.
  package var notes: [Diagnostic] = []
}

/// Purpose for which a scenario is read.
package enum ScenarioPurpose: Sendable {
  case run
  /// Validation, in which features that only decisions support give rise to advice.
  case validation
  /// Allocation decisions without packets.
  case decision
}

/// Reads scenario files.
///
/// ```swift
/// let scenario = try ScenarioReader.read(path: "scenarios/one-to-one.yaml")
/// ```
package enum ScenarioReader {
  /// Maximum size of a scenario file [byte].
  package static let sizeLimit = 4_000_000

  /// Reads the scenario at a path.
  ///
  /// - Parameters:
  ///   - path: path of the file.
  ///   - overrides: `PATH=VALUE` settings that replace values, such as `links.home.capacity=1 Mbps`.
  ///   - purpose: determines how features that a run does not support are treated.
  ///   - catalogue: registries of the names that the scenario can refer to.
  /// - Throws: ``ScenarioError`` with all errors.
  package static func read(
    path: String, overrides: [String] = [], for purpose: ScenarioPurpose = .run,
    catalogue: Catalogue = .standard
  ) throws(ScenarioError) -> LoadedScenario {
    try ScenarioSource(path: path, catalogue: catalogue).load(
      settings: overrides.map { Override($0) }, for: purpose)
  }

  /// Reads a scenario's bytes.
  package static func read(
    bytes: [UInt8], file: String, directory: String, overrides: [String] = [],
    catalogue: Catalogue = .standard
  ) throws(ScenarioError) -> LoadedScenario {
    try ScenarioSource(bytes: bytes, file: file, directory: directory, catalogue: catalogue)
      .load(overrides: overrides)
  }
}
