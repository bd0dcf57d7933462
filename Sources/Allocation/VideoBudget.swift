package import Quantity

/// From what a downlink is believed to carry to what its video may take, to the bit.
package struct VideoBudget: Hashable, Sendable, BitwiseCopyable {
  /// What the decision takes the path to carry, headers and voices included; `nil` before anything is known of it.
  package var estimate: BitRate?
  /// Reserved for voices, never more than the estimate.
  package var voices = BitRate.zero
  /// Reserved for padding.
  package var padding = BitRate.zero
  /// Reserved for RTP headers.
  package var headers = BitRate.zero
  /// Reserved for retransmissions.
  package var repairs = BitRate.zero
  /// The most that video may take by the client's or the server's own limit; unlimited without one.
  package var cap = RateLimit.unlimited

  package init(estimate: BitRate?) { self.estimate = estimate }

  /// - Parameters:
  ///   - voices: what is reserved for them.
  ///   - headerShare: RTP headers relative to payload.
  package init(estimate: BitRate, voices: BitRate, headerShare: Double) {
    self.estimate = estimate
    self.voices = min(voices, estimate)
    let payload = estimate - self.voices
    headers = payload - payload.scaled(by: 1 / (1 + headerShare))
  }

  /// What the path leaves for video, whatever the cap; no limit before anything is known of it.
  package var available: RateLimit {
    estimate.map { RateLimit($0 - voices - padding - headers - repairs) } ?? .unlimited
  }

  /// What video may take.
  package var total: RateLimit { min(available, cap) }

  /// The same reserves on a path that leaves this much for video.
  package func leaving(_ video: BitRate) -> VideoBudget {
    var budget = self
    budget.estimate = video + voices + padding + headers + repairs
    return budget
  }
}
