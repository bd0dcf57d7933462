import Quantity

/// Data sent ahead of the pacing rate, in units of 1 / (8 x 10^9) byte, so that a nanosecond at a rate [bit/s] is a
/// whole number.
///
/// It saturates at 9 x 10^18, more than a gigabyte.
struct PacingDebt: BitwiseCopyable {
  private var units: Int64 = 0

  /// Adds sent bytes, limited to the amount that the rate pays off in `limit`.
  mutating func add(bytes: Int64, rate: Int64, limit: SimDuration) {
    units = min(units &+ bytes &* 8_000_000_000, Self.paid(by: rate, in: limit.nanoseconds))
  }

  /// Pays off the debt at a rate for some time [ns].
  mutating func pay(rate: Int64, elapsed: Int64) {
    units = max(0, units &- Self.paid(by: rate, in: elapsed))
  }

  /// Checks whether the debt is below a size and below the amount that the rate pays off in a time.
  func isBelow(bytes: Int64, rate: Int64, time: SimDuration) -> Bool {
    units < min(bytes &* 8_000_000_000, Self.paid(by: rate, in: time.nanoseconds))
  }

  /// Returns the time to pay off the debt at a rate above zero [ns].
  func time(rate: Int64) -> Int64 { units > 0 ? (units - 1) / rate + 1 : 0 }

  private static func paid(by rate: Int64, in time: Int64) -> Int64 {
    let (paid, overflows) = rate.multipliedReportingOverflow(by: time)
    return overflows ? maximum : min(paid, maximum)
  }

  /// Greatest debt, which leaves room for adding a packet before the limit is applied.
  private static let maximum = Int64.max - 1 << 50
}
