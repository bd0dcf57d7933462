import Files
import JSON
import ResultReading

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Explanations written beside a run's tables, as `explain*.json`.
enum WrittenExplanations {
  /// One explanation, with the names used by `explain --format json`.
  private struct Explanation: Decodable {
    var viewer: String?
    var source: String?
    var timeS: Double?
    var sentences: [String]?
  }

  /// Returns the viewer and source of each explanation, its time and its text.
  static func json(in directory: String) throws(ResultReadingError) -> JSONValue {
    let names = ((try? Directory.entries(of: directory)) ?? [])
      .filter { $0.hasPrefix("explain") && $0.hasSuffix(".json") }.sorted()
    var found: [JSONValue] = []
    for name in names {
      for one in try read("\(directory)/\(name)") {
        let text = (one.sentences ?? []).joined(separator: " ")
        guard !text.isEmpty else { continue }
        found.append(
          .object([
            ("viewer", .text(one.viewer ?? "")), ("source", .text(one.source ?? "")),
            ("time", one.timeS.map(JSONValue.real) ?? .null), ("text", .text(text)),
          ]))
      }
    }
    return .list(found)
  }

  private static func read(_ path: String) throws(ResultReadingError) -> [Explanation] {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    do {
      let data = Data(try FileReader.bytes(of: path, limit: 1 << 30))
      if let list = try? decoder.decode([Explanation].self, from: data) { return list }
      return [try decoder.decode(Explanation.self, from: data)]
    } catch {
      throw ResultReadingError(path, "this is not an explanation that 'explain --format json' wrote")
    }
  }
}
