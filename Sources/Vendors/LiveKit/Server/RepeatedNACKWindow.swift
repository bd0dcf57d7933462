package import Quantity
import Systems

/// Share of packets that viewers request more than once, in a window that opens with the first of them.
///
/// LiveKit 1.13.5, `pkg/sfu/bwe/remotebwe/nack_tracker.go`.
package struct RepeatedNACKWindow: Sendable {
  package struct Parameters: Hashable, Sendable {
    /// Age beyond which the window shows losses.
    package var least: SimDuration
    /// Age beyond which the window is dropped.
    package var longest: SimDuration
    /// Ratio above which losses indicate congestion.
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

  /// Share of repeated packets, 0 to 1.
  package var ratio: Double { packets == 0 ? 0 : min(1, Double(repeated) / Double(packets)) }

  package func isTriggered(at now: SimTime) -> Bool {
    guard let openedAt, now - openedAt > parameters.least else { return false }
    return ratio > parameters.threshold
  }
}
