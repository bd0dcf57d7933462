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
