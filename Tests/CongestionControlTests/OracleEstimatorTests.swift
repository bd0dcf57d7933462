import CongestionControl
import Quantity
import Testing

@Suite("The oracle estimator")
struct OracleEstimatorTests {
  /// 1000 kbit/s, but 400 from 2 to 3 s: a fall counts at once, a rise through the mean of the last second.
  @Test func fallsCountAtOnceAndRisesOverASecond() {
    var oracle = OracleEstimator()
    func estimate(_ kilobits: Int64, _ milliseconds: Double) -> Int64 {
      oracle.observe(capacity: .kilobits(kilobits), at: time(milliseconds))
      return oracle.estimate.bitsPerSecond / 1000
    }
    #expect(estimate(1000, 0) == 1000)
    #expect(estimate(1000, 1500) == 1000)
    #expect(estimate(400, 2000) == 400)
    #expect(estimate(400, 2500) == 400)
    #expect(estimate(1000, 3000) == 400)
    #expect(estimate(1000, 3500) == 700)
    #expect(estimate(1000, 4000) == 1000)
  }
}
