import Metrics
package import Plan
package import ResultReading
import Statistics

/// Verdicts on all expectations of a result directory, at every point.
package struct ExpectationReport: Sendable {
  /// An expectation at a point.
  package struct Case: Sendable {
    package var expectation: Expectation
    /// Values of the variables; empty for a single run.
    package var variables: [RunRecord.Variable]
    package var judgement: Judgement
    /// For an expectation about several subjects, the one that satisfies it least; `nil` otherwise.
    package var worst: ScalarKey?
    /// Number of runs planned for the point.
    package var runs: Int
    /// Unit of the value as in `scalars.csv`; empty if nothing was measured.
    package var unit = ""
    /// A sweep's run whose value satisfies the expectation least; `nil` if no run has finished, and for a single run.
    package var worstRun: (id: String, value: Double)?
  }

  package var directory: ExpectedDirectory
  /// Cases by expectation, then by point.
  package var cases: [Case]
  /// Runs that crashed, timed out or are missing.
  package var unfinished: [RunRecord]

  /// Set if the verdicts do not cover all planned runs.
  package var lacksRuns: Bool { !unfinished.isEmpty || directory.shard != nil }

  package init(_ directory: ExpectedDirectory) {
    self.directory = directory
    let results = directory.results
    unfinished = results.runs.filter { !$0.isFinished }
    let points = results.points
    let present = points.map { point in
      let isNeeded = directory.expectations.contains { $0.isAboutMany }
      return isNeeded ? Self.present(in: results, runs: point.runs) : []
    }
    cases = directory.expectations.flatMap { expectation in
      let rows = Self.rows(for: expectation, in: results.scalars)
      let selected = expectation.points.map { Set($0) }
      return points.indices.filter { selected?.contains(points[$0].id) ?? true }.map { point in
        Case(
          expectation,
          of: expectation.isAboutMany ? rows.filter { present[point].contains($0) } : rows,
          in: results, runs: points[point].runs, level: directory.level)
      }
    }
  }

  /// Returns the rows of subjects present at a point, leaving out any that only other points have or that nobody
  /// requests.
  private static func present(in results: Results, runs: [Int]) -> Set<Int> {
    let finished = runs.filter { results.runs[$0].isFinished }
    let keys = results.scalars.keys
    let subjects = keys.map { [$0.scope, $0.viewer, $0.source] }
    let there = Set(
      keys.indices.filter { row in finished.contains { !results.scalars.values[row][$0].isNaN } }
        .map { subjects[$0] })
    return Set(keys.indices.filter { there.contains(subjects[$0]) })
  }

  /// Returns the indices of the values that an expectation refers to.
  private static func rows(for expectation: Expectation, in table: ScalarTable) -> [Int] {
    table.keys.indices.filter { expectation.isAbout(table.keys[$0]) }
  }

  package func count(of verdict: Verdict) -> Int { cases.count { $0.judgement.verdict == verdict } }
}

extension ExpectationReport.Case {
  /// Indicates whether no run of the point has finished.
  package var hasNoRun: Bool { judgement.estimate == nil && judgement.verdict == .inconclusive }

  /// Measured quantity and its subject, such as `frame_height (p50) of teacher at student-1`.
  package var subject: String {
    let viewer = expectation.viewer == "*" ? "everybody" : expectation.viewer
    let source = expectation.source == "*" ? "everybody" : expectation.source
    var name = "\(expectation.metric) (\(expectation.stat)) of "
    switch expectation.scope {
    case .tile: name += "\(source == "everybody" ? "every source" : source) at \(viewer)"
    case .voice: name += "\(source)'s voice at \(viewer)"
    case .participant: name += viewer
    case .link: name += expectation.source == "*" ? "every link" : source
    case .meeting: name += "the meeting"
    }
    guard let overRuns = expectation.overRuns, overRuns != .mean else { return name }
    return name + ", \(overRuns.rawValue) over runs"
  }

  /// Relation and bound, such as `>= 720 px`.
  package var bound: String { "\(expectation.relation.rawValue) \(text(of: expectation.bound))" }

  /// Values of the variables, such as `loss 5 %, capacity 500 kbps`; empty for a single run.
  package var point: String { PointText.point(variables) }

  /// Mean or quantile over the runs, rounded for display.
  package var measured: String {
    guard let value = judgement.quantile?.value ?? judgement.estimate?.mean else { return "nothing" }
    return text(of: value)
  }

  /// The case as the worst of several points: `worst mean 480 px at loss 5 %; its worst run r7 has 360 px`.
  package var asWorst: String {
    let statistic = runs > 1 ? " \((expectation.overRuns ?? .mean).rawValue)" : ""
    let whom = worst.map { " for \($0.subject)" } ?? ""
    let run = worstRun.map { runs > 1 ? "; its worst \(text(of: $0))" : ", run \($0.id)" } ?? ""
    return "worst\(statistic) \(measured)\(whom) at \(point)\(run)"
  }

  private func text(of run: (id: String, value: Double)) -> String {
    "run \(run.id) has \(run.value.isNaN ? "no value" : text(of: run.value))"
  }

  /// Interval such as `612 px to 731 px (95 %, n = 10)`, or a note that there is none.
  package var interval: String {
    guard let estimate = judgement.estimate else { return "none" }
    let interval: ConfidenceInterval?
    if let quantile = judgement.quantile {
      interval = if case .interval(let found) = quantile.interval { found } else { nil }
    } else {
      interval = estimate.interval
    }
    guard let interval = interval?.clipped(to: MetricRange.of(expectation.metric)) else {
      return "none, n = \(estimate.count)"
    }
    let level = Self.short(interval.level * 100)
    return "\(text(of: interval.low)) to \(text(of: interval.high)) (\(level) %, n = \(estimate.count))"
  }

  /// The case in one sentence.
  package var sentence: String {
    let place = variables.isEmpty ? "" : " with \(point)"
    var remark = judgement.remark.isEmpty ? "" : "; \(judgement.remark)"
    if let worstRun, judgement.verdict != .pass {
      remark += "; " + (runs > 1 ? "worst \(text(of: worstRun))" : "run \(worstRun.id)")
    }
    // A single run has no interval, nor needs one.
    let interval = runs > 1 ? ", interval \(interval)" : ""
    return "\(subject)\(place): expected \(bound), measured \(measured)\(interval)\(remark)"
  }

  private func text(of value: Double) -> String { PointText.value(value, unit: unit) }

  /// Formats a value with at least the given number of significant digits, without trailing zeros; whole numbers are
  /// not rounded.
  static func short(_ value: Double, digits: Int = 6) -> String {
    guard value != 0, value.isFinite else { return value == 0 ? "0" : "\(value)" }
    var scale = 1.0
    let least = (1..<digits).reduce(1.0) { power, _ in power * 10 }
    while abs(value) * scale < least, scale < 1e12 { scale *= 10 }
    let rounded = (value * scale).rounded() / scale
    let text = "\(rounded)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
