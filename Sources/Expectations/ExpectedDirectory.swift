import Files
package import Plan
package import ResultReading

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A result directory of a run or a sweep, with the expectations from its manifest.
package struct ExpectedDirectory: Sendable {
  /// One of the parts into which a sweep was divided, from 1.
  package struct Shard: Decodable, Sendable {
    package let index: Int
    package let count: Int
  }

  /// Name of the scenario or of the sweep.
  package var name: String
  package var version: String
  /// Path of the file with the expectations, as given by the user.
  package var file: String
  package var seed: String
  package var expectations: [Expectation]
  /// Confidence level of the intervals.
  package var level: Double
  package var results: Results
  /// Part of the sweep that the results cover; `nil` for all of it.
  package var shard: Shard?

  package init(
    name: String, version: String, file: String, seed: String, expectations: [Expectation], level: Double,
    results: Results, shard: Shard? = nil
  ) {
    self.name = name
    self.version = version
    self.file = file
    self.seed = seed
    self.expectations = expectations
    self.level = level
    self.results = results
    self.shard = shard
  }

  /// Reads a directory.
  ///
  /// - Throws: ``ResultReadingError`` if it is not a result directory, or its manifest or a table is malformed.
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
      try WrittenTables.check(in: results.directory, needsManifest: true)
      return ExpectedDirectory(
        name: manifest.scenario, version: manifest.version, file: manifest.scenarioFile, seed: manifest.seed,
        expectations: manifest.expectations, level: 0.95, results: results)
    case .sweep:
      let manifest = try decoded(SweepManifest.self, bytes, path)
      try WrittenTables.check(in: results.directory, needsManifest: true)
      let settings = manifest.settings
      return ExpectedDirectory(
        name: settings.name, version: settings.version, file: settings.file, seed: "",
        expectations: settings.expectations, level: settings.confidenceLevel, results: results,
        shard: settings.shard.flatMap { $0.count > 1 ? $0 : nil })
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

  /// Fields read from a run's manifest.
  private struct RunManifest: Decodable {
    var scenario: String
    var version: String
    var scenarioFile: String
    var seed: String
    var expectations: [Expectation]
  }

  /// Fields read from a sweep's manifest.
  private struct SweepManifest: Decodable {
    struct Settings: Decodable {
      var name: String
      var version: String
      var file: String
      var confidenceLevel: Double
      var expectations: [Expectation]
      var shard: Shard?
    }

    var settings: Settings
  }
}
