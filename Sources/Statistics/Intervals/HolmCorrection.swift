/// Holm's correction, which controls the family-wise error rate of many tests.
package enum HolmCorrection {
  /// Adjusts the p-values of a family of tests so that each can be compared with the family-wise error rate.
  ///
  /// Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979):
  /// the smallest of m is multiplied by m, the next by m - 1 and so on; none falls below its predecessor or exceeds
  /// 1. The procedure is valid under any dependence between the tests.
  ///
  /// - Parameter pValues: from 0 to 1, in any order.
  /// - Returns: the adjusted values in the same order.
  package static func adjusted(_ pValues: [Double]) -> [Double] {
    let order = pValues.indices.sorted { (pValues[$0], $0) < (pValues[$1], $1) }
    var adjusted = pValues
    var largest = 0.0
    for (rank, index) in order.enumerated() {
      largest = max(largest, min(1, Double(pValues.count - rank) * pValues[index]))
      adjusted[index] = largest
    }
    return adjusted
  }
}
