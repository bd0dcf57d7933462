/// Bit rate, in whole bits per second.
///
/// Scenarios allow up to 10^12 bit/s, and scaling saturates at ``greatest``, 10^14 bit/s, of which 64 bits can hold a
/// sum of 92,000. A rate that may be unlimited is a ``RateLimit``, which is never summed.
@frozen
public struct BitRate: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Rate [bit/s].
  public var bitsPerSecond: Int64

  /// Creates a rate.
  @inlinable
  public init(bitsPerSecond: Int64) { self.bitsPerSecond = bitsPerSecond }

  /// Creates the rate of a number of bytes in a time, rounded towards zero; no time counts as a nanosecond.
  @inlinable @inline(__always)
  public init(bytes: Int64, in time: SimDuration) {
    self.init(bitsPerSecond: bytes.scaled(by: 8_000_000_000, per: max(1, time.nanoseconds)))
  }

  /// Zero.
  @inlinable
  public static var zero: BitRate { .init(bitsPerSecond: 0) }

  /// Greatest rate that ``scaled(by:)`` yields: a hundred times the maximum in a scenario.
  @inlinable
  public static var greatest: BitRate { .init(bitsPerSecond: 100_000_000_000_000) }

  /// Creates a rate of whole kilobits (1000 bits) per second.
  @inlinable
  public static func kilobits(_ count: Int64) -> BitRate { .init(bitsPerSecond: count * 1_000) }

  /// Creates a rate of whole megabits (1,000,000 bits) per second.
  @inlinable
  public static func megabits(_ count: Int64) -> BitRate { .init(bitsPerSecond: count * 1_000_000) }

  /// Compares two rates.
  @inlinable
  public static func < (a: BitRate, b: BitRate) -> Bool { a.bitsPerSecond < b.bitsPerSecond }

  /// Adds two rates.
  @inlinable
  public static func + (a: BitRate, b: BitRate) -> BitRate {
    .init(bitsPerSecond: a.bitsPerSecond + b.bitsPerSecond)
  }

  /// Subtracts one rate from another.
  @inlinable
  public static func - (a: BitRate, b: BitRate) -> BitRate {
    .init(bitsPerSecond: a.bitsPerSecond - b.bitsPerSecond)
  }

  /// Adds a rate.
  @inlinable
  public static func += (a: inout BitRate, b: BitRate) { a.bitsPerSecond += b.bitsPerSecond }

  /// Subtracts a rate.
  @inlinable
  public static func -= (a: inout BitRate, b: BitRate) { a.bitsPerSecond -= b.bitsPerSecond }

  /// Multiplies the rate by a factor, rounding to whole bits per second, at most ``greatest``; NaN counts as zero.
  @inlinable
  public func scaled(by factor: Double) -> BitRate { .init(rounding: Double(bitsPerSecond) * factor) }

  /// Creates the rate nearest to a number of bits per second, at most ``greatest``; NaN counts as zero.
  @inlinable @inline(__always)
  public init(rounding bitsPerSecond: Double) {
    let rounded = bitsPerSecond.rounded()
    // The usual case takes one comparison; NaN fails it.
    guard rounded.magnitude <= Double(Self.greatest.bitsPerSecond) else {
      self = Self.saturated(rounded)
      return
    }
    self.init(bitsPerSecond: Int64(rounded))
  }

  @usableFromInline @inline(never)
  static func saturated(_ bitsPerSecond: Double) -> BitRate {
    let limit = greatest.bitsPerSecond
    return bitsPerSecond.isNaN ? .zero : BitRate(bitsPerSecond: bitsPerSecond < 0 ? -limit : limit)
  }

  /// Transmission time of one byte [ps], rounded to the nearest; `nil` at rate zero.
  ///
  /// Links compute with this integer; at 30 Mbit/s its relative error is 1.3e-6.
  @inlinable
  public var picosecondsPerByte: Int64? {
    guard bitsPerSecond > 0 else { return nil }
    return (8_000_000_000_000 + bitsPerSecond / 2) / bitsPerSecond
  }
}
