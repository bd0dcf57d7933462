extension Int64 {
  /// The number times a factor over a divisor, rounded towards zero; the product may exceed 64 bits, and a result that
  /// does is the nearest number of 64 bits.
  ///
  ///     bytes.scaled(by: 8_000_000_000, per: elapsed.nanoseconds)  // bit/s
  @inlinable
  public func scaled(by factor: Int64, per divisor: Int64) -> Int64 {
    let (product, overflows) = multipliedReportingOverflow(by: factor)
    guard overflows else { return product / divisor }
    return Int64(clamping: Int128(self) * Int128(factor) / Int128(divisor))
  }
}
