package import Quantity

/// Path state reported by an estimator with a detector of its own, for an allocator that follows states instead of the
/// target.
package enum PathCongestion: UInt8, BitwiseCopyable, Sendable {
  case none
  /// Queues or losses grow: an allocator should not add anything.
  case earlyWarning
  /// An allocator should reduce to the target.
  case congested
}

/// Result of a probe that an allocator requested.
package enum ProbeVerdict: UInt8, BitwiseCopyable, Sendable {
  case notCongesting
  case inconclusive
  case congesting
}

/// State of a sender's estimator that an allocator drives.
package struct SenderState: Sendable {
  package var mayProbe: Bool
  /// Duration of the next probe.
  package var probeDuration: SimDuration
  package var capacity: BitRate
  /// Verdict on the last probe, given once, when its feedback has arrived or is overdue.
  package var verdict: ProbeVerdict?

  package init(mayProbe: Bool, probeDuration: SimDuration, capacity: BitRate, verdict: ProbeVerdict?) {
    self.mayProbe = mayProbe
    self.probeDuration = probeDuration
    self.capacity = capacity
    self.verdict = verdict
  }
}
