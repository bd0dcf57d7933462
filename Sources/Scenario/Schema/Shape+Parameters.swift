import JSON
import Parameters
import Quantity

/// Shapes of declared parameters.
extension Shape {
  /// Shape of `NAME`, or of `{name: NAME, …}` with that entry's parameters.
  ///
  /// - Parameters:
  ///   - registry: name of the kind of entries, for the reference.
  ///   - scenario: returns the additional entries of an example's scenario, given an entry's name.
  static func named(
    among choices: [some RegistryEntry], registry: String, amid scenario: (String) -> String? = { _ in nil }
  ) -> Shape {
    let name = Shape.word(choices.map(\.name)).described(summaries(of: choices))
    let rules = choices.map {
      Rule.when(.value(of: "name", isOneOf: [$0.name]), .only(["name"] + $0.parameters.map(\.key)))
    }
    return Shape.any(
      of: name,
      .mapping(
        [("name", name)] + parameters(of: choices, named: "name", amid: scenario), required: ["name"],
        rules: rules
      ).noting(.described, .text(registry)))
  }

  /// Returns the entries, each with a phrase about it.
  static func summaries(of choices: [some RegistryEntry]) -> String {
    choices.map { "\($0.name): \($0.summary)" }.joined(separator: "; ")
  }

  /// Returns the parameters of several entries, by key; parameters with the same key are merged.
  ///
  /// - Parameter nameKey: key, beside the parameters, that names the entry.
  static func parameters(
    of choices: [some RegistryEntry], named nameKey: String, amid scenario: (String) -> String? = { _ in nil }
  ) -> [(String, Shape)] {
    var keys: [String] = []
    for parameter in choices.flatMap(\.parameters) where !keys.contains(parameter.key) {
      keys.append(parameter.key)
    }
    return keys.map { key in
      let owners = choices.filter { $0.parameters.contains { $0.key == key } }
      let notes = owners.flatMap { owner in
        owner.parameters.filter { $0.key == key }.map { note(on: $0, of: owner.name) }
      }
      var shape = parameter(key, of: choices).noting(.parameter, .list(notes))
      guard let first = owners.first else { return (key, shape) }
      shape = shape.noting(.beside, .object([(nameKey, .text(first.name))]))
      if let example = first.parameters.first(where: { $0.key == key })?.example {
        shape = shape.shown(example)
      }
      return (key, scenario(first.name).map { shape.amid($0) } ?? shape)
    }
  }

  private static func note(on parameter: ParameterDescription, of owner: String) -> JSONValue {
    .object([
      ("name", .text(owner)), ("effect", .text(parameter.effect)), ("type", .text("\(parameter.kind)")),
      ("default", .text(parameter.standard)), ("source", .text(parameter.source)),
    ])
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
    let shapes = kinds.map { $0.type(examples: examples).shape }
    let either = shapes.count == 1 ? shapes[0] : Shape([("anyOf", .list(shapes.map { $0.json }))])
    let described = sentences.map { "\($0.names.joined(separator: ", ")): \($0.text)" }.joined(
      separator: "; ")
    let limits = kinds.map { $0.limits }.filter { !$0.isEmpty }.joined(separator: " or ")
    return either.described(limits.isEmpty ? "\(described)." : "\(described). \(limits).")
  }
}

extension ParameterKind {
  /// Limits that schema keywords cannot express: units, and bounds on values with a unit.
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
