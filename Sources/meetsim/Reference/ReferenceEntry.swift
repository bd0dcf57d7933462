/// One entry of the reference.
struct ReferenceEntry {
  /// Kind of an entry, in the order of the index.
  enum Kind: String, CaseIterable {
    case scenarioKey = "key of a scenario"
    case sweepKey = "key of a sweep"
    case event = "event in events.csv"
    case table = "table of a result"
    case column = "column of a table"
    case metric = "metric in scalars.csv"
    case limitation = "limitation"
    case rule = "rule in decisions.csv"
    case word = "word that commands print"
    case policy, estimator
    case discipline = "queue discipline"
    case ladder
    case link = "link preset"

    /// Heading of a list of this kind.
    var plural: String {
      switch self {
      case .scenarioKey: "Keys of scenarios"
      case .sweepKey: "Keys of sweeps"
      case .event: "Events"
      case .table: "Tables"
      case .column: "Columns"
      case .metric: "Metrics"
      case .limitation: "Limitations"
      case .rule: "Rules"
      case .word: "Words"
      case .policy: "Policies"
      case .estimator: "Estimators"
      case .discipline: "Queue disciplines"
      case .ladder: "Ladders"
      case .link: "Link presets"
      }
    }
  }

  /// A labeled line; several values take a line each.
  struct Fact {
    var label: String
    var values: [String]

    init(_ label: String, _ values: String...) { self.init(label, values) }

    init(_ label: String, _ values: [String]) {
      self.label = label
      self.values = values
    }
  }

  var kind: Kind
  /// Dot-separated parts; the last ones suffice to find the entry.
  var name: String
  /// Heading above the entry in lists.
  var group: String
  /// Description in one or more sentences.
  var meaning: String
  var facts: [Fact] = []
  /// A complete file; empty if there is none.
  var example = ""

  init(_ kind: Kind, _ name: String, group: String = "", meaning: String) {
    self.kind = kind
    self.name = name
    self.group = group
    self.meaning = meaning
  }

  /// Command that shows where a word is printed: that of its file, or the help of its command.
  var source: String { group.contains(".") ? "cat out/\(group)" : "meetsim \(group) --help" }

  /// Checks whether a word is one of a key's values.
  func takes(_ word: String) -> Bool {
    guard !["list", "of", "one", "or"].contains(word) else { return false }
    return facts.contains { fact in
      fact.label == "type"
        && fact.values.contains {
          $0.hasPrefix("one of ") && $0.split { " ,".contains($0) }.contains(word[...])
        }
    }
  }

  /// Adds a fact unless its text is empty.
  mutating func add(_ label: String, _ text: String) {
    if !text.isEmpty { facts.append(Fact(label, text)) }
  }

  /// The first sentence of the meaning, without its full stop.
  var summary: String {
    var rest = meaning[...]
    var end = rest.endIndex
    while let stop = rest.firstIndex(of: ".") {
      let next = meaning.index(after: stop)
      // A full stop within a name or number does not end the sentence.
      if next == meaning.endIndex || meaning[next] == " " {
        end = stop
        break
      }
      rest = meaning[next...]
    }
    return String(meaning[..<end])
  }
}
