import Metrics
import Parameters
import Quantity

/// Shapes of declared parameters.
extension Shape {
  /// `NAME`, or `{name: NAME, …}` with the parameters of that entry.
  static func named(among choices: [some RegistryEntry]) -> Shape {
    let name = Shape.word(choices.map(\.name))
      .described(summaries(of: choices))
    let rules = choices.map {
      Rule.when(.value(of: "name", isOneOf: [$0.name]), .only(["name"] + $0.parameters.map(\.key)))
    }
    return Shape.any(
      of: name, .mapping([("name", name)] + parameters(of: choices), required: ["name"], rules: rules))
  }

  /// A phrase on each entry.
  static func summaries(of choices: [some RegistryEntry]) -> String {
    choices.map { "\($0.name): \($0.summary)" }.joined(separator: "; ")
  }

  /// All parameters of several entries, by key; parameters with the same key are merged.
  static func parameters(of choices: [some RegistryEntry]) -> [(String, Shape)] {
    var keys: [String] = []
    for parameter in choices.flatMap(\.parameters) where !keys.contains(parameter.key) {
      keys.append(parameter.key)
    }
    return keys.map { key in (key, parameter(key, of: choices)) }
  }

  private static func parameter(_ key: String, of choices: [some RegistryEntry]) -> Shape {
    var kinds: [ParameterKind] = []
    var examples: [String] = []
    var sentences: [(names: [String], text: String)] = []
    for choice in choices {
      guard let own = choice.parameters.first(where: { $0.key == key }) else { continue }
      if !kinds.contains(own.kind) { kinds.append(own.kind) }
      if !examples.contains(own.example) { examples.append(own.example) }
      let text = "\(own.effect) (default \(own.standard))"
      if let place = sentences.firstIndex(where: { $0.text == text }) {
        sentences[place].names.append(choice.name)
      } else {
        sentences.append(([choice.name], text))
      }
    }
    let shapes = kinds.map { shape($0, examples) }
    let either = shapes.count == 1 ? shapes[0] : Shape([("anyOf", .list(shapes.map { $0.json }))])
    let described = sentences.map { "\($0.names.joined(separator: ", ")): \($0.text)" }.joined(
      separator: "; ")
    let limits = kinds.map { $0.limits }.filter { !$0.isEmpty }.joined(separator: " or ")
    return either.described(limits.isEmpty ? "\(described)." : "\(described). \(limits).")
  }

  private static func shape(_ kind: ParameterKind, _ examples: [String]) -> Shape {
    func quantity(_ kind: QuantityKind) -> Shape { text(kind.pattern).adding("examples", .words(examples)) }
    return switch kind {
    case .rate(nil): quantity(.bitRate)
    case .rate(let word?): any(of: .word([word]), quantity(.bitRate))
    case .duration: quantity(.duration)
    case .size: quantity(.byteCount)
    case .share: quantity(.fraction)
    case .number(let range): number(range)
    case .integer(let range): integer(range)
    case .flag: flag
    case .choice(let words): word(words)
    }
  }
}

extension ParameterKind {
  /// What the schema's keywords cannot express: units, and bounds of values with a unit.
  fileprivate var limits: String {
    switch self {
    case .rate: "Units: \(QuantityKind.bitRate.unitList)"
    case .duration(let range):
      "\(range.lowerBound) to \(range.upperBound), in units: \(QuantityKind.duration.unitList)"
    case .size(let range):
      "\(ParameterValue.size(range.lowerBound)) to \(ParameterValue.size(range.upperBound)), in units: "
        + QuantityKind.byteCount.unitList
    case .share: "Units: \(QuantityKind.fraction.unitList)"
    case .number, .integer, .flag, .choice: ""
    }
  }
}
