/// Input of a path's estimator.
package enum EstimatorInput: Hashable, Sendable {
  /// True capacity of the path.
  case capacity
  /// Transport-wide feedback; the sender paces its packets.
  case transportFeedback
  /// Estimates that the receiver reports (REMB); the sender does not pace.
  case receiverEstimate
}

/// Characteristics in which estimators differ.
package struct EstimatorTraits: Hashable, Sendable {
  package var input: EstimatorInput
  /// `true` if an allocator follows ``PathOutlook/congestion`` and probes by itself; packets are then not paced.
  package var isAllocatorDriven = false

  package init(_ input: EstimatorInput, isAllocatorDriven: Bool = false) {
    self.input = input
    self.isAllocatorDriven = isAllocatorDriven
  }
}
