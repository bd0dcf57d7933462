/// Input of a path's estimator.
package enum EstimatorInput: Hashable, Sendable {
  /// True capacity of the path.
  case capacity
  /// Transport-wide feedback; the sender paces its packets.
  case transportFeedback
  /// Estimates that the receiver reports (REMB); the sender does not pace.
  case receiverEstimate
}
