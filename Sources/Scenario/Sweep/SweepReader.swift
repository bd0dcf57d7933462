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

  /// Checks whether a file is a sweep rather than a scenario: it has the key `scenario`, and no participants.
  package static func isSweep(_ source: ScenarioSource) -> Bool {
    guard case .mapping(let mapping) = source.root else { return false }
    let keys = mapping.map(\.key.string)
    return keys.contains("scenario") && !keys.contains("participants")
  }

  /// Checks whether a file is a scenario rather than a sweep: it has participants, and no key `scenario`.
  package static func isScenario(_ source: ScenarioSource) -> Bool {
    guard case .mapping(let mapping) = source.root else { return false }
    let keys = mapping.map(\.key.string)
    return keys.contains("participants") && !keys.contains("scenario")
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

/// Builds a sweep from its YAML; variables, designs and expectations are in separate files.
final class SweepBuilder {
  let reading: Reading
  var scenarioDiagnostics: [Diagnostic] = []
  var variables: [SweepVariable] = []
  /// Node of each variable, and the unit of its bare numbers.
  var declarations: [(node: Node, unit: String)] = []

  init(_ reading: Reading) { self.reading = reading }

  func file(from source: ScenarioSource) -> SweepFile? {
    guard let own = Entry<SweepSection>(source.root, "the sweep", reading) else { return nil }
    let name = own.about.name(in: reading)
    let scenario = own.scenario.flatMap { readScenario($0) }
    let settings = readSettings(own.set?.node, scenario)
    readVariables(own.variables?.node, scenario)
    let design = readDesign(own, scenario)
    let kinds = Self.kinds(of: variables, design)
    let constraints = conditions(own.conditions, kinds)
    var runs = own.runs
    runs.until = own.until.flatMap { readUntil($0, atLeast: own.repetitions ?? 5) }
    runs.repetitions = own.repetitions ?? (runs.until == nil ? 1 : 5)
    var results = own.results
    results.keepsSeries = own.keepsSeries ?? results.compressesSeries
    let interval = results.interval
    if !interval.isWholeMilliseconds {
      own.report(at: "interval", "interval: '\(interval)' is not a whole number of milliseconds")
    }
    guard let scenario else { return nil }
    let designKey = ["points", "sample", "variables"].lazy.compactMap { own.fields.key($0) }.first
    let designPosition = reading.position(of: designKey ?? source.root)
    var file = SweepFile(
      name: name, title: own.about.title ?? "", path: reading.file, text: source.text,
      scenario: scenario, settings: settings, variables: variables, design: design, constraints: constraints,
      runs: runs, results: results, expectations: [], designPosition: designPosition,
      constraintPosition: own.fields["where"].map { reading.position(of: $0) } ?? designPosition)
    file.expectations = readExpectations(own.expect?.map(\.node) ?? [], file, kinds)
    checkKept(file, until: own.until?.fields.node)
    return file
  }

  private func readScenario(_ field: Field) -> ScenarioSource? {
    if case .mapping = field.node {
      return ScenarioSource(root: field.node, file: reading.file, directory: reading.directory)
    }
    guard let path = field.text else { return nil }
    do {
      return try ScenarioSource(path: reading.path(of: path))
    } catch {
      if let first = error.diagnostics.first, first.message.hasPrefix("cannot read") {
        field.report(first.message)
      } else {
        scenarioDiagnostics = error.diagnostics
      }
      return nil
    }
  }

  /// Reads `set`, the values for all points.
  private func readSettings(_ node: Node?, _ scenario: ScenarioSource?) -> [Override] {
    guard let node else { return [] }
    guard case .mapping(let mapping) = node else {
      reading.report(node, "'set' of the sweep must be a mapping of paths to values, such as 'duration: 20s'")
      return []
    }
    guard mapping.count <= SweepReader.variableLimit else {
      reading.report(node, "'set' has \(mapping.count) entries: at most \(SweepReader.variableLimit)")
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

  /// Parses conditions that must all hold.
  func conditions(
    _ names: [Name]?, _ kinds: [(name: String, kind: SweepValue.Kind?)]
  ) -> [SweepExpression] {
    (names ?? []).compactMap { name in
      do {
        return try SweepExpression(name.text, variables: kinds)
      } catch {
        name.report("\(error)")
        return nil
      }
    }
  }

  private func readUntil(_ own: Entry<UntilSection>, atLeast repetitions: Int) -> SweepFile.StopRule? {
    let maximum = own.maximum.flatMap {
      $0.integer(in: max(2, repetitions)...10_000)
    }
    guard let metric = own.metric, let width = own.halfWidth, let number = width.number, let maximum else {
      return nil
    }
    return SweepFile.StopRule(
      metric: metric, stat: own.stat, viewer: own.viewer ?? "", source: own.source ?? "", halfWidth: number,
      isRelative: width.kind == .share, maximum: maximum)
  }

  /// Returns the variables, each with the kind common to all its values, if any.
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
