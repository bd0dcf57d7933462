/// What an estimator with an own detector says of a path, for an allocator that follows states instead of the target.
package enum PathCongestion: UInt8, BitwiseCopyable, Sendable {
  case none
  /// Queues or losses grow: an allocator should not add anything.
  case earlyWarning
  /// An allocator should reduce to the target.
  case congested
}

/// What a probe that an allocator asked for showed.
package enum ProbeVerdict: UInt8, BitwiseCopyable, Sendable {
  case notCongesting
  case inconclusive
  case congesting
}
