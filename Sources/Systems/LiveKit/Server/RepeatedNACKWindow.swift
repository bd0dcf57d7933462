package import Quantity

/// The share of packets that viewers request more than once, in a window that opens with the first of them.
///
/// LiveKit 1.13.5, `pkg/sfu/bwe/remotebwe/nack_tracker.go`.
package struct RepeatedNACKWindow: Sendable {
  package struct Parameters: Hashable, Sendable {
    /// The window shows losses once it is older than this.
    package var least: SimDuration
    /// It is dropped once it is older than this.
    package var longest: SimDuration
    /// Losses are a sign of congestion above this ratio.
    package var threshold: Double

    package init(least: SimDuration, longest: SimDuration, threshold: Double) {
      self.least = least
      self.longest = longest
      self.threshold = threshold
    }
  }

  private let parameters: Parameters
  private var openedAt: SimTime?
  private var packets = 0
  private var repeated = 0

  package init(_ parameters: Parameters) { self.parameters = parameters }

  package mutating func add(packets newPackets: Int, repeated newRepeated: Int, at now: SimTime) {
    if let openedAt, now - openedAt > parameters.longest {
      self.openedAt = nil
      packets = 0
      repeated = 0
    }
    if repeated == 0, newRepeated != 0 { openedAt = now }
    guard openedAt != nil else { return }
    packets += newPackets
    repeated += newRepeated
  }

  /// 0 to 1.
  package var ratio: Double { packets == 0 ? 0 : min(1, Double(repeated) / Double(packets)) }

  package func isTriggered(at now: SimTime) -> Bool {
    guard let openedAt, now - openedAt > parameters.least else { return false }
    return ratio > parameters.threshold
  }
}
