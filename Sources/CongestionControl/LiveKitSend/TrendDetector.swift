package import Quantity

/// Parameters of ``TrendDetector``.
package struct TrendParameters: Hashable, Sendable {
  /// Number of samples that are kept.
  package var samples: Int
  /// Minimum number of samples for a downward trend, once they span more than ``wait``.
  package var minimumSamples: Int
  /// Rank correlation below which the trend is downward.
  package var threshold: Double
  /// Span that must be exceeded for a downward trend while there are fewer than ``samples`` samples.
  package var wait: SimDuration
  /// Time in which a repeated value counts only once.
  package var collapse: SimDuration
  /// Age at which a sample is discarded.
  package var validity: SimDuration

  package init(
    samples: Int, minimumSamples: Int, threshold: Double, wait: SimDuration, collapse: SimDuration,
    validity: SimDuration
  ) {
    self.samples = samples
    self.minimumSamples = minimumSamples
    self.threshold = threshold
    self.wait = wait
    self.collapse = collapse
    self.validity = validity
  }
}

/// Detector of a trend in few values by Kendall's rank correlation (LiveKit's `pkg/sfu/ccutils/trenddetector.go`).
package struct TrendDetector: Sendable {
  package enum Direction: UInt8, BitwiseCopyable, Sendable { case inconclusive, upward, downward }

  private struct Sample: BitwiseCopyable, Sendable {
    var value: Double
    var at: SimTime
  }

  private let parameters: TrendParameters
  private var samples: [Sample] = []
  package private(set) var direction = Direction.inconclusive
  /// Number of values added.
  package private(set) var count = 0
  /// Highest value added.
  package private(set) var highest = 0.0
  /// Lowest value added.
  package private(set) var lowest = 0.0

  package init(parameters: TrendParameters) { self.parameters = parameters }

  package mutating func add(_ value: Double, at now: SimTime) {
    highest = count == 0 ? value : max(highest, value)
    lowest = count == 0 ? value : min(lowest, value)
    count += 1
    if let last = samples.last, last.value == value, parameters.collapse > .zero,
      now - last.at < parameters.collapse
    {
      return
    }
    samples.append(Sample(value: value, at: now))
    if samples.count > parameters.samples { samples.removeFirst() }
    while let first = samples.first, now - first.at >= parameters.validity { samples.removeFirst() }
    // Of equal first samples, only the last shows when the trend began.
    while samples.count > 1, samples[0].value == samples[1].value { samples.removeFirst() }
    direction = currentDirection()
  }

  private func currentDirection() -> Direction {
    guard let first = samples.first, let last = samples.last, samples.count >= parameters.minimumSamples
    else {
      return .inconclusive
    }
    var correlation = RankCorrelation()
    for newer in samples.indices {
      for older in 0..<newer { correlation.add(older: samples[older].value, newer: samples[newer].value) }
    }
    let isFull = samples.count >= parameters.samples
    let tau = correlation.value ?? 0
    if tau > 0, isFull { return .upward }
    if tau < parameters.threshold, isFull || last.at - first.at > parameters.wait { return .downward }
    return .inconclusive
  }
}

/// Kendall's rank correlation of values and their order, without ties.
struct RankCorrelation: BitwiseCopyable, Sendable {
  private var rising = 0
  private var falling = 0

  /// Adds a pair of values.
  mutating func add(older: Double, newer: Double) {
    if newer > older { rising += 1 } else if newer < older { falling += 1 }
  }

  /// Correlation from -1 if all pairs fall to 1 if all rise; `nil` if all are ties.
  var value: Double? {
    let pairs = rising + falling
    return pairs == 0 ? nil : Double(rising - falling) / Double(pairs)
  }
}
