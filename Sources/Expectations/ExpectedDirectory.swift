import Files
package import Meeting
import Metrics
package import ResultReading

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A result directory of a run or a sweep, with the expectations from its manifest.
package struct ExpectedDirectory: Sendable {
  /// Name of the scenario or of the sweep.
  package var name: String
  package var version: String
  /// The file that states the expectations, as the user named it.
  package var file: String
  package var seed: String
  package var expectations: [Expectation]
  /// Confidence level of the intervals.
  package var level: Double
  package var results: Results

  package init(
    name: String, version: String, file: String, seed: String, expectations: [Expectation], level: Double,
    results: Results
  ) {
    self.name = name
    self.version = version
    self.file = file
    self.seed = seed
    self.expectations = expectations
    self.level = level
    self.results = results
  }

  /// Reads a directory.
  ///
  /// - Throws: ``ResultReadingError`` when it is not a result directory, or its manifest or a table is malformed.
  package static func read(_ directory: String) throws(ResultReadingError) -> ExpectedDirectory {
    let results = try Results.read(directory)
    let path = results.directory + "/manifest.json"
    let bytes: [UInt8]
    do {
      bytes = try FileReader.bytes(of: path, limit: 1_000_000_000)
    } catch {
      throw ResultReadingError(path, line: 1, error.description)
    }
    switch results.kind {
    case .run:
      let manifest = try decoded(RunManifest.self, bytes, path)
      try checkTables(manifest.tables, including: ["scalars.csv"], in: results.directory)
      return ExpectedDirectory(
        name: manifest.scenario, version: manifest.version, file: manifest.scenarioFile, seed: manifest.seed,
        expectations: manifest.expectations, level: 0.95, results: results)
    case .sweep:
      let manifest = try decoded(SweepManifest.self, bytes, path)
      try checkTables(manifest.tables, including: ["runs.csv", "scalars.csv"], in: results.directory)
      let settings = manifest.settings
      return ExpectedDirectory(
        name: settings.name, version: settings.version, file: settings.file, seed: "",
        expectations: settings.expectations, level: settings.confidenceLevel, results: results)
    }
  }

  /// Checks that the tables are those that were written with the manifest.
  private static func checkTables(
    _ tables: [TableRecord], including needed: [String], in directory: String
  ) throws(ResultReadingError) {
    for name in needed where !tables.contains(where: { $0.path == name }) {
      throw ResultReadingError(directory + "/" + name, "manifest.json does not record this table")
    }
    for table in tables {
      let path = directory + "/" + table.path
      let isUnchanged: Bool
      do {
        isUnchanged = try table.isUnchanged(in: directory)
      } catch {
        throw ResultReadingError(path, error.description)
      }
      guard isUnchanged else {
        throw ResultReadingError(
          path, "this is not the table that was written: its hash is not the one in manifest.json")
      }
    }
  }

  private static func decoded<T: Decodable>(
    _ type: T.Type, _ bytes: [UInt8], _ path: String
  ) throws(ResultReadingError) -> T {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    do {
      return try decoder.decode(type, from: Data(bytes))
    } catch {
      throw ResultReadingError(path, line: 1, "this is not a manifest of this version of meetsim")
    }
  }

  /// The fields read from a run's manifest.
  private struct RunManifest: Decodable {
    var scenario: String
    var version: String
    var scenarioFile: String
    var seed: String
    var expectations: [Expectation]
    var tables: [TableRecord]
  }

  /// The fields read from a sweep's manifest.
  private struct SweepManifest: Decodable {
    struct Settings: Decodable {
      var name: String
      var version: String
      var file: String
      var confidenceLevel: Double
      var expectations: [Expectation]
    }

    var settings: Settings
    var tables: [TableRecord]
  }
}
