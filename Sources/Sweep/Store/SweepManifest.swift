import Files
import Metrics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `manifest.json` of a sweep: its settings and, once it is finished, its outcome.
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

  /// Encodes the contents of the file: sorted keys, no times, no host name.
  ///
  /// - Throws: a ``FileError`` for a value that JSON cannot hold.
  func bytes() throws(FileError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    do {
      return Array(try encoder.encode(self)) + [0x0a]
    } catch {
      throw FileError(action: "write manifest.json", cause: "\(error)")
    }
  }

  static func settings(in bytes: [UInt8]) -> SweepSettings? { decoded(bytes)?.settings }

  /// Reads the manifest in a directory; `nil` if there is none, or it does not belong to a sweep.
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
