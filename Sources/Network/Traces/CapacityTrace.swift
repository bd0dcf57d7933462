package import Quantity

/// Recorded or generated capacity over time.
package struct CapacityTrace: Hashable, Sendable {
  /// Content of a trace.
  package enum Content: Hashable, Sendable {
    /// Capacity steps with strictly increasing times from zero.
    case rates([CapacityStep])
    /// Delivery opportunities of ``CapacityTrace/opportunitySize`` bytes each, as in Mahimahi's `mm-link` [ns since the
    /// start]; several may coincide.
    case opportunities([Int64])
  }

  /// Behaviour after the end of the trace.
  package enum Continuation: String, Hashable, Sendable, CaseIterable {
    /// The trace repeats.
    case loop
    /// The last capacity is kept.
    case hold
  }

  package let content: Content
  /// Length of one pass; for opportunities, the last time in the file (mm-link's rule).
  package let period: SimDuration
  package var continuation: Continuation
  /// Amount that one pass carries [bit/s x ns].
  let integral: Int128

  package init(content: Content, period: SimDuration, continuation: Continuation) {
    self.content = content
    self.period = period
    self.continuation = continuation
    switch content {
    case .opportunities(let times): integral = Int128(times.count) * Int128(Self.opportunityIntegral)
    case .rates(let steps):
      var sum = Int128(0)
      var end = period.nanoseconds
      for step in steps.reversed() {
        sum += Int128(step.rate.bitsPerSecond) * Int128(end - step.at.nanoseconds)
        end = step.at.nanoseconds
      }
      integral = sum
    }
  }

  /// Minimum length of a pass that repeats: of anything shorter than a packet on a slow link, only the mean matters.
  package static let shortestLoop = SimDuration.milliseconds(1)

  /// Size of a delivery opportunity [byte]: 1504 in Mahimahi's code (`link_queue.hh`), although its manual says 1500.
  package static let opportunitySize: Int64 = 1504
  /// Capacity integral of one delivery opportunity [bit/s x ns].
  static let opportunityIntegral = opportunitySize * 8 * 1_000_000_000
}
