import JSON
import Parameters
import Quantity
import Systems
import Vendors

/// Schema of client signals, in each system's own terms.
extension ScenarioSchema {
  private static var systems: [(name: String, signals: [SignalDeclaration])] {
    Catalogue.standard.systems.entries.map { ($0.name, $0.description.signals) }.filter { !$0.1.isEmpty }
  }

  /// Schema of the signals in a view.
  static var signals: Shape {
    Shape.any(
      of: systems.map { system in
        mapping(system.signals).described("Signals of policy \(system.name).").ofPolicies([system.name])
      }
    ).described("What the client signals to its server, in place of what it would derive from a screen.")
      .ofPolicies(systems.map(\.name))
  }

  /// Schema of a change of signals in the timeline.
  static var signalChange: Shape {
    Shape.any(
      of: systems.map { system in
        mapping(system.signals.filter(\.isChangeable)).described("Signals of policy \(system.name).")
          .ofPolicies([system.name]).noting(.amid, meeting(signalling: system.signals))
      }
    ).described(
      "Changes what a view with 'signals' signals; in mappings from sources, one that is named replaces its entry and "
        + "others stay."
    ).ofPolicies(systems.map(\.name)).noting(.amid, meeting(signalling: systems.first?.signals ?? []))
  }

  /// Builds a meeting with a view that has the required signals, or else the first one.
  private static func meeting(signalling declared: [SignalDeclaration]) -> JSONValue {
    let shown = declared.shownFirst.map { ($0.key, shape(of: $0)) }
    let walk = KeyWalk(definitions: .object([]))
    let view = JSONValue.object([("signals", .object(shown.map { ($0.0, walk.example(of: $0.1.json)) }))])
    return .object([
      (
        "participants",
        .list([
          JSONValue(yaml: "{id: ann, publish: {camera: 720p30}}"),
          .object([("id", .text("eve")), ("view", view)]),
        ])
      )
    ])
  }

  /// Builds the shape of a signal, with its description and an example.
  private static func shape(of signal: SignalDeclaration) -> Shape {
    shape(of: signal.shape).described(signal.effect.asSentence).shown(signal.example)
  }

  private static func mapping(_ declared: [SignalDeclaration]) -> Shape {
    .mapping(
      declared.map { ($0.key, shape(of: $0)) },
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
    case .source: Shape.anyText.ofType("source: a participant's id, or ID/screen").shown("ann")
    case .list(let element): .list(of: shape(of: element))
    case .bySource(let value): .sources(to: shape(of: value))
    case .fields(let declared): mapping(declared)
    }
  }
}

extension Shape {
  /// Shape of a mapping from participants' ids, or `ID/screen` for their screen shares.
  static func sources(to value: Shape) -> Shape {
    Shape([
      ("type", .text("object")),
      ("propertyNames", .object([("pattern", .text("^\(idPattern)(/screen)?$"))])),
      ("additionalProperties", value.json),
    ]).named("ann").ofType("mapping from sources")
  }
}
