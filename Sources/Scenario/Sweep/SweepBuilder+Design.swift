import Files
import YAML

/// Reading of a sweep's design: `zip`, `points`, `sample`, or every combination.
extension SweepBuilder {
  func readDesign(_ own: Entry<SweepSection>, _ scenario: ScenarioSource?) -> SweepFile.Design {
    let isSampled = own.states("sample")
    if ["zip", "points", "sample"].count(where: own.states) > 1 {
      own.report(
        at: isSampled ? "sample" : "points", "'zip', 'points' and 'sample' are mutually exclusive")
    }
    if let points = own.points { return readPoints(points.node, scenario) }
    if let sample = own.sample, let design = readSample(sample) { return design }
    if variables.isEmpty, !isSampled, own.zip == nil, !own.states("variables") { return .grid(groups: []) }
    for (variable, declaration) in zip(variables, declarations)
    where variable.values.isEmpty && !isSampled {
      let hint =
        variable.range == nil ? "give it 'values' or a 'range'" : "give its range a 'count' or a 'step'"
      reading.report(declaration.node, "variable '\(variable.name)' has no values: \(hint)")
    }
    return .grid(groups: own.zip.map { readGroups($0.node) } ?? [])
  }

  private func index(of node: Node) -> Int? {
    guard let name = node.string, let index = variables.firstIndex(where: { $0.name == name }) else {
      let name = node.string ?? "?"
      reading.report(
        node,
        "there is no variable '\(name)': \(Suggestion.text(for: name, among: variables.map(\.name)))")
      return nil
    }
    return index
  }

  /// Reads groups of variables that advance together: `[a, b]`, or a list of such lists.
  private func readGroups(_ node: Node) -> [[Int]] {
    guard case .sequence(let outer) = node else {
      reading.report(node, "'zip' must be a list of variables, such as '[capacity, delay]', or of such lists")
      return []
    }
    let isNested = outer.contains { if case .sequence = $0 { true } else { false } }
    let lists = isNested ? Array(outer) : [node]
    var taken: Set<Int> = []
    return lists.compactMap { list -> [Int]? in
      guard case .sequence(let sequence) = list else {
        reading.report(list, "'zip' mixes variables and lists: put each variable into a list")
        return nil
      }
      let group = sequence.compactMap { index(of: $0) }
      for index in group where !taken.insert(index).inserted {
        reading.report(list, "variable '\(variables[index].name)' appears in 'zip' twice")
      }
      let counts = group.map { variables[$0].values.count }
      if Set(counts).count > 1 {
        let shown = group.map { "\(variables[$0].name) has \(variables[$0].values.count)" }
        reading.report(
          list,
          "zipped variables must have the same number of values: "
            + shown.joined(separator: ", "))
      }
      return group
    }
  }

  // MARK: Points

  private func readPoints(_ node: Node, _ scenario: ScenarioSource?) -> SweepFile.Design {
    if case .mapping = node {
      let file = Entry<PointsFileSection>(node, "points", reading)?.file
      return .points(file.map { readTable($0.text, $0.field.node, scenario) } ?? [])
    }
    guard case .sequence(let sequence) = node else {
      reading.report(
        node, "'points' must be a list of points such as '{capacity: 1 Mbps}', or '{file: points.csv}'")
      return .points([])
    }
    declareVariables(of: Array(sequence), scenario)
    return .points(sequence.compactMap { readPoint($0) })
  }

  /// Declares the variables that points use without declaring them, each named after its path.
  private func declareVariables(of points: [Node], _ scenario: ScenarioSource?) {
    guard case .mapping(let first)? = points.first else { return }
    guard first.count <= SweepReader.variableLimit else {
      return reading.report(
        points.first, "the point has \(first.count) variables: at most \(SweepReader.variableLimit)")
    }
    for (key, _) in first {
      if let name = key.string { declareVariable(name, key, scenario) }
    }
  }

  private func declareVariable(_ name: String, _ node: Node, _ scenario: ScenarioSource?) {
    guard !variables.contains(where: { $0.name == name }) else { return }
    checkPath(name, node, scenario)
    variables.append(
      SweepVariable(
        name: name, paths: [name], values: [], range: nil, position: reading.position(of: node)))
    declarations.append((node, ""))
  }

  private func readPoint(_ node: Node) -> [SweepValue]? {
    guard let own = Fields(node, "the point", reading) else { return nil }
    defer { own.finish() }
    let values = variables.indices.compactMap { index -> SweepValue? in
      guard let node = own.take(variables[index].name)?.node else {
        own.report(nil, "the point lacks '\(variables[index].name)'")
        return nil
      }
      guard let text = node.string else { return value(of: node, unit: declarations[index].unit) }
      if let own = labelled(text, index) { return own }
      if let label = mistyped(text, index) {
        reading.report(node, "'\(text)' is no label of '\(variables[index].name)': did you mean '\(label)'?")
        return nil
      }
      return value(of: node, unit: declarations[index].unit)
    }
    return values.count == variables.count ? values : nil
  }

  /// Returns the label of a value of the variable that a text was probably meant as; `nil` if there is none.
  private func mistyped(_ text: String, _ index: Int) -> String? {
    let labels = variables[index].values.filter { $0.yaml != FlowYAML.quoted($0.text) }.map(\.text)
    return text.count > 1 ? Suggestion.nearest(to: text, among: labels) : nil
  }

  /// Returns the value of a variable with this label; `nil` if there is none.
  private func labelled(_ label: String, _ index: Int) -> SweepValue? {
    variables[index].values.first { $0.text == label }
  }

  private func readTable(_ path: String, _ node: Node, _ scenario: ScenarioSource?) -> [[SweepValue]] {
    let place = reading.path(of: path)
    var rows: [[String]]
    do {
      rows = try CSVReader.records(of: try FileReader.bytes(of: place, limit: FileReader.traceLimit))
    } catch let error as FileError {
      reading.report(node, "points: \(error)")
      return []
    } catch let error as CSVError {
      reading.report(node, "points: '\(place)', line \(error.line): \(error)")
      return []
    } catch {
      reading.report(node, "points: '\(place)': \(error)")
      return []
    }
    guard let header = rows.first else {
      reading.report(node, "points: '\(place)' has no header: the first line must name the variables")
      return []
    }
    guard header.count <= SweepReader.variableLimit else {
      reading.report(
        node, "points: '\(place)' has \(header.count) columns: at most \(SweepReader.variableLimit)")
      return []
    }
    rows.removeFirst()
    for name in header { declareVariable(name, node, scenario) }
    let columns = variables.map { variable in header.firstIndex(of: variable.name) }
    for (variable, column) in zip(variables, columns) where column == nil {
      reading.report(node, "points: '\(place)' has no column '\(variable.name)'")
    }
    var points: [[SweepValue]] = []
    for (line, row) in rows.enumerated() {
      guard row.count == header.count, points.count < SweepReader.pointLimit else {
        let problem =
          row.count == header.count
          ? "more than \(SweepReader.pointLimit) points" : "\(row.count) fields, not \(header.count)"
        reading.report(node, "points: '\(place)', row \(line + 2): \(problem)")
        return []
      }
      points.append(
        columns.enumerated().compactMap { index, column in
          column.map { labelled(row[$0], index) ?? value(of: row[$0], unit: declarations[index].unit) }
        })
    }
    return columns.contains { $0 == nil } ? [] : points
  }

  // MARK: Samples

  private func readSample(_ own: Entry<SampleSection>) -> SweepFile.Design? {
    let ranges = variables.filter { $0.range != nil && $0.values.isEmpty }
    if ranges.isEmpty {
      own.report("nothing to sample: give at least one variable a 'range' without 'step' and 'count'")
    }
    if ranges.count > 40 { own.report("at most 40 variables can be sampled") }
    for (variable, declaration) in zip(variables, declarations)
    where variable.range == nil && variable.values.isEmpty {
      reading.report(
        declaration.node, "variable '\(variable.name)' has no values: give it 'values' or a 'range'")
    }
    guard let method = own.method, let count = own.count else { return nil }
    return .sample(method, count: count, seed: UInt64(own.seed))
  }
}
