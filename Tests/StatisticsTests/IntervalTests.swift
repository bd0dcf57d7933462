import Statistics
import Testing

func isClose(_ value: Double?, _ expected: Double, within tolerance: Double = 1e-6) -> Bool {
  guard let value else { return false }
  return abs(value - expected) <= tolerance
}

/// Hours of sleep gained with two drugs by ten patients (Student, Biometrika 6, 1908, p. 20).
private enum Sleep {
  static let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
  static let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
}

@Suite("Intervals of means")
struct MeanIntervalTests {
  @Test func fiveValuesByHand() throws {
    // 3 +- 2.776445 x 1.581139 / sqrt(5)
    let estimate = try #require(MeanEstimate(values: [4, 1, 3, 2, 5]))
    #expect(estimate.count == 5 && estimate.mean == 3)
    #expect(isClose(estimate.standardDeviation, 1.581139))
    #expect(isClose(estimate.interval?.low, 1.036757, within: 1e-5))
    #expect(isClose(estimate.interval?.high, 4.963243, within: 1e-5))
    // Halving the half-width takes four times as many runs.
    #expect(estimate.count(forHalfWidth: 1.9633 / 2) == 20)
    #expect(estimate.count(forHalfWidth: 10) == 5)
  }

  @Test func fewOrEqualValuesGiveWhatCanBeHad() throws {
    #expect(MeanEstimate(values: []) == nil)
    #expect(MeanEstimate(values: [.nan, .infinity]) == nil)
    let one = try #require(MeanEstimate(values: [2, .nan]))
    #expect(one.count == 1 && one.mean == 2 && one.standardDeviation == nil && one.interval == nil)
    let equal = try #require(MeanEstimate(values: [0.1, 0.1, 0.1]))
    #expect(equal.interval == ConfidenceInterval(low: 0.1, high: 0.1, level: 0.95))
    #expect(MeanEstimate(values: [1, 2], level: 1)?.interval == nil)
  }

  @Test func theOrderOfRunsDoesNotMatter() {
    let values = (1...50).map { 1 / Double($0) }
    #expect(MeanEstimate(values: values) == MeanEstimate(values: values.reversed()))
  }

  @Test func studentsPairsGiveThePublishedInterval() throws {
    let paired = try #require(
      MeanDifference.paired(zip(Sleep.first, Sleep.second).map { (first: $0, second: $1) }))
    #expect(isClose(paired.difference, 1.58))
    #expect(isClose(paired.interval?.low, 0.7001142))
    #expect(isClose(paired.interval?.high, 2.4598858))
    #expect(isClose(paired.pValue, 0.002832890))
    #expect(paired.degreesOfFreedom == 9)
  }

  @Test func theSameDataUnpairedFollowWelch() throws {
    let unpaired = try #require(MeanDifference.unpaired(Sleep.first, Sleep.second))
    #expect(isClose(unpaired.difference, 1.58))
    #expect(isClose(unpaired.interval?.low, -0.2054832))
    #expect(isClose(unpaired.interval?.high, 3.3654832))
    #expect(isClose(unpaired.pValue, 0.07939414))
    #expect(isClose(unpaired.degreesOfFreedom, 17.776474))
  }

  @Test func differencesWithoutVariationAreCertain() throws {
    let shift = try #require(MeanDifference.paired([(first: 1, second: 3), (first: 2, second: 4)]))
    #expect(shift.interval == ConfidenceInterval(low: 2, high: 2, level: 0.95) && shift.pValue == 0)
    let none = try #require(MeanDifference.unpaired([1, 1], [1, 1]))
    #expect(none.interval == ConfidenceInterval(low: 0, high: 0, level: 0.95) && none.pValue == 1)
    let single = try #require(MeanDifference.paired([(first: 1, second: 3)]))
    #expect(single.difference == 2 && single.interval == nil && single.pValue == nil)
    #expect(MeanDifference.paired([(first: .nan, second: 1)]) == nil)
    #expect(MeanDifference.unpaired([], [1, 2]) == nil)
  }
}

@Suite("Intervals of quantiles and shares, and multiple tests")
struct OtherIntervalTests {
  /// Ranks of two-sided 95 % intervals, as in tables of order statistics (Conover, Table A3 for the binomial).
  @Test(arguments: [
    (6, 0.5, 1, 6), (10, 0.5, 2, 9), (20, 0.5, 6, 15), (100, 0.5, 40, 61), (72, 0.95, 64, 72),
    (368, 0.99, 360, 368),
  ])
  func ranksAreThoseOfTheBinomial(count: Int, probability: Double, lower: Int, upper: Int) throws {
    let ranks = try #require(QuantileEstimate.ranks(count: count, probability: probability, level: 0.95))
    #expect(ranks.upper == upper)
    #expect(ranks.lower == lower)
    #expect(
      try #require(QuantileEstimate.coverage(count: count, probability: probability, level: 0.95)) >= 0.95)
  }

  @Test func theMedianOfTenIsCoveredByTheBinomialsShare() {
    // 1 - 2 x (1 + 10) / 1024
    #expect(isClose(QuantileEstimate.coverage(count: 10, probability: 0.5, level: 0.95), 0.978515625))
  }

  @Test(arguments: [(0.5, 6), (0.05, 72), (0.95, 72), (0.99, 368)])
  func theFewestRunsAreStated(probability: Double, needed: Int) throws {
    #expect(QuantileEstimate.runsNeeded(probability: probability, level: 0.95) == needed)
    let values = (0..<needed).map(Double.init)
    let short = try #require(QuantileEstimate(values: values.dropLast(), probability: probability))
    #expect(short.interval == .notEnoughRuns(needed: needed))
    let enough = try #require(QuantileEstimate(values: values, probability: probability))
    guard case .interval(let interval) = enough.interval else {
      Issue.record("\(needed) runs are said to be enough")
      return
    }
    #expect(interval.contains(enough.value))
  }

  @Test func aQuantileOutOfRangeIsNone() {
    #expect(QuantileEstimate(values: [1, 2], probability: 1) == nil)
    #expect(QuantileEstimate(values: [1, 2], probability: 0.5, level: 0) == nil)
    #expect(QuantileEstimate(values: [], probability: 0.5) == nil)
  }

  @Test func holmsStepsByHand() {
    // 4 x 0.005, 3 x 0.01, 2 x 0.03, and 1 x 0.04 raised to its predecessor's 0.06.
    let adjusted = HolmCorrection.adjusted([0.01, 0.04, 0.03, 0.005])
    #expect(zip(adjusted, [0.03, 0.06, 0.06, 0.02]).allSatisfy { isClose($0, $1, within: 1e-12) })
    #expect(HolmCorrection.adjusted([0.5, 0.9, 0]) == [1, 1, 0])
    #expect(HolmCorrection.adjusted([]).isEmpty)
  }
}
