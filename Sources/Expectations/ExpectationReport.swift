package import Meeting
package import ResultReading
import Statistics

/// Every expectation of a result directory at every point, judged.
package struct ExpectationReport: Sendable {
  /// One expectation at one point.
  package struct Case: Sendable {
    package var expectation: Expectation
    /// What was varied there; empty for a single run.
    package var variables: [RunRecord.Variable]
    package var judgement: Judgement
    /// Runs of the point that were planned.
    package var runs: Int
  }

  package var directory: ExpectedDirectory
  /// In the order of the expectations, and of the points within.
  package var cases: [Case]
  /// Runs that crashed, took too long or are missing.
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
      let meant = expectation.points.map { Set($0) }
      for point in points where meant?.contains(point.id) ?? true {
        let finished = point.runs.filter { results.runs[$0].isFinished }
        let values = finished.map { run in row.map { results.scalars.values[$0][run] } ?? .nan }
        cases.append(
          Case(
            expectation: expectation, variables: results.runs[point.runs[0]].variables,
            judgement: Judgement(
              values: values, relation: expectation.relation, bound: expectation.bound, level: directory.level
            ),
            runs: point.runs.count))
      }
    }
  }

  package func count(of verdict: Verdict) -> Int { cases.count { $0.judgement.verdict == verdict } }
}

extension ExpectationReport.Case {
  /// `frame_height (p50) of teacher at student-1`.
  package var subject: String {
    "\(expectation.metric) (\(expectation.stat)) of \(expectation.source) at \(expectation.viewer)"
  }

  /// `>= 720.0`.
  package var bound: String { "\(expectation.relation.rawValue) \(expectation.bound)" }

  /// `capacity_bps=500000 policy=bluejeans`; empty for a single run.
  package var point: String { variables.map { "\($0.name)=\($0.value)" }.joined(separator: " ") }

  /// The mean or the quantile over runs, rounded for people.
  package var measured: String {
    guard let value = judgement.quantile?.value ?? judgement.estimate?.mean else { return "nothing" }
    return Self.short(value)
  }

  /// `612 to 731 (95 %, n = 10)`; why there is none in place of that.
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

  /// Six significant digits, without the zeros at the end.
  static func short(_ value: Double) -> String {
    guard value != 0, value.isFinite else { return value == 0 ? "0" : "\(value)" }
    var scale = 1.0
    while abs(value) * scale < 1e5, scale < 1e12 { scale *= 10 }
    let rounded = (value * scale).rounded() / scale
    let text = "\(rounded)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
