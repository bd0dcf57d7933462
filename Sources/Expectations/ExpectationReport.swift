package import Meeting
package import ResultReading
import Statistics

/// The verdicts on all expectations of a result directory, at every point.
package struct ExpectationReport: Sendable {
  /// One expectation at one point.
  package struct Case: Sendable {
    package var expectation: Expectation
    /// The values of the variables; empty for a single run.
    package var variables: [RunRecord.Variable]
    package var judgement: Judgement
    /// Number of runs planned for the point.
    package var runs: Int
  }

  package var directory: ExpectedDirectory
  /// By expectation, then by point.
  package var cases: [Case]
  /// Runs that crashed, timed out or are missing.
  package var unfinished: [RunRecord]

  package init(_ directory: ExpectedDirectory) {
    self.directory = directory
    let results = directory.results
    unfinished = results.runs.filter { !$0.isFinished }
    var points: [(id: String, runs: [Int])] = []
    var places: [String: Int] = [:]
    for (number, run) in results.runs.enumerated() {
      if let place = places[run.pointID] {
        points[place].runs.append(number)
      } else {
        places[run.pointID] = points.count
        points.append((run.pointID, [number]))
      }
    }
    cases = []
    for expectation in directory.expectations {
      let row = results.scalars.keys.firstIndex {
        $0.scope == "tile" && $0.viewer == expectation.viewer && $0.source == expectation.source
          && $0.metric == expectation.metric && $0.stat == expectation.stat
      }
      let selected = expectation.points.map { Set($0) }
      for point in points where selected?.contains(point.id) ?? true {
        let finished = point.runs.filter { results.runs[$0].isFinished }
        let values = finished.map { run in row.map { results.scalars.values[$0][run] } ?? .nan }
        cases.append(
          Case(
            expectation: expectation, variables: results.runs[point.runs[0]].variables,
            judgement: Judgement(
              values: values, relation: expectation.relation, bound: expectation.bound,
              level: directory.level,
              probability: expectation.overRuns?.probability),
            runs: point.runs.count))
      }
    }
  }

  package func count(of verdict: Verdict) -> Int { cases.count { $0.judgement.verdict == verdict } }
}

extension ExpectationReport.Case {
  /// `frame_height (p50) of teacher at student-1`.
  package var subject: String {
    let name = "\(expectation.metric) (\(expectation.stat)) of \(expectation.source) at \(expectation.viewer)"
    guard let overRuns = expectation.overRuns, overRuns != .mean else { return name }
    return name + ", \(overRuns.rawValue) over runs"
  }

  /// `>= 720.0`.
  package var bound: String { "\(expectation.relation.rawValue) \(expectation.bound)" }

  /// `capacity_bps=500000 policy=bluejeans`; empty for a single run.
  package var point: String { variables.map { "\($0.name)=\($0.value)" }.joined(separator: " ") }

  /// The mean or the quantile over runs, rounded for display.
  package var measured: String {
    guard let value = judgement.quantile?.value ?? judgement.estimate?.mean else { return "nothing" }
    return Self.short(value)
  }

  /// `612 to 731 (95 %, n = 10)`, or the reason why there is none.
  package var interval: String {
    guard let estimate = judgement.estimate else { return "none" }
    let interval: ConfidenceInterval?
    if let quantile = judgement.quantile {
      interval = if case .interval(let found) = quantile.interval { found } else { nil }
    } else {
      interval = estimate.interval
    }
    guard let interval else { return "none, n = \(estimate.count)" }
    let level = Self.short(interval.level * 100)
    return "\(Self.short(interval.low)) to \(Self.short(interval.high)) (\(level) %, n = \(estimate.count))"
  }

  /// The whole case in one sentence.
  package var sentence: String {
    let place = point.isEmpty ? "" : " with \(point)"
    let remark = judgement.remark.isEmpty ? "" : "; \(judgement.remark)"
    return "\(subject)\(place): expected \(bound), measured \(measured), interval \(interval)\(remark)"
  }

  /// Six significant digits, without trailing zeros.
  static func short(_ value: Double) -> String {
    guard value != 0, value.isFinite else { return value == 0 ? "0" : "\(value)" }
    var scale = 1.0
    while abs(value) * scale < 1e5, scale < 1e12 { scale *= 10 }
    let rounded = (value * scale).rounded() / scale
    let text = "\(rounded)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
