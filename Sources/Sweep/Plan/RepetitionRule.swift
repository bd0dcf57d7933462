import Scenario
import Statistics

/// Determines the number of repetitions of a point.
///
/// With a stopping rule, the interval is evaluated only at fixed numbers of repetitions (growing by a factor of 1.5),
/// and only once all of these have finished, so that the result does not depend on the order of execution.
struct RepetitionRule {
  /// The outcome of a repetition.
  enum Outcome {
    case unknown
    /// No value: the run failed, or measured nothing.
    case none
    case value(Double)
  }

  let first: Int
  let level: Double
  let until: SweepFile.StopRule?

  init(_ settings: SweepSettings) {
    first = settings.repetitions
    level = settings.confidenceLevel
    until = settings.until
  }

  /// Number of repetitions that a point needs, given the outcomes of its first ones.
  func count(_ outcomes: [Outcome]) -> Int {
    guard let until else { return outcomes.count }
    var count = min(first, outcomes.count)
    while count < outcomes.count, count < until.maximum {
      var values: [Double] = []
      for outcome in outcomes[..<count] {
        switch outcome {
        case .unknown: return count
        case .none: continue
        case .value(let value): values.append(value)
        }
      }
      if isNarrow(values, until) { return count }
      count = min(count + (count + 1) / 2, until.maximum, outcomes.count)
    }
    return count
  }

  private func isNarrow(_ values: [Double], _ until: SweepFile.StopRule) -> Bool {
    guard let estimate = MeanEstimate(values: values, level: level), let interval = estimate.interval else {
      return false
    }
    return interval.halfWidth <= (until.isRelative ? until.halfWidth * abs(estimate.mean) : until.halfWidth)
  }

  /// Evaluates the rule's metric in a run: the mean over all rows selected by the rule.
  func outcome(of file: RunFile) -> Outcome {
    guard let until, file.status == .ok else { return .none }
    var sum = 0.0
    var count = 0
    var begin = 0
    while let end = file.rows[begin...].firstIndex(of: 0x0a) {
      defer { begin = end + 1 }
      let fields = file.rows[begin..<end].split(separator: 0x2c, omittingEmptySubsequences: false)
      guard fields.count == 9, fields[4].elementsEqual(until.metric.utf8),
        fields[5].elementsEqual(until.stat.utf8),
        until.viewer.isEmpty || fields[2].elementsEqual(until.viewer.utf8),
        until.source.isEmpty || fields[3].elementsEqual(until.source.utf8),
        let value = Double(String(decoding: fields[8], as: UTF8.self))
      else { continue }
      sum += value
      count += 1
    }
    return count > 0 ? .value(sum / Double(count)) : .none
  }
}
