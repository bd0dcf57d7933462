import Metrics
import Plan
import ResultReading
import Statistics

extension ExpectationReport.Case {
  /// Judges an expectation at a point.
  ///
  /// An expectation about several subjects is judged by the subject that satisfies it least.
  ///
  /// - Parameters:
  ///   - rows: indices of the expectation's values in the table.
  ///   - runs: indices of the point's runs.
  init(_ expectation: Expectation, of rows: [Int], in results: Results, runs: [Int], level: Double) {
    let finished = runs.filter { results.runs[$0].isFinished }
    /// A value of the meeting has a row for each viewer who is named with it, such as the one in the worst seat.
    func value(_ row: Int?, _ run: Int) -> Double {
      let places = expectation.scope == .meeting ? rows : [row].compactMap(\.self)
      return places.lazy.map { results.scalars.values[$0][run] }.first { !$0.isNaN } ?? .nan
    }
    func judge(_ row: Int?) -> Judgement {
      Judgement(
        values: finished.map { value(row, $0) }, relation: expectation.relation, bound: expectation.bound,
        level: level, probability: expectation.overRuns?.probability,
        isRecovery: row != nil && expectation.measure?.target != nil)
    }
    self.init(
      expectation: expectation, variables: results.runs[runs[0]].variables, judgement: judge(rows.first),
      runs: runs.count,
      unit: rows.first.map { results.scalars.keys[$0].unit } ?? expectation.measure?.unit ?? "")
    var subject = rows.first
    defer {
      if !variables.isEmpty {
        worstRun = finished.min { expectation.prefers(value(subject, $1), to: value(subject, $0)) }
          .map { (results.runs[$0].runID, value(subject, $0)) }
      }
    }
    guard expectation.isAboutMany else { return }
    let judgements = rows.map { (row: $0, judgement: judge($0)) }
    guard
      let least = judgements.min(by: {
        $0.judgement.isWorse(than: $1.judgement, expectation.relation, expectation.bound)
      })
    else { return }
    judgement = least.judgement
    subject = least.row
    worst = results.scalars.keys[least.row]
    let failed = judgements.count { $0.judgement.verdict == .fail }
    // A value that is worse in the mean may vary too much to fail.
    func mean(_ judgement: Judgement) -> Double {
      judgement.quantile?.value ?? judgement.estimate?.mean ?? .nan
    }
    let lowest = judgements.min { expectation.prefers(mean($1.judgement), to: mean($0.judgement)) }
    let other = lowest.flatMap {
      expectation.prefers(mean(least.judgement), to: mean($0.judgement)) ? $0 : nil
    }
    judgement.note(
      "\(results.scalars.keys[least.row].subject), the \(other == nil ? "worst" : "clearest") of \(rows.count)"
        + (failed > 1 ? ", \(failed) of which fail" : "")
        + (other.map { "; \(results.scalars.keys[$0.row].subject) has a worse mean, which varies more" } ?? "")
    )
  }
}

extension ScalarKey {
  /// Subject of the value, such as `teacher at student-1`.
  var subject: String {
    switch (viewer.isEmpty, source.isEmpty) {
    case (false, false): "\(source) at \(viewer)"
    case (false, true): viewer
    default: source
    }
  }
}
