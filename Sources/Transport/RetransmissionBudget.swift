package import Quantity

/// Limit of retransmissions to the target rate over one second (libwebrtc `rate_limiter.cc` as used by
/// `rtp_sender.cc`), with a measurement of their rate, which is reserved from the media rate.
package struct RetransmissionBudget: BitwiseCopyable {
  private static let window: Int64 = 1_000_000_000
  /// Maximum share of a stream's rate that is reserved for retransmissions: half in libwebrtc
  /// (`fec_controller_default.cc`).
  private static let maximumShare = 0.5

  private var spent: Double = 0
  private var updatedAt: Int64 = 0

  package init() {}

  /// Spends budget on a packet.
  ///
  /// - Returns: `false`, with nothing spent, if the budget does not suffice.
  package mutating func spend(_ bytes: Int64, target: BitRate, at now: SimTime) -> Bool {
    decay(to: now.nanoseconds)
    guard spent + Double(bytes) <= Double(target.bitsPerSecond) / 8 else { return false }
    spent += Double(bytes)
    return true
  }

  /// Counts a packet that is sent regardless of the budget.
  package mutating func note(_ bytes: Int64, at now: SimTime) {
    decay(to: now.nanoseconds)
    spent += Double(bytes)
  }

  /// Returns the mean retransmission rate over about a second, at most half of `target`.
  package mutating func rate(within target: BitRate, at now: SimTime) -> BitRate {
    decay(to: now.nanoseconds)
    let most = Double(target.bitsPerSecond) * Self.maximumShare
    return BitRate(bitsPerSecond: Int64(min(spent * 8, most)))
  }

  /// Approximates a sliding window of one second by linear decay.
  private mutating func decay(to now: Int64) {
    guard now > updatedAt else { return }
    spent *= max(0, 1 - Double(now - updatedAt) / Double(Self.window))
    updatedAt = now
  }
}
