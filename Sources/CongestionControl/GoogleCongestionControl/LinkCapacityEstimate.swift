package import Quantity

/// Mean and spread of the throughput at overuse (libwebrtc's `link_capacity_estimator.cc`).
package struct LinkCapacityEstimate: Sendable {
  /// Weight of a new sample.
  private let weight = 0.05
  /// Variance over mean [kbit/s]: a deviation of 14 to 35 kbit/s at 500 kbit/s.
  private let varianceRange = 0.4...2.5
  /// Mean [kbit/s].
  private var mean: Double?
  private var variance = 0.4
  private let roundsDown: Bool

  /// - Parameter roundsDown: `true` to round the mean and its bounds down to whole bit/s instead of to the nearest.
  package init(roundsDown: Bool = false) { self.roundsDown = roundsDown }

  package var rate: BitRate? { mean.map { rate($0) } }

  /// Acknowledged rate above which the capacity has probably increased; `nil` without an estimate.
  package var upperBound: BitRate? { mean.map { rate($0 + 3 * deviation(of: $0)) } }

  /// Acknowledged rate below which the capacity has probably decreased; `nil` without an estimate.
  package var lowerBound: BitRate? { mean.map { rate(max(0, $0 - 3 * deviation(of: $0))) } }

  package mutating func reset() { mean = nil }

  /// Adds the acknowledged rate at an overuse.
  package mutating func add(_ sample: BitRate) {
    let sample = sample.wholeKilobits
    let estimate = mean.map { (1 - weight) * $0 + weight * sample } ?? sample
    let error = estimate - sample
    variance = (1 - weight) * variance + weight * error * error / max(estimate, 1)
    variance = min(max(variance, varianceRange.lowerBound), varianceRange.upperBound)
    mean = estimate
  }

  private func rate(_ kilobits: Double) -> BitRate {
    roundsDown ? BitRate(rounding: (kilobits * 1000).rounded(.towardZero)) : BitRate(kilobits: kilobits)
  }

  private func deviation(of mean: Double) -> Double { (variance * mean).squareRoot() }
}
