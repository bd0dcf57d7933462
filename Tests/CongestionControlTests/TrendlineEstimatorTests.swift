import CongestionControl
import Quantity
import Testing

@Suite("Delay trend")
struct TrendlineEstimatorTests {
  /// Feeds groups sent 20 ms apart, each arriving `growth` ms later than the one before.
  private func feed(_ trend: inout TrendlineEstimator, groups: Int, growth: Double, arrival: inout Double) {
    for _ in 0..<groups {
      arrival += 20 + growth
      trend.update(delta(sent: 20, received: 20 + growth), receivedAt: time(arrival))
    }
  }

  @Test func slopeIsTheShareOfTheOverload() {
    var trend = TrendlineEstimator()
    var arrival = 0.0
    feed(&trend, groups: 19, growth: 1, arrival: &arrival)
    #expect(trend.slope == 0)
    // Once the filter has forgotten its start, the smoothed delay grows by 1 ms every 21 ms.
    feed(&trend, groups: 400, growth: 1, arrival: &arrival)
    #expect(abs(trend.slope - 1.0 / 21) < 1e-6)
    // Times 60 deltas and a gain of 4.
    #expect(abs(trend.modifiedTrend - 240.0 / 21) < 1e-3)
  }

  @Test func slopeOfTheFirstFullWindow() {
    // The smoothed delay after n groups of 1 ms is n - 9 (1 - 0.9^n): the fit over n = 1...20 at 21 ms each.
    var trend = TrendlineEstimator()
    var arrival = 0.0
    feed(&trend, groups: 20, growth: 1, arrival: &arrival)
    var covariance = 0.0
    var power = 1.0
    for n in 1...20 {
      power *= 0.9
      covariance += (Double(n) - 10.5) * (Double(n) - 9 + 9 * power)
    }
    // The squares of 1...20 about their mean sum up to 665.
    #expect(abs(trend.slope - covariance / 665 / 21) < 1e-12)
    #expect(abs(trend.slope - 0.030_968) < 1e-6)
  }

  @Test func thresholdFallsOnAQuietPathToSix() {
    var trend = TrendlineEstimator()
    var thresholds: [Double] = []
    for index in 1...5 {
      trend.update(delta(sent: 10, received: 10), receivedAt: time(Double(index) * 10))
      thresholds.append(trend.threshold)
    }
    // From the second update on it falls by 0.039 / ms of itself: 12.5, 12.5 x 0.61, and at least 6.
    #expect(thresholds[0] == 12.5)
    #expect(thresholds[1] == 12.5)
    #expect(abs(thresholds[2] - 7.625) < 1e-12)
    #expect(thresholds[3] == 6)
    #expect(thresholds[4] == 6)
  }

  @Test func thresholdRisesToATrendAboveIt() {
    var trend = TrendlineEstimator()
    var arrival = 0.0
    feed(&trend, groups: 100, growth: 0, arrival: &arrival)
    #expect(trend.threshold == 6)
    var rises = 0
    for _ in 0..<40 {
      let before = trend.threshold
      feed(&trend, groups: 1, growth: 2, arrival: &arrival)
      guard trend.modifiedTrend > before, trend.modifiedTrend < before + 15 else { continue }
      rises += 1
      #expect(abs(trend.threshold - before - 0.0087 * (trend.modifiedTrend - before) * 22) < 1e-9)
    }
    #expect(rises > 5)
  }

  /// After a pause the threshold moves as if 100 ms had passed, however long it was.
  @Test func aLongPauseAdaptsTheThresholdByA100Milliseconds() {
    var trend = TrendlineEstimator()
    var arrival = 0.0
    feed(&trend, groups: 100, growth: 0, arrival: &arrival)
    var rises = 0
    for _ in 0..<60 {
      let before = trend.threshold
      arrival += 157
      trend.update(delta(sent: 150, received: 157), receivedAt: time(arrival))
      guard trend.modifiedTrend > before, trend.modifiedTrend < before + 15 else { continue }
      rises += 1
      #expect(abs(trend.threshold - before - 0.0087 * (trend.modifiedTrend - before) * 100) < 1e-9)
    }
    #expect(rises > 3)
  }

  @Test func aSpikeLeavesTheThresholdAlone() {
    var trend = TrendlineEstimator()
    var arrival = 0.0
    feed(&trend, groups: 100, growth: 0, arrival: &arrival)
    // A sample this far off makes the slope 500 ms of smoothed delay over little more than its 5 s.
    arrival += 5020
    trend.update(delta(sent: 20, received: 5020), receivedAt: time(arrival))
    #expect(trend.modifiedTrend > 6 + 15)
    #expect(trend.threshold == 6)
  }

  /// 2.5 % is the smallest overload that a quiet path's threshold of 6 reveals: 6 / (60 x 4).
  @Test(arguments: [(0.4, false), (1.2, true)])
  func overuseBeginsAtTwoAndAHalfPerCent(growth: Double, isOverused: Bool) {
    var trend = TrendlineEstimator()
    var arrival = 0.0
    feed(&trend, groups: 100, growth: 0, arrival: &arrival)
    var seen = false
    for _ in 0..<100 {
      feed(&trend, groups: 1, growth: growth, arrival: &arrival)
      if trend.usage == .overused { seen = true }
    }
    #expect(seen == isOverused)
  }

  @Test func drainingIsUnderuse() {
    var trend = TrendlineEstimator()
    var arrival = 0.0
    feed(&trend, groups: 100, growth: 0, arrival: &arrival)
    feed(&trend, groups: 30, growth: -2, arrival: &arrival)
    #expect(trend.usage == .underused)
    feed(&trend, groups: 60, growth: 0, arrival: &arrival)
    #expect(trend.usage == .normal)
  }
}
