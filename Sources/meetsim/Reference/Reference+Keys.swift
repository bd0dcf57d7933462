import Allocation
import Files
import Parameters
import Plan
import Scenario
import Systems
import Vendors

/// Entries on keys of files, timeline events and limitations.
extension Reference {
  /// Rows of `events.csv` produced by timeline entries, those of all systems first.
  private static let timeline = TimelineEvents.all + Catalogue.standard.systems.calls.uniqued()

  static func keys(_ keys: [KeyReference], _ kind: ReferenceEntry.Kind) -> [ReferenceEntry] {
    // Keys that have no nested keys come first, in one group.
    func top(_ key: KeyReference) -> String { String(key.path.prefix { $0 != "." && $0 != "[" }) }
    let sizes = Dictionary(grouping: keys, by: top).mapValues(\.count)
    func isAlone(_ key: KeyReference) -> Bool { sizes[top(key)] == 1 }
    let whole = kind == .scenarioKey ? "scenario" : "sweep"
    return (keys.filter(isAlone) + keys.filter { !isAlone($0) }).map { key in
      let group = isAlone(key) ? whole : top(key)
      var entry = ReferenceEntry(kind, key.path, group: group, meaning: key.meaning)
      entry.add("type", key.type)
      entry.add(key.isRequired ? "required" : "default", key.isRequired ? "in its mapping" : key.standard)
      entry.add("systems", key.policies.isEmpty ? "all" : key.policies.joined(separator: ", "))
      entry.add("source", key.source)
      if kind == .scenarioKey, let event = timeline.first(where: { "timeline[].\($0.name)" == key.path }) {
        entry.facts.append(ReferenceEntry.Fact("results", event.results.map(\.sentence)))
      }
      entry.example = key.example
      return entry
    }
  }

  static var events: [ReferenceEntry] {
    let keys = KeyReference.scenario
    let ofTimeline = timeline.map { event in
      let key = keys.first { $0.path == "timeline[].\(event.name)" }
      var entry = self.event(
        event, meaning: event.meaning.isEmpty ? key?.meaning ?? "" : event.meaning.asSentence)
      entry.group = "timeline"
      if let key { entry.add("key", key.path) }
      return entry
    }
    let ofSystems = Catalogue.standard.systems.entries.flatMap { system in
      system.description.events.map { event in
        var entry = self.event(event, meaning: event.meaning.asSentence)
        entry.group = system.name
        entry.add("systems", system.name)
        return entry
      }
    }
    return ofTimeline + ofSystems
  }

  private static func event(_ event: EventDeclaration, meaning: String) -> ReferenceEntry {
    var entry = ReferenceEntry(.event, event.name, meaning: meaning)
    entry.add("detail", event.detail.isEmpty ? "none" : event.detail)
    entry.facts.append(ReferenceEntry.Fact("result", event.results.map(\.sentence)))
    return entry
  }

  static var limitations: [ReferenceEntry] {
    Limitation.allCases.map { ReferenceEntry(.limitation, $0.rawValue, meaning: $0.meaning.asSentence) }
  }
}

extension CallResult {
  fileprivate var sentence: String { "\(name): \(meaning)" }
}
