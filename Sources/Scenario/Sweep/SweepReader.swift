import Quantity
import YAML

/// Reads sweep files.
///
/// ```swift
/// let sweep = try SweepReader.read(ScenarioSource(path: "scenarios/sweeps/smoke.yaml"))
/// ```
package enum SweepReader {
  /// Maximum number of points.
  package static let pointLimit = 100_000
  /// Maximum number of runs.
  package static let runLimit = 1_000_000

  /// Maximum number of variables, and of values in `set`.
  package static let variableLimit = 200

  /// Checks whether a file is a sweep rather than a scenario: it has the key `scenario`.
  package static func isSweep(_ source: ScenarioSource) -> Bool {
    guard case .mapping(let mapping) = source.root else { return false }
    return mapping.contains { $0.key.string == "scenario" }
  }

  /// Parses a sweep from bytes.
  package static func read(
    bytes: [UInt8], file: String, directory: String
  ) throws(ScenarioError) -> SweepFile {
    try read(ScenarioSource(bytes: bytes, file: file, directory: directory))
  }

  /// Reads a parsed file.
  ///
  /// - Throws: ``ScenarioError`` with all errors in it or in its scenario.
  package static func read(_ source: ScenarioSource) throws(ScenarioError) -> SweepFile {
    let reading = Reading(file: source.file, directory: source.directory)
    let builder = SweepBuilder(reading)
    let file = builder.file(from: source)
    let diagnostics = reading.sorted + builder.scenarioDiagnostics
    guard diagnostics.isEmpty, let file else {
      if diagnostics.isEmpty { reading.report(source.root, "the sweep could not be read") }
      throw ScenarioError(diagnostics: diagnostics.isEmpty ? reading.sorted : diagnostics)
    }
    return file
  }

  /// Parses a condition on a sweep's variables from the command line.
  ///
  /// - Throws: ``SweepExpression/SyntaxError``.
  package static func condition(
    _ text: String, on file: SweepFile
  ) throws(SweepExpression.SyntaxError) -> SweepExpression {
    try SweepExpression(text, variables: SweepBuilder.kinds(of: file.variables, file.design))
  }
}

/// Builds a sweep from its YAML; variables, designs and expectations have files of their own.
final class SweepBuilder {
  let reading: Reading
  var scenarioDiagnostics: [Diagnostic] = []
  var variables: [SweepVariable] = []
  /// Node of each variable, and the unit of its bare numbers.
  var declarations: [(node: Node, unit: String)] = []

  init(_ reading: Reading) { self.reading = reading }

  func file(from source: ScenarioSource) -> SweepFile? {
    guard let fields = Fields(source.root, "the sweep", reading) else { return nil }
    // Editors locate the schema of a JSON file by this key.
    _ = fields.take("$schema").flatMap { fields.text(of: $0, "$schema") }
    let name = readName(fields)
    let title = fields.text("title") ?? ""
    let scenario = readScenario(fields)
    let settings = readSettings(fields, scenario)
    readVariables(fields, scenario)
    let design = readDesign(fields, scenario)
    let kinds = Self.kinds(of: variables, design)
    let constraints = readConstraints(fields, kinds)
    let repetitions = fields.integer("repetitions", in: 1...10_000)
    let until = readUntil(fields, atLeast: repetitions ?? 5)
    let seeds = fields.choice("seeds", SweepFile.Seeds.self) ?? .common
    let seed = fields.integer("seed", in: 0...Int.max).map { UInt64($0) }
    let timeout = fields.duration("timeout") ?? .seconds(600)
    if timeout < .milliseconds(100) { fields.report(fields.take("timeout"), "timeout: at least 100 ms") }
    let compressesSeries = fields.flag("compress-series") ?? false
    let keepsSeries = fields.flag("keep-series") ?? compressesSeries
    let interval = fields.duration("interval", atMost: .seconds(3600)) ?? .seconds(1)
    if interval < .milliseconds(10) { fields.report(fields.take("interval"), "interval: at least 10 ms") }
    if !interval.isWholeMilliseconds {
      fields.report(fields.take("interval"), "interval: '\(interval)' is not a whole number of milliseconds")
    }
    let metrics = words("metrics", fields)
    for metric in metrics where !SweepFile.metricNames.contains(metric) {
      let nearest = Suggestion.nearest(to: metric, among: SweepFile.metricNames, atMost: 1).first
      let cure = nearest.map { "did you mean '\($0)'?" } ?? "'meetsim list metrics' has them all"
      fields.report(fields.take("metrics"), "metrics: there is no metric '\(metric)': \(cure)")
    }
    let scopes = words("scope", fields)
    for scope in scopes where !["tile", "participant", "link", "meeting"].contains(scope) {
      fields.report(
        fields.take("scope"), "scope: '\(scope)' is not one of tile, participant, link, meeting")
    }
    let viewers = words("viewer", fields)
    let level = fields.number("confidence", in: 0.5...0.9999) ?? 0.95
    let expectations = fields.list("expect") ?? []
    fields.finish()
    guard let scenario else { return nil }
    let designPosition = reading.position(
      of: ["points", "sample", "variables"].lazy.compactMap { fields.key($0) }.first ?? source.root)
    var file = SweepFile(
      name: name, title: title, path: reading.file, text: source.text, scenario: scenario,
      settings: settings, variables: variables, design: design, constraints: constraints,
      repetitions: repetitions ?? (until == nil ? 1 : 5), until: until, seeds: seeds, seed: seed,
      timeout: timeout, keepsSeries: keepsSeries, compressesSeries: compressesSeries, interval: interval,
      metrics: metrics, scopes: scopes,
      viewers: viewers, level: level, expectations: [], designPosition: designPosition,
      constraintPosition: fields.take("where").map { reading.position(of: $0) } ?? designPosition)
    file.expectations = readExpectations(expectations, file, kinds)
    checkKept(file, until: fields.take("until"))
    return file
  }

  private func readName(_ fields: Fields) -> String {
    guard let node = fields.require("name", example: "capacity-sweep") else { return "" }
    let name = fields.text(of: node, "name") ?? ""
    if !PlanBuilder.isIdentifier(name) {
      fields.report(node, "name: '\(name)': \(PlanBuilder.identifierRule)")
    }
    return name
  }

  private func readScenario(_ fields: Fields) -> ScenarioSource? {
    guard let node = fields.require("scenario", example: "../one-to-one.yaml") else { return nil }
    if case .mapping = node {
      return ScenarioSource(root: node, file: reading.file, directory: reading.directory)
    }
    guard let path = fields.text(of: node, "scenario") else { return nil }
    do {
      return try ScenarioSource(path: path.hasPrefix("/") ? path : reading.directory + path)
    } catch {
      if let first = error.diagnostics.first, first.message.hasPrefix("cannot read") {
        fields.report(node, "scenario: \(first.message)")
      } else {
        scenarioDiagnostics = error.diagnostics
      }
      return nil
    }
  }

  /// Reads `set`, the values for all points.
  private func readSettings(_ fields: Fields, _ scenario: ScenarioSource?) -> [Override] {
    guard let node = fields.take("set") else { return [] }
    guard case .mapping(let mapping) = node else {
      fields.report(node, "'set' of the sweep must be a mapping of paths to values, such as 'duration: 20s'")
      return []
    }
    guard mapping.count <= SweepReader.variableLimit else {
      fields.report(node, "'set' has \(mapping.count) entries: at most \(SweepReader.variableLimit)")
      return []
    }
    return mapping.map { key, value in
      let path = key.string ?? ""
      checkPath(path, key, scenario)
      return Override(
        "\(path)=\(FlowYAML.text(of: value))", origin: .file(reading.position(of: value)))
    }
  }

  /// Reports a path that does not exist in the scenario.
  func checkPath(_ path: String, _ node: Node, _ scenario: ScenarioSource?) {
    guard let scenario else { return }
    if path.isEmpty || path.contains("=") {
      reading.report(node, "'\(path)' is not a path in a scenario, such as 'links.home.capacity'")
    } else if let problem = scenario.problem(settingAt: path) {
      reading.report(node, "'\(path)' is not a path in the scenario: \(problem)")
    }
  }

  /// Reads `where`, whose conditions must all hold.
  func readConstraints(
    _ fields: Fields, _ kinds: [(name: String, kind: SweepValue.Kind?)]
  ) -> [SweepExpression] {
    guard let node = fields.take("where") else { return [] }
    var nodes = [node]
    if case .sequence(let sequence) = node { nodes = Array(sequence) }
    return nodes.compactMap { node in
      guard let text = fields.text(of: node, "where") else { return nil }
      do {
        return try SweepExpression(text, variables: kinds)
      } catch {
        fields.report(node, "where: \(error)")
        return nil
      }
    }
  }

  private func readUntil(_ fields: Fields, atLeast repetitions: Int) -> SweepFile.StopRule? {
    guard let until = Fields(fields.take("until"), "until", reading) else { return nil }
    defer { until.finish() }
    let metric = until.require("metric", example: "mos").flatMap { until.text(of: $0, "metric") }
    let stat = until.text("stat") ?? "mean"
    let viewer = until.text("viewer") ?? ""
    let source = until.text("source") ?? ""
    let maximum = until.integer("max", in: max(2, repetitions)...10_000)
    if maximum == nil, !until.keys.contains("max") {
      until.report(nil, "until needs 'max', such as 'max: 50'")
    }
    guard let node = until.require("half-width", example: "5 %"),
      let text = until.text(of: node, "half-width")
    else { return nil }
    let width = SweepValue(text: text)
    guard let number = width.number, number > 0, width.kind == .share || width.kind == .number else {
      until.report(node, "half-width: '\(text)' is neither a share of the mean, such as '5 %', nor a number")
      return nil
    }
    guard let metric, let maximum else { return nil }
    return SweepFile.StopRule(
      metric: metric, stat: stat, viewer: viewer, source: source, halfWidth: number,
      isRelative: width.kind == .share, maximum: maximum)
  }

  /// Reads one word or a list of words.
  private func words(_ key: String, _ fields: Fields) -> [String] {
    guard let node = fields.take(key) else { return [] }
    guard case .sequence(let sequence) = node else { return fields.text(of: node, key).map { [$0] } ?? [] }
    return sequence.compactMap { fields.text(of: $0, key) }
  }

  /// Lists the variables with the kind common to all their values, if any.
  static func kinds(
    of variables: [SweepVariable], _ design: SweepFile.Design
  ) -> [(name: String, kind: SweepValue.Kind?)] {
    variables.enumerated().map { index, variable in
      var values = variable.values
      if case .points(let points) = design { values = points.map { $0[index] } }
      let kinds = Set(values.map(\.kind) + (variable.range.map { [$0.kind] } ?? []))
      return (variable.name, kinds.count == 1 ? kinds.first : nil)
    }
  }
}
