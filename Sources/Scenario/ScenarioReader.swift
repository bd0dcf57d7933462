import Allocation
import CongestionControl
package import Meeting
import Network
import Quantity
import YAML

/// A parsed scenario: its plan, and what identifies it.
package struct LoadedScenario: Sendable {
  /// Path of the file as the user gave it.
  package var file: String
  package var plan: MeetingPlan
  /// The scenario as YAML with overrides applied and keys sorted; the input of run ids.
  package var resolvedText: String
  /// All trace files that it refers to, with their contents.
  package var traces: [(path: String, bytes: [UInt8])]
  /// Advice on the file, in the order of its lines.
  package var warnings: [Diagnostic] = []
}

/// What a scenario is read for.
package enum ScenarioPurpose: Sendable {
  case run
  /// Checking it: what only decisions take is advice.
  case validation
  /// Decisions without packets.
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
  ///   - path: file to read.
  ///   - overrides: `PATH=VALUE` settings that replace values, such as `links.home.capacity=1 Mbps`.
  ///   - purpose: what it is read for, which decides on what a run cannot take.
  ///   - catalogue: what it can refer to by name.
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
