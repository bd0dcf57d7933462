package import Meeting
package import Statistics

/// What came of an expectation.
package enum Verdict: String, Sendable {
  case pass, fail
  /// The interval lies on both sides of the bound, or there is no run to judge by.
  case inconclusive
}

/// What is known of a value, and whether it is what was expected.
package struct Judgement: Equatable, Sendable {
  package var verdict: Verdict
  /// Mean over the runs; `nil` when none measured anything.
  package var estimate: MeanEstimate?
  /// Quantile over the runs, where that is what is held against the bound.
  package var quantile: QuantileEstimate?
  /// Finished runs that measured nothing, such as the delay of a first frame that never came.
  package var runsWithoutValue: Int
  /// What a reader of the verdict has to know.
  package var remark: String

  /// Holds values against a bound; the replication is the unit.
  ///
  /// An interval that lies wholly on the good side of the bound passes, one wholly on the bad side fails. One value
  /// alone is compared as it is. A quantile over too few runs for an interval is inconclusive.
  ///
  /// - Parameters:
  ///   - values: one per finished run, in the metric's unit; NaN for a run that measured nothing.
  ///   - relation: how a good value lies to the bound.
  ///   - level: confidence of the interval, above 0 and below 1.
  ///   - probability: which quantile over the runs is held against the bound, above 0 and below 1; `nil` for the mean.
  package init(
    values: some Collection<Double>, relation: Expectation.Relation, bound: Double, level: Double = 0.95,
    probability: Double? = nil
  ) {
    estimate = MeanEstimate(values: values, level: level)
    quantile = probability.flatMap { QuantileEstimate(values: values, probability: $0, level: level) }
    runsWithoutValue = values.count - (estimate?.count ?? 0)
    guard let estimate else {
      // That nothing ran is for the missing runs to say; a crash is no failed expectation.
      verdict = values.isEmpty ? .inconclusive : .fail
      remark = values.isEmpty ? "no run has finished" : "nothing was measured"
      return
    }
    if let quantile {
      switch quantile.interval {
      case .interval(let interval):
        verdict = Self.verdict(of: interval, relation, bound)
        remark = ""
      case .notEnoughRuns(let needed):
        verdict = .inconclusive
        remark = "not enough runs: an interval of this quantile takes \(needed)"
      }
      qualify(runs: values.count)
      return
    }
    guard let interval = estimate.interval else {
      verdict = relation.holds(estimate.mean, bound) ? .pass : .fail
      remark = "one run: no interval can be had"
      qualify(runs: values.count)
      return
    }
    verdict = Self.verdict(of: interval, relation, bound)
    remark = ""
    if verdict == .inconclusive,
      let enough = estimate.count(forHalfWidth: abs(estimate.mean - bound)), enough > estimate.count
    {
      remark = "about \(enough) runs in place of \(estimate.count) would tell"
    }
    qualify(runs: values.count)
  }

  /// A mean over the runs that measured something is no pass for those that did not.
  private mutating func qualify(runs: Int) {
    guard runsWithoutValue > 0 else { return }
    if verdict == .pass { verdict = .inconclusive }
    remark = "\(runsWithoutValue) of \(runs) runs measured nothing"
  }

  private static func verdict(
    of interval: ConfidenceInterval, _ relation: Expectation.Relation, _ bound: Double
  ) -> Verdict {
    let ends = [relation.holds(interval.low, bound), relation.holds(interval.high, bound)]
    if relation == .equal {
      // That a mean equals a bound can be refuted, and shown only where nothing varies.
      if ends == [true, true] { return .pass }
      return interval.contains(bound) ? .inconclusive : .fail
    }
    if ends == [true, true] { return .pass }
    return ends == [false, false] ? .fail : .inconclusive
  }
}
