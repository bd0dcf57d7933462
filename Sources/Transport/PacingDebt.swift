import Quantity

/// What a pacer has sent ahead of a rate: bytes times 8 x 10^9, so that a nanosecond at a rate [bit/s] is a whole number.
///
/// It saturates at 9 x 10^18, more than a gigabyte.
struct PacingDebt: BitwiseCopyable {
  private var units: Int64 = 0

  /// Adds what was sent, up to what a rate pays off in some time.
  mutating func add(bytes: Int64, rate: Int64, limit: SimDuration) {
    units = min(units &+ bytes &* 8_000_000_000, Self.paid(by: rate, in: limit.nanoseconds))
  }

  /// Pays off what a rate allows in some time [ns].
  mutating func pay(rate: Int64, elapsed: Int64) {
    units = max(0, units &- Self.paid(by: rate, in: elapsed))
  }

  /// Whether it is below some bytes and below what a rate pays off in some time.
  func isBelow(bytes: Int64, rate: Int64, time: SimDuration) -> Bool {
    units < min(bytes &* 8_000_000_000, Self.paid(by: rate, in: time.nanoseconds))
  }

  /// How long a rate above zero takes to pay it off [ns].
  func time(rate: Int64) -> Int64 { units > 0 ? (units - 1) / rate + 1 : 0 }

  private static func paid(by rate: Int64, in time: Int64) -> Int64 {
    let (paid, isGreater) = rate.multipliedReportingOverflow(by: time)
    return isGreater ? greatest : min(paid, greatest)
  }

  /// Leaves room for the packet that is added before the limit applies.
  private static let greatest = Int64.max - 1 << 50
}
