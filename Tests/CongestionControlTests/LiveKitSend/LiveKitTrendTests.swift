import CongestionControl
import Quantity
import Testing

@Suite("LiveKit's trends and probe intervals")
struct LiveKitTrendTests {
  private let parameters = LiveKitSendParameters()

  /// Returns the direction after values at times [s].
  private func direction(_ values: [(Double, Double)]) -> TrendDetector.Direction {
    var trend = TrendDetector(parameters: parameters.ratioTrend)
    for (at, value) in values { trend.add(value, at: time(at * 1000)) }
    return trend.direction
  }

  @Test func fourFallingValuesAreATrend() {
    #expect(direction([(0, 0.9), (0.1, 0.85), (0.2, 0.8)]) == .inconclusive)
    #expect(direction([(0, 0.9), (0.1, 0.85), (0.2, 0.8), (0.3, 0.75)]) == .downward)
    #expect(direction([(0, 0.7), (0.1, 0.75), (0.2, 0.8), (0.3, 0.85)]) == .upward)
    // A fifth value replaces the first.
    #expect(direction([(0, 0.1), (0.1, 0.85), (0.2, 0.8), (0.3, 0.75), (0.4, 0.7)]) == .downward)
  }

  @Test func twoValuesMoreThanTwoSecondsApartAreATrend() {
    #expect(direction([(0, 0.9), (2, 0.8)]) == .inconclusive)
    #expect(direction([(0, 0.9), (2.001, 0.8)]) == .downward)
    #expect(direction([(0, 0.8), (2.001, 0.9)]) == .inconclusive)
    #expect(direction([(0, 0.9)]) == .inconclusive)
  }

  /// Six pairs: five fall and one rises, -0.67; four and two, -0.33; four fall, one rises and one is a tie, -0.6.
  @Test func mostPairsFall() {
    #expect(direction([(0, 0.9), (1, 0.8), (1.1, 0.85), (1.2, 0.7)]) == .downward)
    #expect(direction([(0, 0.9), (1, 0.7), (1.1, 0.8), (1.2, 0.75)]) == .inconclusive)
    #expect(direction([(0, 0.9), (1, 0.7), (1.1, 0.8), (1.2, 0.7)]) == .downward)
    // One falls, one rises, one is a tie.
    #expect(direction([(0, 0.8), (1, 0.7), (4, 0.8)]) == .inconclusive)
  }

  @Test func aRepeatedValueCountsTwiceASecond() {
    // The second 0.8 is not stored, so the third falls with only three samples.
    #expect(direction([(0, 0.9), (1, 0.8), (1.499, 0.8), (1.6, 0.7)]) == .inconclusive)
    #expect(direction([(0, 0.9), (1, 0.8), (1.5, 0.8), (1.6, 0.7)]) == .downward)
  }

  @Test func equalFirstValuesAreOne() {
    // From 3 s, not from 0.
    #expect(direction([(0, 0.9), (3, 0.9), (4, 0.8)]) == .inconclusive)
    #expect(direction([(0, 0.9), (3, 0.9), (5.001, 0.8)]) == .downward)
  }

  @Test func valuesAreForgottenAfterTenSeconds() {
    #expect(direction([(0, 0.9), (9.999, 0.8)]) == .downward)
    #expect(direction([(0, 0.9), (10, 0.8)]) == .inconclusive)
  }

  @Test func everyValueIsCounted() {
    var trend = TrendDetector(parameters: parameters.ratioTrend)
    for value in [0.8, 0.8, 0.7, 0.9] { trend.add(value, at: .zero) }
    #expect(trend.count == 4 && trend.highest == 0.9 && trend.lowest == 0.7)
  }

  @Test func probesThatCongestComeLessOften() {
    var regulator = ProbeRegulator(at: time(1000))
    #expect(!regulator.mayProbe(at: time(1000)))
    #expect(regulator.mayProbe(at: time(1000.001)))
    var now = 2000.0
    for seconds in [4, 6, 9, 13, 19, 28, 42, 63, 94, 120, 120] {
      regulator.begin(at: time(now))
      regulator.end(.congesting)
      #expect(regulator.duration == .milliseconds(200))
      now += Double(seconds) * 1000
      #expect(!regulator.mayProbe(at: time(now)))
      now += 0.001
      #expect(regulator.mayProbe(at: time(now)))
    }
  }

  @Test func probesThatDoNotCongestLastLonger() {
    var regulator = ProbeRegulator(at: .zero)
    regulator.begin(at: .zero)
    regulator.end(.congesting)
    var durations: [SimDuration] = []
    for index in 0..<13 {
      regulator.begin(at: time(5000))
      regulator.end(index % 2 == 0 ? .notCongesting : .inconclusive)
      durations.append(regulator.duration)
    }
    let milliseconds: [Int64] = [
      300, 450, 675, 1012, 1518, 2277, 3415, 5122, 7683, 11_524, 17_286, 20_000, 20_000,
    ]
    #expect(durations == milliseconds.map { SimDuration.milliseconds($0) })
    #expect(!regulator.mayProbe(at: time(8000)) && regulator.mayProbe(at: time(8000.001)))
  }
}
