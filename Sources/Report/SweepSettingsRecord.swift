import Files
import ResultReading

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Parts of a sweep's `manifest.json` shown on its page.
struct SweepSettingsRecord: Decodable {
  var name: String
  var title: String
  var version: String
  var repetitions: Int
  var seeds: String
  /// Text of the sweep's file.
  var sweep: String

  private struct Manifest: Decodable {
    var settings: SweepSettingsRecord
  }

  static func read(in directory: String) throws(ResultReadingError) -> SweepSettingsRecord {
    let path = directory + "/manifest.json"
    do {
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      return try decoder.decode(Manifest.self, from: Data(try FileReader.bytes(of: path, limit: 1 << 30)))
        .settings
    } catch {
      throw ResultReadingError(path, "this is not the manifest of a sweep")
    }
  }
}
