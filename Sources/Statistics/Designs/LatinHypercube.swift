/// Latin hypercube design: n points with exactly one in each of n equal strata of every variable's range.
///
/// McKay, Beckman, Conover, "A comparison of three methods for selecting values of input variables in the analysis of
/// output from a computer code", Technometrics 21 (1979).
package enum LatinHypercube {
  /// Largest number of points.
  package static let pointLimit = 1 << 24

  /// Generates points whose coordinates lie in 0 ..< 1.
  ///
  /// A dimension's values depend only on the seed, its index and the count: adding a variable at the end leaves the
  /// others' values unchanged.
  package static func points(count: Int, dimensions: Int, seed: UInt64) throws(DesignError) -> [[Double]] {
    guard (1...pointLimit).contains(count) else { throw .pointCount(count, limit: pointLimit) }
    var points = [[Double]](repeating: [Double](repeating: 0, count: max(0, dimensions)), count: count)
    for dimension in 0..<max(0, dimensions) {
      var stream = RandomStream(seed: seed, name: "design/latin-hypercube/dimension-\(dimension)")
      for (point, part) in stream.permutation(of: count).enumerated() {
        // Rounding must not lift a value into the next stratum.
        let end = (Double(part + 1) / Double(count)).nextDown
        points[point][dimension] = min((Double(part) + stream.uniform()) / Double(count), end)
      }
    }
    return points
  }
}
