import Files
import Metrics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `manifest.json` of a sweep: what was run and, once it is finished, the outcome.
struct SweepManifest: Codable {
  var settings: SweepSettings
  /// Number of runs by status; empty until the tables are written.
  var runs: [String: Int] = [:]
  var tables: [TableRecord] = []

  init(settings: SweepSettings, runs: [String: Int] = [:], tables: [TableRecord] = []) {
    self.settings = settings
    self.runs = runs
    self.tables = tables
  }

  /// The contents of the file: sorted keys, no times, no host name.
  var bytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    guard let data = try? encoder.encode(self) else { return [] }
    return Array(data) + [0x0a]
  }

  static func settings(in bytes: [UInt8]) -> SweepSettings? { decoded(bytes)?.settings }

  /// The manifest in a directory; `nil` if there is none, or it is not that of a sweep.
  static func read(in directory: String) -> SweepManifest? {
    (try? FileReader.bytes(of: "\(directory)/manifest.json", limit: 1 << 30)).flatMap(decoded)
  }

  private static func decoded(_ bytes: [UInt8]) -> SweepManifest? {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let manifest = try? decoder.decode(SweepManifest.self, from: Data(bytes)),
      manifest.settings.tool == "meetsim"
    else { return nil }
    return manifest
  }
}
