import Metrics
import Parameters
import Quantity
import Systems

/// Schema of what clients signal in their system's own words.
extension ScenarioSchema {
  private static var systems: [(name: String, signals: [SignalDeclaration])] {
    Catalogue.standard.systems.entries.map { ($0.name, $0.description.signals) }.filter { !$0.1.isEmpty }
  }

  /// In a view.
  static var signals: Shape {
    Shape.any(
      of: systems.map { system in
        mapping(system.signals).described("Signals of policy \(system.name).")
      }
    ).described("What the client signals to its server, in place of what it would derive from a screen.")
  }

  /// In the timeline.
  static var signalChange: Shape {
    Shape.any(
      of: systems.map { system in
        mapping(system.signals.filter(\.isChangeable)).described("Signals of policy \(system.name).")
      }
    ).described(
      "Changes what a view with 'signals' signals; in mappings from sources, one that is named replaces its entry and "
        + "others stay.")
  }

  private static func mapping(_ declared: [SignalDeclaration]) -> Shape {
    .mapping(
      declared.map { ($0.key, shape(of: $0.shape).described($0.effect.asSentence)) },
      required: declared.filter(\.isRequired).map(\.key),
      rules: declared.compactMap { one in one.excludes.map { .not(.has(one.key, $0)) } })
  }

  private static func shape(of signal: SignalShape) -> Shape {
    switch signal {
    case .integer(let range): .integer(range)
    case .flag: .flag
    case .rate: .quantity(.bitRate, "A bit rate.", examples: "800 kbps")
    case .size: .size
    case .word(let words): .word(words)
    case .source: .anyText
    case .list(let element): .list(of: shape(of: element))
    case .bySource(let value): .sources(to: shape(of: value))
    case .fields(let declared): mapping(declared)
    }
  }
}

extension Shape {
  /// A mapping from participants' ids, or `ID/screen` for their screen shares.
  static func sources(to value: Shape) -> Shape {
    Shape([
      ("type", .text("object")),
      ("propertyNames", .object([("pattern", .text("^[A-Za-z0-9_.][A-Za-z0-9_.-]{0,63}(/screen)?$"))])),
      ("additionalProperties", value.json),
    ])
  }
}

extension String {
  /// The text as a sentence: a capital and a full stop.
  fileprivate var asSentence: String { prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".") }
}
