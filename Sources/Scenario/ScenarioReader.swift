import Allocation
import CongestionControl
import Files
package import Meeting
import Network
import Quantity
import Yams

/// A scenario that was read: its plan, and what identifies it.
package struct LoadedScenario: Sendable {
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
  /// - Throws: ``ScenarioError`` with everything that is wrong.
  package static func read(path: String, overrides: [String] = []) throws(ScenarioError) -> LoadedScenario {
    let bytes: [UInt8]
    do {
      bytes = try FileReader.bytes(of: path, limit: sizeLimit)
    } catch {
      throw ScenarioError(diagnostics: [
        Diagnostic(file: path, line: 1, column: 1, message: error.description)
      ])
    }
    let slash = path.lastIndex(of: "/")
    return try read(
      bytes: bytes, file: path, directory: slash.map { String(path[...$0]) } ?? "", overrides: overrides)
  }

  /// Reads a scenario's bytes.
  package static func read(
    bytes: [UInt8], file: String, directory: String, overrides: [String] = []
  ) throws(ScenarioError) -> LoadedScenario {
    let reading = Reading(file: file, directory: directory)
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      reading.report("this is not a text file: a scenario is YAML in UTF-8")
      throw ScenarioError(diagnostics: reading.sorted)
    }
    guard var root = YAMLSource.root(of: text, reading) else {
      throw ScenarioError(diagnostics: reading.sorted)
    }
    for override in overrides { YAMLSource.apply(override, to: &root, reading) }
    let builder = PlanBuilder(reading)
    let plan = builder.plan(from: root)
    guard reading.diagnostics.isEmpty, let plan else {
      if reading.diagnostics.isEmpty { reading.report(root, "the scenario could not be read") }
      throw ScenarioError(diagnostics: reading.sorted)
    }
    let resolved = (try? Yams.serialize(node: root, sortKeys: true)) ?? text
    return LoadedScenario(plan: plan, resolvedText: resolved, traces: builder.traces)
  }
}
