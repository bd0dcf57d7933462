private import CGSL

/// Sobol's low-discrepancy points with Owen's scrambling.
///
/// The sequence is GSL's (Bratley, Fox, "Algorithm 659", ACM Transactions on Mathematical Software 14, 1988), preceded
/// by the origin that GSL omits, so that 2^k points fill the cube evenly: use powers of two. Scrambling is the nested
/// uniform scrambling of Owen, "Randomly permuted (t,m,s)-nets and (t,s)-sequences" (1995): each binary digit is
/// flipped or not by an independent coin for each prefix of digits. It preserves the low discrepancy, makes every point
/// uniformly distributed, and so makes means over the points unbiased.
package enum ScrambledSobol {
  /// Largest number of variables, GSL's limit.
  package static var dimensionLimit: Int { Int(cgsl_sobol().pointee.max_dimension) }

  /// Largest number of points; the sequence itself has 2^30.
  package static let pointLimit = 1 << 24

  /// Binary digits of GSL's sequence.
  private static let digits = 30

  /// Generates points whose coordinates lie in 0 ..< 1, in the order of the sequence.
  ///
  /// A dimension's values depend only on the seed and its index: adding points or variables leaves the existing values
  /// unchanged.
  ///
  /// - Parameter seed: seed of the scrambling; `nil` for the unscrambled sequence.
  package static func points(count: Int, dimensions: Int, seed: UInt64?) throws(DesignError) -> [[Double]] {
    guard dimensions <= dimensionLimit else {
      throw .tooManyDimensions(dimensions, limit: dimensionLimit)
    }
    guard (1...pointLimit).contains(count) else { throw .pointCount(count, limit: pointLimit) }
    guard dimensions > 0 else { return [[Double]](repeating: [], count: count) }
    guard GSLErrors.areReturned, let sequence = gsl_qrng_alloc(cgsl_sobol(), UInt32(dimensions)) else {
      preconditionFailure("GSL has no memory for a Sobol sequence of \(dimensions) dimensions")
    }
    defer { gsl_qrng_free(sequence) }
    let keys = seed.map { seed in
      (0..<dimensions).map { dimension -> UInt64 in
        var stream = RandomStream(seed: seed, name: "design/sobol/dimension-\(dimension)")
        return stream.next()
      }
    }
    var plain = [Double](repeating: 0, count: dimensions)
    var points: [[Double]] = []
    points.reserveCapacity(count)
    while points.count < count {
      if !points.isEmpty { gsl_qrng_get(sequence, &plain) }
      points.append(keys.map { keys in zip(plain, keys).map(scrambled) } ?? plain)
    }
    return points
  }

  private static func scrambled(_ value: Double, key: UInt64) -> Double {
    let bits = UInt64(value * Double(1 << digits))
    var result: UInt64 = 0
    // The leading 1 distinguishes prefixes of different lengths.
    var prefix: UInt64 = 1
    for place in (0..<digits).reversed() {
      let bit = bits >> UInt64(place) & 1
      result = result << 1 | bit ^ (coin(key, prefix) & 1)
      prefix = prefix << 1 | bit
    }
    // Digits beyond the sequence's are purely random.
    let rest = 53 - digits
    result = result << UInt64(rest) | coin(key, prefix) >> UInt64(64 - rest)
    return Double(result) * 0x1p-53
  }

  private static func coin(_ key: UInt64, _ prefix: UInt64) -> UInt64 {
    var stream = RandomStream(splitMixSeed: key ^ prefix &* 0xd605_bbb5_8c8a_bc03)
    return stream.next()
  }
}
