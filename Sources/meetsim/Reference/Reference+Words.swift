import Meeting
import Parameters
import Scenario
import Systems
import Vendors

/// Entries on what commands print apart from the names of keys, columns and metrics.
extension Reference {
  static var words: [ReferenceEntry] {
    let causes = Freeze.Cause.allCases.map {
      PrintedWord($0.rawValue, "cause of a freeze: \($0.meaning)", in: "explain")
    }
    return (PrintedWord.ofRuns + PrintedWord.ofOthers + causes).map { word in
      var entry = ReferenceEntry(.word, word.name, group: word.command, meaning: word.meaning.asSentence)
      entry.add("unit", word.unit)
      return entry
    }
  }

  static var rules: [ReferenceEntry] {
    let systems = Catalogue.standard.systems.entries
    let own = systems.flatMap { system in
      system.description.rules.map { rule in (group: system.name, rule: rule) }
    }
    return (own + RuleDescription.common.map { ("all", $0) }).map { group, rule in
      var entry = ReferenceEntry(.rule, rule.name, group: group, meaning: rule.sentence)
      entry.add("source", rule.source)
      return entry
    }
  }
}

extension ReferenceEntry {
  /// Returns the form in which a name is looked up, without capitals, spaces and units.
  static func plain(_ name: String) -> String {
    let words = name.lowercased().split(separator: " ").filter { !$0.hasPrefix("[") && !$0.hasPrefix("(") }
    return words.joined(separator: "-")
  }

  /// Returns a name as it is, in the singular, and in the plural.
  static func numbers(of name: String) -> [String] {
    let name = plain(name)
    var forms = [name]
    if name.hasSuffix("ies") { forms.append(name.dropLast(3) + "y") }
    if name.hasSuffix("s") { forms.append(String(name.dropLast())) }
    if name.hasSuffix("es") { forms.append(String(name.dropLast(2))) }
    return forms + [name + "s"]
  }
}
