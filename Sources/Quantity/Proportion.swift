extension Int64 {
  /// Multiplies the number by a factor and divides it by a divisor, rounding towards zero.
  ///
  /// The product may exceed 64 bits; a result beyond 64 bits is clamped.
  ///
  ///     bytes.scaled(by: 8_000_000_000, per: elapsed.nanoseconds)  // bit/s
  @inlinable
  public func scaled(by factor: Int64, per divisor: Int64) -> Int64 {
    let (product, overflows) = multipliedReportingOverflow(by: factor)
    guard overflows else { return product / divisor }
    return Int64(clamping: Int128(self) * Int128(factor) / Int128(divisor))
  }
}
