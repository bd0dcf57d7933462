import YAML

/// Reading of `variables`.
extension SweepBuilder {
  func readVariables(_ fields: Fields, _ scenario: ScenarioSource?) {
    guard let node = fields.take("variables") else { return }
    guard case .mapping(let mapping) = node else {
      fields.report(
        node,
        "'variables' of the sweep must be a mapping of names, such as 'policy: {values: [bluejeans, janus]}'")
      return
    }
    guard mapping.count <= SweepReader.variableLimit else {
      return fields.report(node, "there are \(mapping.count) variables: at most \(SweepReader.variableLimit)")
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
      reading.report(
        key,
        "'\(name)' is not a valid variable name: only letters, digits and '_' are allowed, up to 40 characters; "
          + "use 'path' for the path in the scenario")
    }
    if ["and", "or", "not"].contains(name) {
      reading.report(key, "'\(name)' is a reserved word: choose another name")
    }
    var variable = SweepVariable(
      name: name, paths: [name], values: [], range: nil, position: reading.position(of: key))
    var unit = ""
    if case .sequence(let sequence) = value {
      variable.values = values(of: Array(sequence), unit: "")
    } else if let own = Fields(value, "variable '\(name)'", reading) {
      if let node = own.take("path") { variable.paths = readPaths(node, own) }
      unit = own.text("unit") ?? ""
      if let list = own.list("values") { variable.values = values(of: list, unit: unit) }
      if let node = own.take("range") {
        if own.keys.contains("values") { own.report(node, "'values' and 'range' are mutually exclusive") }
        readRange(node, unit: unit, into: &variable)
      }
      own.finish()
    }
    for path in variable.paths { checkPath(path, key, scenario) }
    variables.append(variable)
    declarations.append((key, unit))
  }

  private func readPaths(_ node: Node, _ fields: Fields) -> [String] {
    guard case .sequence(let sequence) = node else { return fields.text(of: node, "path").map { [$0] } ?? [] }
    return sequence.compactMap { fields.text(of: $0, "path") }
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
      reading.report(node, "'\(other.text)' is not \(first.kind.example), like the first value")
    }
    return values
  }

  /// Reads a scalar or any other YAML value, optionally labelled: `{label: …, value: …}`.
  private func value(of node: Node, unit: String) -> SweepValue {
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

  private func readRange(_ node: Node, unit: String, into variable: inout SweepVariable) {
    guard let own = Fields(node, "the range of '\(variable.name)'", reading) else { return }
    defer { own.finish() }
    let ends = ["from", "to"].compactMap { key -> (value: SweepValue, number: Double)? in
      guard let node = own.require(key, example: key == "from" ? "500 kbps" : "8 Mbps"),
        let text = own.text(of: node, key)
      else { return nil }
      let value = value(of: text, unit: unit)
      guard value.kind.isQuantity, let number = value.number else {
        own.report(node, "\(key): '\(text)' is not a quantity such as '500 kbps', '20 ms', '2 %' or '5'")
        return nil
      }
      return (value, number)
    }
    let scale = own.choice("scale", SweepRange.Scale.self) ?? .linear
    let count = own.integer("count", in: 2...10_000)
    let stepNode = own.take("step")
    guard ends.count == 2 else { return }
    guard ends[0].value.kind == ends[1].value.kind, ends[0].number < ends[1].number else {
      own.report(nil, "the range must be ascending, and both ends of the same kind")
      return
    }
    if scale == .log, ends[0].number <= 0 {
      own.report(nil, "a logarithmic range must start above zero")
      return
    }
    let range = SweepRange(
      kind: ends[0].value.kind, from: ends[0].number, to: ends[1].number, scale: scale)
    variable.range = range
    if let stepNode {
      if count != nil { own.report(stepNode, "'step' and 'count' are mutually exclusive") }
      readStep(stepNode, range, unit, own, into: &variable)
    } else if let count {
      variable.values = (0..<count).map { range.value(at: Double($0) / Double(count - 1)) }
    }
  }

  private func readStep(
    _ node: Node, _ range: SweepRange, _ unit: String, _ own: Fields, into variable: inout SweepVariable
  ) {
    guard let text = own.text(of: node, "step") else { return }
    let step = value(of: text, unit: unit)
    guard range.scale == .linear, step.kind == range.kind, let size = step.number, size > 0 else {
      own.report(
        node,
        "step: '\(text)' must be \(range.kind.example) above zero; use 'count' for a logarithmic range")
      return
    }
    // The tolerance lets a step that divides the range reach its end despite rounding.
    let steps = ((range.to - range.from) / size + 1e-9).rounded(.down)
    guard steps < 10_000 else {
      own.report(node, "step: '\(text)' is too small: more than 10000 values")
      return
    }
    variable.values = (0...Int(steps)).map {
      SweepValue(kind: range.kind, number: range.from + Double($0) * size)
    }
  }
}
