import Meeting
import YAML

/// `expect` of a sweep: what has to hold, at which points, and that the values for it are kept.
extension SweepBuilder {
  func readExpectations(
    _ nodes: [Node], _ file: SweepFile, _ kinds: [(name: String, kind: SweepValue.Kind?)]
  ) -> [SweepFile.PointExpectation] {
    guard let first = nodes.first else { return [] }
    // Participants may come and go with a variable: the ends of all variables between them know every one.
    let ends = [Self.settings(of: file) { $0.first }, Self.settings(of: file) { $0.last }]
    let builders = ends.map { file.scenario.builder(overrides: $0) }
    let scenarios = builders.filter(\.hasPlan).map(\.builder)
    guard !scenarios.isEmpty else {
      scenarioDiagnostics = builders[0].builder.reading.sorted
      reading.report(first, "expect: what varies makes the scenario of the sweep invalid at both of its ends")
      return []
    }
    return nodes.compactMap { node in
      var problems: [[Diagnostic]] = []
      for scenario in scenarios {
        let own = Reading(file: reading.file, directory: reading.directory)
        scenario.reading = own
        var conditions: [SweepExpression] = []
        var overRuns: Expectation.RunStatistic?
        let expectation = scenario.readExpectation(node) {
          conditions = readConstraints($0, kinds)
          overRuns = $0.choice("over-runs", Expectation.RunStatistic.self)
        }
        if own.diagnostics.isEmpty, var expectation {
          expectation.overRuns = overRuns
          checkKept(expectation, node, file)
          return SweepFile.PointExpectation(expectation: expectation, conditions: conditions)
        }
        problems.append(own.diagnostics)
      }
      // Whoever is missing at one end may be there at the other: what is wrong at both is what is meant.
      reading.report(problems.min { $0.count < $1.count } ?? [])
      return nil
    }
  }

  /// What a point sets whose values are picked from each variable's.
  private static func settings(
    of file: SweepFile, _ pick: ([SweepValue]) -> SweepValue?
  ) -> [String] {
    file.settings
      + file.variables.enumerated().flatMap { index, variable -> [String] in
        var values = variable.values
        if case .points(let points) = file.design { values = points.map { $0[index] } }
        if values.isEmpty, let range = variable.range { values = [range.value(at: 0), range.value(at: 1)] }
        guard let value = pick(values) else { return [] }
        return variable.paths.map { "\($0)=\(value.yaml)" }
      }
  }

  // MARK: What is kept

  /// Reports an expectation whose value `metrics`, `scope` or `viewer` throw away.
  private func checkKept(_ expectation: Expectation, _ node: Node, _ file: SweepFile) {
    let kept = [
      ("metrics", file.metrics, expectation.metric), ("scope", file.scopes, "tile"),
      ("viewer", file.viewers, expectation.viewer),
    ]
    for (key, values, value) in kept where !values.isEmpty && !values.contains(value) {
      reading.report(node, "what is expected is not kept: add '\(value)' to '\(key)'")
    }
  }

  /// Reports a metric that is waited for and thrown away.
  func checkKept(_ file: SweepFile, until node: Node?) {
    guard let until = file.until, let node else { return }
    for (key, values, value) in [
      ("metrics", file.metrics, until.metric), ("viewer", file.viewers, until.viewer),
    ] where !values.isEmpty && !value.isEmpty && !values.contains(value) {
      reading.report(node, "what 'until' waits for is not kept: add '\(value)' to '\(key)'")
    }
  }
}
