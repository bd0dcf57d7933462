package import Quantity

/// The SFU's report to a viewer on its downlink.
package struct Downlink: Hashable, Sendable {
  /// Rate that the estimate leaves for video.
  package var budget: BitRate
  /// Reserve for retransmissions, already subtracted from ``budget``.
  package var repairs: BitRate
  /// Signs of congestion; `nil` if the estimator knows the capacity.
  package var signs: Signs?

  package init(budget: BitRate, repairs: BitRate = .zero, signs: Signs?) {
    self.budget = budget
    self.repairs = repairs
    self.signs = signs
  }

  /// Conditions that packets experienced on the path.
  package struct Signs: Hashable, Sendable {
    /// Share of the last second's packets that were lost, 0 to 1.
    package var loss: Double
    /// Standing queue: the delay beyond that of an empty path that all recent packets had.
    package var queueDelay: SimDuration

    package init(loss: Double, queueDelay: SimDuration) {
      self.loss = loss
      self.queueDelay = queueDelay
    }
  }
}
