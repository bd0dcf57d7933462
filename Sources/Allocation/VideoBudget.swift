package import Quantity

/// Derivation of a video budget from a downlink estimate, exact to the bit.
package struct VideoBudget: Hashable, Sendable, BitwiseCopyable {
  /// Estimated capacity of the path, including headers and voices; `nil` while unknown.
  package var estimate: BitRate?
  /// Reserve for voices, never more than the estimate.
  package var voices = BitRate.zero
  /// Reserve for padding.
  package var padding = BitRate.zero
  /// Reserve for RTP headers.
  package var headers = BitRate.zero
  /// Reserve for retransmissions.
  package var repairs = BitRate.zero
  /// Client's or server's own limit on video; unlimited without one.
  package var cap = RateLimit.unlimited

  package init(estimate: BitRate?) { self.estimate = estimate }

  /// - Parameters:
  ///   - voices: reserve for voices.
  ///   - headerShare: RTP headers relative to payload.
  package init(estimate: BitRate, voices: BitRate, headerShare: Double) {
    self.estimate = estimate
    self.voices = min(voices, estimate)
    let payload = estimate - self.voices
    headers = payload - payload.scaled(by: 1 / (1 + headerShare))
  }

  /// Capacity that the path leaves for video, whatever the cap; unlimited while the estimate is unknown.
  package var available: RateLimit {
    estimate.map { RateLimit($0 - voices - padding - headers - repairs) } ?? .unlimited
  }

  /// Video budget: the available rate within the cap.
  package var total: RateLimit { min(available, cap) }

  /// Returns the budget with the same reserves on a path that leaves a given rate for video.
  package func leaving(_ video: BitRate) -> VideoBudget {
    var budget = self
    budget.estimate = video + voices + padding + headers + repairs
    return budget
  }
}
