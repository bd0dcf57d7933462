import Files
import JSON
import ResultReading
import Scenario

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Header of a run's page, from the manifest.
struct RunHeader {
  let scenario: String
  /// Name of the result directory, without its path.
  let directory: String
  let system: String
  let estimator: String
  let seed: String
  let resolvedScenario: String
  private let title: String
  private let version: String
  private let repetition: String

  /// Parts of the manifest; all are missing in a directory without one.
  private struct Manifest: Decodable {
    var scenario: String?
    var seed: String?
    var repetition: Int?
    var version: String?
    var resolvedScenario: String?
    var estimator: Estimators?

    struct Estimators: Decodable {
      var up: String?
      var down: String?
    }
  }

  init(_ path: String) throws(ResultReadingError) {
    directory = Self.name(of: path)
    var manifest = Manifest()
    if Directory.exists(path + "/manifest.json") {
      do {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let bytes = try FileReader.bytes(of: path + "/manifest.json", limit: 1 << 30)
        manifest = try decoder.decode(Manifest.self, from: Data(bytes))
      } catch {
        throw ResultReadingError(path + "/manifest.json", "this is not the manifest of one run")
      }
    }
    scenario = manifest.scenario ?? directory
    seed = manifest.seed ?? "?"
    repetition = manifest.repetition.map { "\($0)" } ?? ""
    version = manifest.version ?? "?"
    let text = manifest.resolvedScenario ?? ""
    resolvedScenario = text
    func said(_ key: String) -> String { Self.value(of: key, in: text) }
    title = said("title")
    system = said("policy").isEmpty ? "\(Catalogue.defaultPolicy) (default)" : said("policy")
    estimator = said("estimator").isEmpty ? Self.deployed(manifest.estimator) : said("estimator")
  }

  var json: JSONValue {
    .object(
      [
        ("directory", directory), ("scenario", scenario), ("title", title), ("seed", seed),
        ("repetition", repetition), ("version", version), ("system", system), ("estimator", estimator),
        ("resolved_scenario", resolvedScenario),
      ].map { ($0.0, .text($0.1)) })
  }

  /// Returns the name of a directory without its path.
  static func name(of path: String) -> String {
    String((Directory.resolved(path) ?? path).split(separator: "/").last ?? "")
  }

  /// Returns the estimators that the system brought with it, if the scenario named none.
  private static func deployed(_ own: Manifest.Estimators?) -> String {
    guard let own, let up = own.up, let down = own.down else { return "default" }
    return up == down ? "\(up) (default)" : "up: \(up), down: \(down) (default)"
  }

  /// Value of a top-level key of a resolved scenario, on one line.
  static func value(of key: String, in yaml: String) -> String {
    var lines = yaml.split(separator: "\n", omittingEmptySubsequences: false)[...]
    lines = lines.drop { !$0.hasPrefix(key + ":") }
    guard let first = lines.popFirst() else { return "" }
    let own = first.dropFirst(key.count + 1).drop { $0 == " " }
    for quote in ["'", "\""] where own.count > 1 && own.hasPrefix(quote) && own.hasSuffix(quote) {
      let inner = String(own.dropFirst().dropLast())
      return quote == "'" ? inner.replacing("''", with: "'") : inner.replacing("\\\"", with: "\"")
    }
    guard own.isEmpty else { return String(own) }
    return lines.prefix { $0.hasPrefix(" ") || $0.hasPrefix("-") }
      .map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
