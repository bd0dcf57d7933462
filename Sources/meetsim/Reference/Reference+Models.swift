import CongestionControl
import Ladder
import Network
import Parameters
import Scenario
import Systems
import Vendors

extension RegisteredSystem {
  /// Estimators of the deployed system, with their source.
  var estimatorText: String {
    let own = description.estimator
    let options = own.options.isEmpty ? "" : ", or \(own.options.joined(separator: ", "))"
    return "\(own.name)\(options) [\(own.source)]"
  }
}

/// Entries on models that scenarios name: systems, estimators and so on.
extension Reference {
  static func models(_ kind: ReferenceEntry.Kind) -> [ReferenceEntry] {
    let known = Catalogue.standard
    return switch kind {
    case .policy:
      known.systems.entries.map { system in
        var entry = entry(kind, system)
        entry.facts.append(ReferenceEntry.Fact("estimator", [system.estimatorText]))
        return entry
      }
    case .estimator: known.estimators.entries.map { entry(kind, $0) }
    case .discipline: known.disciplines.entries.map { entry(kind, $0) }
    case .ladder: known.systems.ladders.map { entry(kind, $0.name, $0.summary, $0.source) }
    case .link: LinkPreset.all.map { entry(kind, $0.name, $0.summary, $0.source) }
    default: []
    }
  }

  private static func entry(_ kind: ReferenceEntry.Kind, _ model: some RegistryEntry) -> ReferenceEntry {
    var entry = entry(kind, model.name, model.summary, model.source)
    entry.facts.append(
      ReferenceEntry.Fact(
        "parameters",
        model.parameters.map { "\($0.key): \($0.effect), default \($0.standard) (\($0.kind))" }))
    return entry
  }

  private static func entry(
    _ kind: ReferenceEntry.Kind, _ name: String, _ summary: String, _ source: String
  ) -> ReferenceEntry {
    var entry = ReferenceEntry(kind, name, meaning: summary.asSentence)
    entry.add("source", source)
    return entry
  }
}
