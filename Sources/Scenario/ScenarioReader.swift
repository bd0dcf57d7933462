import Allocation
import CongestionControl
package import Meeting
import Network
import Quantity
import YAML

/// A scenario that was read: its plan, and what identifies it.
package struct LoadedScenario: Sendable {
  /// The file, as the user named it.
  package var file: String
  package var plan: MeetingPlan
  /// The scenario as YAML with its overrides, keys in order: what run ids are made from.
  package var resolvedText: String
  /// Every trace file that it names, with its bytes.
  package var traces: [(path: String, bytes: [UInt8])]
}

/// Reads scenario files.
///
/// ```swift
/// let scenario = try ScenarioReader.read(path: "scenarios/one-to-one.yaml")
/// ```
package enum ScenarioReader {
  /// A scenario file is at most this large.
  package static let sizeLimit = 4_000_000

  /// Reads the scenario at a path.
  ///
  /// - Parameters:
  ///   - path: file to read.
  ///   - overrides: `PATH=VALUE` settings that replace values, such as `links.home.capacity=1 Mbps`.
  ///   - catalogue: what it can name.
  /// - Throws: ``ScenarioError`` with everything that is wrong.
  package static func read(
    path: String, overrides: [String] = [], catalogue: Catalogue = .standard
  ) throws(ScenarioError) -> LoadedScenario {
    try ScenarioSource(path: path, catalogue: catalogue).load(overrides: overrides)
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
