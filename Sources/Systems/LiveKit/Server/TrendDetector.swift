package import Quantity

/// Whether a series of estimates rises or falls, by Kendall's rank correlation.
///
/// LiveKit 1.13.5, `pkg/sfu/ccutils/trenddetector.go`.
package struct TrendDetector: Sendable {
  package enum Direction { case inconclusive, upward, downward }

  package struct Parameters: Hashable, Sendable {
    /// Samples that are kept, and the fewest that show a trend.
    package var kept: Int
    package var least: Int
    /// A correlation below this is a downward trend.
    package var threshold: Double
    /// Fewer samples than are kept show a downward trend if they span more than this.
    package var wait: SimDuration
    /// A repeated value is ignored for this long.
    package var collapse: SimDuration
    /// Samples as old as this are dropped.
    package var validity: SimDuration

    package static let normal = Self(
      kept: 12, least: 8, threshold: -0.6, wait: .seconds(5), collapse: .milliseconds(500),
      validity: .seconds(10))
    package static let probe = Self(
      kept: 3, least: 3, threshold: 0, wait: .seconds(5), collapse: .zero, validity: .seconds(10))
  }

  private let parameters: Parameters
  private var samples: [(value: Int64, at: SimTime)] = []
  /// All values, ignored ones included.
  private var count = 0
  package private(set) var highest: Int64 = 0
  package private(set) var direction = Direction.inconclusive

  package init(_ parameters: Parameters) { self.parameters = parameters }

  /// Whether enough values have come for a probe's verdict.
  package var hasEnough: Bool { count >= parameters.kept }

  package mutating func add(_ value: Int64, at now: SimTime) {
    count += 1
    highest = max(highest, value)
    if let last = samples.last, last.value == value, now - last.at < parameters.collapse { return }
    samples.append((value, now))
    prune(at: now)
    updateDirection()
  }

  private mutating func prune(at now: SimTime) {
    samples.removeFirst(max(0, samples.count - parameters.kept))
    samples.removeAll { now - $0.at >= parameters.validity }
    // Of equal values at the front only the last counts.
    let first = samples[0].value
    let same = samples.prefix { $0.value == first }.count
    samples.removeFirst(same - 1)
  }

  private mutating func updateDirection() {
    direction = .inconclusive
    guard samples.count >= parameters.least, let first = samples.first, let last = samples.last else { return }
    let correlation = kendall
    let isFull = samples.count >= parameters.kept
    if correlation > 0, isFull {
      direction = .upward
    } else if correlation < parameters.threshold, isFull || last.at - first.at > parameters.wait {
      direction = .downward
    }
  }

  /// (Rising pairs - falling pairs) / (rising + falling), equal pairs not counted; 0 without any.
  private var kendall: Double {
    var rising = 0
    var falling = 0
    for later in samples.indices {
      for earlier in 0..<later {
        if samples[later].value > samples[earlier].value { rising += 1 }
        if samples[later].value < samples[earlier].value { falling += 1 }
      }
    }
    return rising + falling == 0 ? 0 : Double(rising - falling) / Double(rising + falling)
  }
}
