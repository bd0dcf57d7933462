/// Duration of simulated time, in whole nanoseconds.
///
/// Scenarios allow up to 365 d, 3.2 x 10^16 ns, of which 64 bits can hold a sum of 292. Multiples saturate. For points
/// in time see ``SimTime``.
@frozen
public struct SimDuration: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Duration [ns].
  public var nanoseconds: Int64

  /// Creates a duration.
  @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Zero.
  @inlinable
  public static var zero: SimDuration { .init(nanoseconds: 0) }

  /// Creates a duration of whole microseconds.
  @inlinable
  public static func microseconds(_ count: Int64) -> SimDuration { .init(nanoseconds: count * 1_000) }

  /// Creates a duration of whole milliseconds.
  @inlinable
  public static func milliseconds(_ count: Int64) -> SimDuration { .init(nanoseconds: count * 1_000_000) }

  /// Creates a duration of whole seconds.
  @inlinable
  public static func seconds(_ count: Int64) -> SimDuration { .init(nanoseconds: count * 1_000_000_000) }

  /// Creates the time that a number of frames takes at a frame rate above zero [1/1000 Hz], rounded down.
  @inlinable
  public init(frames: Int64 = 1, milliFramesPerSecond: Int) {
    self.init(nanoseconds: Int64(Int128(frames) * 1_000_000_000_000 / Int128(milliFramesPerSecond)))
  }

  /// Duration in seconds, for reports; decisions use ``nanoseconds``.
  @inlinable
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Compares two durations.
  @inlinable
  public static func < (a: SimDuration, b: SimDuration) -> Bool { a.nanoseconds < b.nanoseconds }

  /// Adds two durations.
  @inlinable
  public static func + (a: SimDuration, b: SimDuration) -> SimDuration {
    .init(nanoseconds: a.nanoseconds + b.nanoseconds)
  }

  /// Subtracts one duration from another.
  @inlinable
  public static func - (a: SimDuration, b: SimDuration) -> SimDuration {
    .init(nanoseconds: a.nanoseconds - b.nanoseconds)
  }

  /// Multiplies the duration by an integer, saturating at plus or minus ``longest``.
  @inlinable
  public static func * (a: SimDuration, count: Int64) -> SimDuration {
    let (product, overflows) = a.nanoseconds.multipliedReportingOverflow(by: count)
    guard overflows else { return .init(nanoseconds: product) }
    return .init(nanoseconds: (a.nanoseconds < 0) == (count < 0) ? longest.nanoseconds : -longest.nanoseconds)
  }

  /// Creates the duration nearest to a number of nanoseconds, at most ``longest``; NaN counts as zero.
  @inlinable
  public init(rounding nanoseconds: Double) {
    let limit = Double(Self.longest.nanoseconds)
    self.init(nanoseconds: nanoseconds.isNaN ? 0 : Int64(max(-limit, min(nanoseconds.rounded(), limit))))
  }

  /// Saturation limit of products and rounding: 73 years, which leaves room for any time and duration of a scenario.
  @inlinable
  public static var longest: SimDuration { .init(nanoseconds: 1 << 61) }

  /// Divides the duration by an integer, rounding towards zero.
  @inlinable
  public static func / (a: SimDuration, parts: Int64) -> SimDuration {
    .init(nanoseconds: a.nanoseconds / parts)
  }

  /// Computes the mean of several durations from their sum [ns], rounded towards zero.
  @inlinable
  public static func mean(of sum: Int128, over count: Int64) -> SimDuration {
    .init(nanoseconds: Int64(clamping: sum / Int128(count)))
  }

  /// Adds a duration.
  @inlinable
  public static func += (a: inout SimDuration, b: SimDuration) { a.nanoseconds += b.nanoseconds }
}
