import Metrics
import Plan
import YAML

/// Reading of a sweep's `expect`, with a check that the required metrics are kept.
extension SweepBuilder {
  func readExpectations(
    _ nodes: [Node], _ file: SweepFile, _ kinds: [(name: String, kind: SweepValue.Kind?)]
  ) -> [SweepFile.PointExpectation] {
    guard let first = nodes.first else { return [] }
    // Participants may depend on variables, so the first and the last values of all variables are both tried.
    let ends = [Self.settings(of: file) { $0.first }, Self.settings(of: file) { $0.last }]
    let drafts = ends.map { file.scenario.draft(settings: $0) }
    let scenarios = drafts.filter(\.hasPlan).map(\.draft)
    guard !scenarios.isEmpty else {
      scenarioDiagnostics = drafts[0].draft.reading.sorted
      reading.report(
        first, "expect: the scenario is invalid with both the first and the last values of the variables")
      return []
    }
    return nodes.compactMap { node in
      var problems: [[Diagnostic]] = []
      for scenario in scenarios {
        scenario.reading = Reading(file: reading.file, directory: reading.directory)
        if let expectation = readExpectation(node, ExpectationReader(draft: scenario), kinds),
          scenario.reading.diagnostics.isEmpty
        {
          checkKept(expectation.expectation, node, file)
          return expectation
        }
        problems.append(scenario.reading.diagnostics)
      }
      // A participant missing with the first values may exist with the last: errors count only if both attempts have
      // some.
      reading.report(problems.min { $0.count < $1.count } ?? [])
      return nil
    }
  }

  private func readExpectation(
    _ node: Node, _ reader: ExpectationReader, _ kinds: [(name: String, kind: SweepValue.Kind?)]
  ) -> SweepFile.PointExpectation? {
    guard let own = Entry<ExpectationSection>(node, "the expectation", reader.reading) else { return nil }
    let conditions = conditions(own.conditions, kinds)
    guard var expectation = reader.expectation(own) else { return nil }
    expectation.overRuns = own.overRuns
    return SweepFile.PointExpectation(expectation, conditions: conditions)
  }

  /// Returns the settings of a point, picking one value of each variable.
  private static func settings(
    of file: SweepFile, _ pick: ([SweepValue]) -> SweepValue?
  ) -> [Override] {
    file.settings
      + file.variables.enumerated().flatMap { index, variable -> [Override] in
        var values = variable.values
        if case .points(let points) = file.design { values = points.map { $0[index] } }
        if values.isEmpty, let range = variable.range { values = [range.value(at: 0), range.value(at: 1)] }
        return pick(values).map { variable.overrides(with: $0) } ?? []
      }
  }

  // MARK: Kept metrics

  /// Reports an expectation whose value is discarded by `metrics`, `scope` or `viewer`.
  private func checkKept(_ expectation: Expectation, _ node: Node, _ file: SweepFile) {
    // Values measured for an expectation are always kept.
    guard expectation.measure == nil else { return }
    for (key, values, value) in [
      ("metrics", file.results.metrics, expectation.metric),
      ("scope", file.results.scopes, expectation.scope.rawValue),
    ] where !values.isEmpty && !values.contains(value) {
      reading.report(node, "the expectation's value is not kept: add '\(value)' to '\(key)'")
    }
    let viewers = file.results.viewers
    guard !viewers.isEmpty, !viewers.contains(where: { Expectation.matches(expectation.viewer, $0) }) else {
      return
    }
    let cure = expectation.viewer.isEmpty ? "remove 'viewer'" : "add '\(expectation.viewer)' to 'viewer'"
    reading.report(node, "the expectation's value is not kept: \(cure)")
  }

  /// Reports an `until` whose metric is discarded.
  func checkKept(_ file: SweepFile, until node: Node?) {
    guard let until = file.runs.until, let node else { return }
    for (key, values, value) in [
      ("metrics", file.results.metrics, until.metric), ("viewer", file.results.viewers, until.viewer),
    ] where !values.isEmpty && !value.isEmpty && !values.contains(value) {
      reading.report(node, "the metric of 'until' is not kept: add '\(value)' to '\(key)'")
    }
  }
}
