import YAML

/// Reading of `variables`.
extension SweepBuilder {
  func readVariables(_ node: Node?, _ scenario: ScenarioSource?) {
    guard let node else { return }
    guard case .mapping(let mapping) = node else {
      reading.report(
        node,
        "'variables' of the sweep must be a mapping of names, such as 'policy: {values: [bluejeans, janus]}'")
      return
    }
    guard mapping.count <= SweepReader.variableLimit else {
      return reading.report(
        node, "there are \(mapping.count) variables: at most \(SweepReader.variableLimit)")
    }
    for (key, value) in mapping { readVariable(key, value, scenario) }
  }

  private func readVariable(_ key: Node, _ value: Node, _ scenario: ScenarioSource?) {
    let name = key.string ?? ""
    let isName = name.utf8.allSatisfy {
      $0 == 0x5f || (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0)
    }
    if !isName || !(1...40).contains(name.count) || name.first?.isNumber != false {
      // Names become columns of tables and identifiers in conditions.
      let path = YAMLSource.dotted(name)
      reading.report(
        key,
        "'\(name)' is not a valid variable name: only letters, digits and '_' are allowed, up to 40 characters; "
          + "write the path beside it, such as '\(path.split(separator: ".").last ?? "capacity"): {path: \(path), values: […]}'"
      )
    }
    if ["and", "or", "not"].contains(name) {
      reading.report(key, "'\(name)' is a reserved word: choose another name")
    }
    var variable = SweepVariable(
      name: name, paths: [name], values: [], range: nil, position: reading.position(of: key))
    var unit = ""
    if case .sequence(let sequence) = value {
      variable.values = values(of: Array(sequence), unit: "")
    } else if let text = value.string {
      reading.report(value, "variable '\(name)' must be a list of values: write '[\(text)]'")
      variable.values = [self.value(of: value, unit: "")]
    } else if let own = Entry<VariableSection>(value, "variable '\(name)'", reading) {
      variable.paths = own.paths ?? (own.states("path") ? [] : [name])
      unit = own.unit ?? ""
      variable.values = values(of: own.list?.map(\.node) ?? [], unit: unit)
      if own.states("values"), own.states("range") {
        own.report(at: "range", "'values' and 'range' are mutually exclusive")
      }
      if let range = own.range { readRange(range, unit: unit, into: &variable) }
    }
    if variable.paths == [name], isName, let problem = Self.problem(ofPathless: name, scenario) {
      reading.report(key, problem)
    } else {
      for path in variable.paths { checkPath(path, key, scenario) }
    }
    variables.append(variable)
    declarations.append((key, unit))
  }

  /// Explains why a variable needs a path; `nil` if its name is a key of scenarios.
  private static func problem(ofPathless name: String, _ scenario: ScenarioSource?) -> String? {
    let keys = ScenarioSection.keys.map(\.name)
    guard !keys.contains(name) else { return nil }
    let problem = "variable '\(name)' needs a 'path': there is no key '\(name)' at the top of a scenario"
    var links: [String] = []
    if case .mapping(let root)? = scenario?.root, case .mapping(let own)? = root["links"] {
      links = own.compactMap(\.key.string)
    }
    if let link = links.first, LinkSection.keys.contains(where: { $0.name == name }) {
      return "\(problem): write '\(name): {path: links.\(link).\(name), values: […]}'"
    }
    let meant = Vocabulary.meaning(of: name, among: keys) ?? Suggestion.nearest(to: name, among: keys)
    return "\(problem): "
      + (meant.map { "did you mean '\($0)'?" } ?? "write '\(name): {path: …, values: […]}'")
  }

  private func values(of nodes: [Node], unit: String) -> [SweepValue] {
    var values: [SweepValue] = []
    var texts: Set<String> = []
    for node in nodes {
      let value = value(of: node, unit: unit)
      if !texts.insert(value.text).inserted {
        reading.report(node, "duplicate value '\(value.text)': remove one")
      }
      values.append(value)
    }
    if let first = values.first, first.kind.isQuantity,
      let (node, other) = zip(nodes, values).first(where: { $0.1.kind != first.kind })
    {
      reading.report(
        node,
        first.kind == .number && other.kind.isQuantity
          ? "'\(other.text)' has a unit, and the first value '\(first.text)' has none: write all with the same unit"
          : "'\(other.text)' is not \(first.kind.example), like the first value")
    }
    return values
  }

  /// Reads a scalar or any other YAML value, optionally labeled: `{label: …, value: …}`.
  func value(of node: Node, unit: String) -> SweepValue {
    if case .mapping(let mapping) = node, mapping.count == 2,
      let label = mapping.first(where: { $0.key.string == "label" })?.value.string,
      let value = mapping.first(where: { $0.key.string == "value" })?.value
    {
      var named = SweepValue(text: label, yaml: FlowYAML.text(of: value))
      named.kind = .text
      named.number = nil
      return named
    }
    guard case .scalar(let scalar) = node else {
      let yaml = FlowYAML.text(of: node)
      return SweepValue(text: yaml, yaml: yaml)
    }
    return value(of: scalar.string, unit: unit)
  }

  /// Parses a value; a bare number gets the variable's unit.
  func value(of text: String, unit: String) -> SweepValue {
    let value = SweepValue(text: text, yaml: FlowYAML.quoted(text))
    guard value.kind == .number, !unit.isEmpty else { return value }
    return SweepValue(text: "\(text) \(unit)", yaml: FlowYAML.quoted("\(text) \(unit)"))
  }

  // MARK: Ranges

  private func readRange(_ own: Entry<RangeSection>, unit: String, into variable: inout SweepVariable) {
    let ends = [own.from, own.to].compactMap { name -> (kind: SweepValue.Kind, number: Double)? in
      guard let name else { return nil }
      let value = value(of: name.text, unit: unit)
      guard value.kind.isQuantity, let number = value.number else {
        name.report("'\(name.text)' is not a quantity such as '500 kbps', '20 ms', '2 %' or '5'")
        return nil
      }
      return (value.kind, number)
    }
    guard ends.count == 2 else { return }
    guard ends[0].kind == ends[1].kind, ends[0].number < ends[1].number else {
      return own.report("the range must be ascending, and both ends of the same kind")
    }
    if own.scale == .log, ends[0].number <= 0 {
      return own.report("a logarithmic range must start above zero")
    }
    let range = SweepRange(kind: ends[0].kind, from: ends[0].number, to: ends[1].number, scale: own.scale)
    variable.range = range
    if own.states("step") {
      if own.count != nil { own.report(at: "step", "'step' and 'count' are mutually exclusive") }
      variable.values = own.step.flatMap { values(in: range, step: $0, unit) } ?? []
    } else if let count = own.count {
      variable.values = (0..<count).map { range.value(at: Double($0) / Double(count - 1)) }
    }
  }

  private func values(in range: SweepRange, step name: Name, _ unit: String) -> [SweepValue]? {
    let step = value(of: name.text, unit: unit)
    guard range.scale == .linear, step.kind == range.kind, let size = step.number, size > 0 else {
      name.report(
        "'\(name.text)' must be \(range.kind.example) above zero; use 'count' for a logarithmic range")
      return nil
    }
    // The tolerance lets a step that divides the range reach its end despite rounding.
    let steps = ((range.to - range.from) / size + 1e-9).rounded(.down)
    guard steps < 10_000 else {
      name.report("'\(name.text)' is too small: more than 10000 values")
      return nil
    }
    return (0...Int(steps)).map { SweepValue(kind: range.kind, number: range.from + Double($0) * size) }
  }
}
