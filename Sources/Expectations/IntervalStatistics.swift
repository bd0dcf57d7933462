package import Plan

/// A statistic over the intervals of a window, each weighted by its length.
package struct IntervalStatistics: Sendable {
  package let measure: Expectation.Measure
  /// Set once an interval inside the window has been added, whether or not there was anything to measure in it.
  package private(set) var hasIntervals = false
  /// Total length of the intervals [ms].
  private var length: Int64 = 0
  /// Sum of values weighted by their lengths.
  private var weighted = 0.0
  private var total = 0.0
  private var least = Double.infinity
  private var greatest = -Double.infinity
  /// For a quantile, the total time of each value [ms].
  private var times: [Double: Int64] = [:]
  /// For a recovery, the end of the last interval that misses the target, and the end of the last interval [ms].
  private var missedUntil: Int64?
  private var knownUntil: Int64?

  package init(_ measure: Expectation.Measure) { self.measure = measure }

  /// Adds an interval.
  ///
  /// - Parameters:
  ///   - value: `nil` if there was nothing to measure, which counts only for a recovery, as a missed target.
  ///   - interval: simulated time [ms]; an interval not wholly inside the window is ignored.
  package mutating func add(_ value: Double?, over interval: Range<Int64>) {
    guard interval.lowerBound >= measure.from ?? 0, interval.upperBound <= measure.to ?? .max else { return }
    hasIntervals = true
    if let target = measure.target {
      knownUntil = interval.upperBound
      let holds = value.map { target.relation.holds($0, target.bound) } ?? false
      if !holds { missedUntil = interval.upperBound }
      return
    }
    guard let value else { return }
    let time = interval.upperBound - interval.lowerBound
    length += time
    weighted += value * Double(time)
    total += value
    least = min(least, value)
    greatest = max(greatest, value)
    if measure.statistic.percent != nil { times[value, default: 0] += time }
  }

  /// Result of the statistic; `nil` if there was nothing to measure, or no recovery.
  package var value: Double? {
    if measure.target != nil {
      guard let knownUntil, knownUntil != missedUntil else { return nil }
      return Double(max(0, (missedUntil ?? 0) - (measure.from ?? 0))) / 1000
    }
    guard length > 0 else { return nil }
    switch measure.statistic {
    case .mean: return weighted / Double(length)
    case .min: return least
    case .max: return greatest
    case .total: return total
    default: return measure.statistic.percent.flatMap(quantile)
    }
  }

  /// Returns the smallest value at or below which the given share of the time lies.
  private func quantile(percent: Int64) -> Double? {
    var time: Int64 = 0
    for (value, own) in times.sorted(by: { $0.key < $1.key }) {
      time += own
      if time * 100 >= percent * length { return value }
    }
    return nil
  }
}
