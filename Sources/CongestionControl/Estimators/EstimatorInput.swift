/// What an estimator of a path works on.
package enum EstimatorInput: Hashable, Sendable {
  /// The path's true capacity.
  case capacity
  /// Transport-wide feedback; the sender paces its packets.
  case transportFeedback
  /// Estimates that the receiver reports (REMB); the sender neither paces nor pads.
  case receiverEstimate
}
