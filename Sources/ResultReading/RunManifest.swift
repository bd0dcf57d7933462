import Files

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Parts of a run's `manifest.json` needed to repeat the run.
package struct RunManifest: Decodable, Sendable {
  package var version: String
  /// Path of the scenario as given by the user; trace paths are relative to its directory.
  package var scenarioFile: String
  /// Scenario with overrides applied, as YAML.
  package var resolvedScenario: String
  package var seed: String
  package var repetition: Int
  /// Length of the tables' intervals.
  package var interval: String
  /// Trace files of the scenario, with hashes of their contents.
  package var traces: [Trace]

  package struct Trace: Decodable, Sendable {
    package var path: String
    package var hash: String
  }

  enum CodingKeys: String, CodingKey {
    case version
    case scenarioFile = "scenario_file"
    case resolvedScenario = "resolved_scenario"
    case seed, repetition, interval, traces
  }

  /// Reads the manifest of a result directory.
  package static func read(in directory: String) throws(ResultReadingError) -> RunManifest {
    let path = directory + "/manifest.json"
    let bytes: [UInt8]
    do {
      bytes = try FileReader.bytes(of: path, limit: 1 << 30)
    } catch {
      throw ResultReadingError(path, error.description)
    }
    do {
      return try JSONDecoder().decode(RunManifest.self, from: Data(bytes))
    } catch {
      throw ResultReadingError(path, "this is not the manifest of one run")
    }
  }
}
