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
    func judge(_ row: Int?) -> Judgement {
      Judgement(
        values: finished.map { run in row.map { results.scalars.values[$0][run] } ?? .nan },
        relation: expectation.relation, bound: expectation.bound, level: level,
        probability: expectation.overRuns?.probability,
        isRecovery: row != nil && expectation.measure?.target != nil)
    }
    self.init(
      expectation: expectation, variables: results.runs[runs[0]].variables, judgement: judge(rows.first),
      runs: runs.count,
      unit: rows.first.map { results.scalars.keys[$0].unit } ?? expectation.measure?.unit ?? "")
    guard expectation.isAboutMany else { return }
    let judgements = rows.map { (row: $0, judgement: judge($0)) }
    guard
      let least = judgements.min(by: {
        $0.judgement.isWorse(than: $1.judgement, expectation.relation, expectation.bound)
      })
    else { return }
    judgement = least.judgement
    worst = results.scalars.keys[least.row]
    let failed = judgements.count { $0.judgement.verdict == .fail }
    judgement.note("\(worstName), the worst of \(rows.count)\(failed > 1 ? ", \(failed) of which fail" : "")")
  }

  /// Subject of the judgement, such as `teacher at student-1`.
  private var worstName: String {
    guard let worst else { return "" }
    return switch (worst.viewer.isEmpty, worst.source.isEmpty) {
    case (false, false): "\(worst.source) at \(worst.viewer)"
    case (false, true): worst.viewer
    default: worst.source
    }
  }
}
