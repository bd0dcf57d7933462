package import Quantity

extension BitRate {
  /// Computes the mean rate of an amount of data [byte] over a positive duration.
  package init(bytes: Int64, over duration: SimDuration) {
    precondition(duration > .zero, "a rate over \(duration.nanoseconds) ns has no meaning")
    self.init(rounding: Double(bytes) * 8e9 / Double(duration.nanoseconds))
  }

  /// Computes the bytes sent at this rate in a duration, rounded down. 10^14 bit/s over
  /// ``Quantity/SimDuration/longest`` is less than 10^23 bytes, so the result is clamped.
  package func bytes(in duration: SimDuration) -> Int64 {
    Int64(min(Double(bitsPerSecond) * Double(duration.nanoseconds) / 8e9, 0x1p62))
  }

  /// Rate rounded to whole kbit/s, as in libwebrtc's variances and preferences.
  var wholeKilobits: Double { (Double(bitsPerSecond) / 1000).rounded() }

  init(kilobits: Double) { self.init(rounding: kilobits * 1000) }
}

extension SimDuration {
  var milliseconds: Double { Double(nanoseconds) / 1e6 }

  func clamped(_ low: SimDuration, _ high: SimDuration) -> SimDuration { min(max(self, low), high) }
}

extension SimTime {
  /// Nearest whole millisecond [ms]; libwebrtc fits its trendline over whole milliseconds of arrival.
  var wholeMilliseconds: Int64 {
    let half: Int64 = nanoseconds < 0 ? -500_000 : 500_000
    return (nanoseconds + half) / 1_000_000
  }

  /// Time rounded down to whole milliseconds.
  var inWholeMilliseconds: SimTime { SimTime(nanoseconds: nanoseconds / 1_000_000 * 1_000_000) }
}

/// Transcendental functions by basic arithmetic only: those of C libraries differ in the last bit between processors,
/// which a control loop would carry into every later packet time.
package enum ReproducibleMath {
  /// Computes the natural logarithm of a finite positive number, to about 1e-16, relative or absolute.
  package static func logarithm(_ x: Double) -> Double {
    var exponent = Double(x.exponent)
    var mantissa = x.significand
    if mantissa > 1.414_213_562_373_095_1 {
      mantissa /= 2
      exponent += 1
    }
    // ln m = 2 artanh((m - 1) / (m + 1)), with an argument below 0.172.
    let ratio = (mantissa - 1) / (mantissa + 1)
    let square = ratio * ratio
    var series = 1.0 / 21
    series = series * square + 1.0 / 19
    series = series * square + 1.0 / 17
    series = series * square + 1.0 / 15
    series = series * square + 1.0 / 13
    series = series * square + 1.0 / 11
    series = series * square + 1.0 / 9
    series = series * square + 1.0 / 7
    series = series * square + 1.0 / 5
    series = series * square + 1.0 / 3
    series = series * square + 1
    return exponent * 0.693_147_180_559_945_3 + 2 * ratio * series
  }

  /// Raises a factor to a power, for results up to about 3.
  package static func power(_ factor: Double, _ exponent: Double) -> Double {
    let x = logarithm(factor) * exponent
    var series = 1.0
    for term in 0..<20 { series = 1 + x / Double(20 - term) * series }
    return series
  }

  /// Raises a positive factor below 1 to a power of at least 0, by repeated squaring of a result within the range of
  /// ``power(_:_:)``.
  package static func decay(_ factor: Double, _ exponent: Double) -> Double {
    var exponent = exponent
    var squarings = 0
    while logarithm(factor) * exponent < -1 {
      exponent /= 2
      squarings += 1
    }
    var result = power(factor, exponent)
    for _ in 0..<squarings { result *= result }
    return result
  }
}
