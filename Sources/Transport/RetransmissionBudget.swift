package import Quantity

/// How much a sender may send again: no more than its target rate over a second (libwebrtc `rate_limiter.cc` as used by
/// `rtp_sender.cc`), and what it does send again, so that media can make room for it.
package struct RetransmissionBudget: BitwiseCopyable {
  private static let window: Int64 = 1_000_000_000
  /// libwebrtc gives repairs at most half of a stream's share (`fec_controller_default.cc`).
  private static let greatestShare = 0.5

  private var spent: Double = 0
  private var updatedAt: Int64 = 0

  package init() {}

  /// Takes a packet's bytes from the budget.
  ///
  /// - Returns: `false` when that would be too much; nothing is taken then.
  package mutating func spend(_ bytes: Int64, target: BitRate, at now: SimTime) -> Bool {
    decay(to: now.nanoseconds)
    guard spent + Double(bytes) <= Double(target.bitsPerSecond) / 8 else { return false }
    spent += Double(bytes)
    return true
  }

  /// The mean rate of repairs over about a second, at most half of a rate.
  package mutating func rate(within target: BitRate, at now: SimTime) -> BitRate {
    decay(to: now.nanoseconds)
    let most = Double(target.bitsPerSecond) * Self.greatestShare
    return BitRate(bitsPerSecond: Int64(min(spent * 8, most)))
  }

  /// The window slides: what lies a second back counts no more, in equal parts.
  private mutating func decay(to now: Int64) {
    guard now > updatedAt else { return }
    spent *= max(0, 1 - Double(now - updatedAt) / Double(Self.window))
    updatedAt = now
  }
}
