package import Quantity

/// Samples a link's capacity over time, for estimators without feedback and for reports; query times must not decrease.
package struct CapacityMeter: Sendable {
  private let steps: [CapacityStep]
  private var step = 0

  package init(profile: CapacityProfile, horizon: SimTime) { steps = profile.steps(until: horizon) }

  /// Whether the capacity never changes.
  package var isConstant: Bool { steps.count == 1 }

  /// The capacity at a point in time.
  package mutating func capacity(at time: SimTime) -> BitRate {
    while step + 1 < steps.count, steps[step + 1].at <= time { step += 1 }
    return steps[step].rate
  }

  /// Mean capacity between two points in time.
  package func mean(from start: SimTime, to end: SimTime) -> BitRate {
    guard end > start, steps.count > 1 else { return steps[step].rate }
    var index = steps.partition(after: start)
    var sum = Int128(0)
    while index < steps.count, steps[index].at < end {
      let begin = max(steps[index].at, start)
      let stop = index + 1 < steps.count ? min(steps[index + 1].at, end) : end
      sum += Int128(steps[index].rate.bitsPerSecond) * Int128((stop - begin).nanoseconds)
      index += 1
    }
    return BitRate(bitsPerSecond: Int64(sum / Int128((end - start).nanoseconds)))
  }
}

extension [CapacityStep] {
  /// Index of the step in effect at a time (binary search).
  fileprivate func partition(after time: SimTime) -> Int {
    var low = 0
    var high = count
    while low + 1 < high {
      let middle = (low + high) / 2
      if self[middle].at <= time { low = middle } else { high = middle }
    }
    return low
  }
}
