package import Plan
package import Statistics

/// Outcome of an expectation.
package enum Verdict: String, Sendable {
  case pass, fail
  /// The interval straddles the bound, or no run has finished.
  case inconclusive

  /// Severity; the worst has the highest rank.
  fileprivate var rank: Int {
    switch self {
    case .pass: 0
    case .inconclusive: 1
    case .fail: 2
    }
  }
}

/// A measured value with its interval, and the verdict on it.
package struct Judgement: Equatable, Sendable {
  package var verdict: Verdict
  /// Mean over the runs; `nil` if no run measured anything.
  package var estimate: MeanEstimate?
  /// Quantile over the runs, for an expectation on a quantile.
  package var quantile: QuantileEstimate?
  /// Number of finished runs without a measurement, such as the delay of a first frame that never arrived.
  package var runsWithoutValue: Int
  /// Explanation of the verdict; may be empty.
  package var remark: String

  /// Compares values with a bound; the unit of analysis is the replication.
  ///
  /// An interval entirely on the passing side of the bound passes, one entirely on the failing side fails. A single
  /// value is compared directly. A quantile over too few runs for an interval is inconclusive.
  ///
  /// - Parameters:
  ///   - values: one per finished run, in the metric's unit; NaN for a run without a measurement.
  ///   - relation: relation to the bound required for a pass.
  ///   - level: confidence level of the interval, above 0 and below 1.
  ///   - probability: quantile over the runs to compare with the bound, above 0 and below 1; `nil` for the mean.
  ///   - isRecovery: `true` if a run without a measurement is one that did not recover.
  package init(
    values: some Collection<Double>, relation: Expectation.Relation, bound: Double, level: Double = 0.95,
    probability: Double? = nil, isRecovery: Bool = false
  ) {
    estimate = MeanEstimate(values: values, level: level)
    quantile = probability.flatMap { QuantileEstimate(values: values, probability: $0, level: level) }
    runsWithoutValue = values.count - (estimate?.count ?? 0)
    guard let estimate else {
      // If nothing ran, the missing runs are reported: a crash is not a failed expectation.
      verdict = values.isEmpty ? .inconclusive : .fail
      let missing = isRecovery ? "it did not recover" : "nothing was measured"
      remark = values.isEmpty ? "no run has finished" : missing
      return
    }
    if let quantile {
      switch quantile.interval {
      case .interval(let interval):
        verdict = Self.verdict(of: interval, relation, bound)
        remark = ""
      case .notEnoughRuns(let needed):
        verdict = .inconclusive
        remark = "not enough runs: an interval for this quantile needs \(needed)"
      }
      qualify(runs: values.count, isRecovery)
      return
    }
    guard let interval = estimate.interval else {
      verdict = relation.holds(estimate.mean, bound) ? .pass : .fail
      remark = ""
      qualify(runs: values.count, isRecovery)
      return
    }
    verdict = Self.verdict(of: interval, relation, bound)
    remark = ""
    if verdict == .inconclusive,
      let enough = estimate.count(forHalfWidth: abs(estimate.mean - bound)), enough > estimate.count
    {
      // Two runs say next to nothing about their spread.
      let isTold = estimate.count > 2 && enough <= max(Self.mostRuns, 10 * estimate.count)
      remark =
        isTold
        ? "about \(enough) runs instead of \(estimate.count) would decide" : "too few runs to tell"
    }
    qualify(runs: values.count, isRecovery)
  }

  /// Number of runs beyond which an estimate of how many would decide helps nobody.
  private static let mostRuns = 1000

  /// Withholds a pass if some runs have no measurement, since the mean over the others does not cover them.
  private mutating func qualify(runs: Int, _ isRecovery: Bool) {
    guard runsWithoutValue > 0 else { return }
    if verdict == .pass { verdict = .inconclusive }
    remark = "\(runsWithoutValue) of \(runs) runs \(isRecovery ? "did not recover" : "measured nothing")"
  }

  /// Checks whether this judgement satisfies the bound less well than another.
  func isWorse(than other: Judgement, _ relation: Expectation.Relation, _ bound: Double) -> Bool {
    guard verdict == other.verdict else { return verdict.rank > other.verdict.rank }
    guard let own = quantile?.value ?? estimate?.mean else { return other.estimate != nil }
    guard let others = other.quantile?.value ?? other.estimate?.mean else { return false }
    return switch relation {
    case .atLeast, .above: own < others
    case .atMost, .below: own > others
    case .equal: abs(own - bound) > abs(others - bound)
    }
  }

  /// Puts a remark before any existing ones.
  mutating func note(_ text: String) { remark = remark.isEmpty ? text : "\(text); \(remark)" }

  private static func verdict(
    of interval: ConfidenceInterval, _ relation: Expectation.Relation, _ bound: Double
  ) -> Verdict {
    let ends = [relation.holds(interval.low, bound), relation.holds(interval.high, bound)]
    if relation == .equal {
      // Equality can be refuted, but confirmed only without variance.
      if ends == [true, true] { return .pass }
      return interval.contains(bound) ? .inconclusive : .fail
    }
    if ends == [true, true] { return .pass }
    return ends == [false, false] ? .fail : .inconclusive
  }
}
