import Quantity
import Statistics
import Testing

@Suite("Batch means of one long run")
struct BatchMeansTests {
  @Test func fourBatchesByHand() throws {
    // Two surplus values are left out at the start; the batches' means are 1, 3, 2, 4.
    let batches = try #require(BatchMeans(series: [9, 9, 0, 1, 2, 2, 3, 4, 1, 2, 3, 3, 4, 5], batches: 4))
    #expect(batches.batchSize == 3 && batches.unused == 2)
    #expect(batches.estimate.count == 4 && batches.estimate.mean == 2.5)
    // Deviations -1.5, 0.5, -0.5, 1.5: (-0.75 - 0.25 - 0.75) / 5
    #expect(isClose(batches.lag1Autocorrelation, -0.35))
    #expect(!batches.areCorrelated)
  }

  @Test func batchesTooShortForTheirRunAreFound() throws {
    var stream = RandomStream(seed: 5, name: "batches")
    var level = 0.0
    let slow = (0..<2000).map { _ in
      level = 0.99 * level + stream.normal(mean: 0, sd: 1)
      return level
    }
    let short = try #require(BatchMeans(series: slow, batches: 100))
    #expect(short.areCorrelated && short.lag1Autocorrelation > 0.5)
  }

  @Test func independentBatchesAreTakenForCorrelatedOnceIn20() throws {
    var found = 0
    for repetition in 0..<2000 {
      var stream = RandomStream(seed: 6, repetition: repetition, name: "batches")
      let values = (0..<20).map { _ in stream.normal(mean: 0, sd: 1) }
      if try #require(BatchMeans(series: values, batches: 20)).areCorrelated { found += 1 }
    }
    #expect((70...130).contains(found), "\(found) of 2000")
  }

  @Test func whatGivesNoBatchesIsNone() throws {
    #expect(BatchMeans(series: [1, 2, 3], batches: 2) == nil)
    #expect(BatchMeans(series: [1, 2, 3], batches: 4) == nil)
    #expect(BatchMeans(series: [1, 2, .nan], batches: 3) == nil)
    let constant = try #require(BatchMeans(series: [Double](repeating: 7, count: 30), batches: 10))
    #expect(constant.lag1Autocorrelation == 0 && !constant.areCorrelated)
    #expect(constant.estimate.interval == ConfidenceInterval(low: 7, high: 7, level: 0.95))
  }
}

@Suite("Deleting the warm-up")
struct WarmUpTests {
  @Test func mser5ByHand() {
    // Means of five: 9, 3, 1, 2, 1, 2, 1, 2. Squared deviations over the squared size of the tails, from the first on:
    // 0.779, 0.070, 0.042, 0.048, 0.063: the third mean is the first to be kept.
    let series = [9.0, 3, 1, 2, 1, 2, 1, 2].flatMap { [Double](repeating: $0, count: 5) }
    #expect(WarmUpDeletion.mser5(series) == WarmUpDeletion(deleted: 10, isSettled: true))
  }

  @Test func aRampIsFoundUnderNoise() {
    var stream = RandomStream(seed: 8, name: "ramp")
    let series = (0..<600).map { second in
      min(1, Double(second) / 60) * 10 + stream.normal(mean: 0, sd: 0.5)
    }
    let deletion = WarmUpDeletion.mser5(series)
    #expect(deletion.isSettled && (40...100).contains(deletion.deleted), "\(deletion)")
  }

  @Test func aSteadySeriesKeepsNearlyEverything() {
    var stream = RandomStream(seed: 9, name: "steady")
    let deletion = WarmUpDeletion.mser5((0..<1000).map { _ in stream.normal(mean: 3, sd: 1) })
    #expect(deletion.isSettled && deletion.deleted <= 100, "\(deletion)")
  }

  @Test func aRunThatNeverSettlesIsSaidToBeTooShort() {
    #expect(!WarmUpDeletion.mser5((0..<200).map(Double.init)).isSettled)
    #expect(WarmUpDeletion.mser5([1, 2, 3]) == WarmUpDeletion(deleted: 0, isSettled: false))
  }

  @Test(arguments: [(0, 0), (1, 1), (2000, 2), (2001, 3), (90_000, 10)])
  func aFixedTimeDeletesTheIntervalsThatBeginBeforeIt(milliseconds: Int, deleted: Int) {
    let rule = WarmUpRule.fixed(.milliseconds(Int64(milliseconds)))
    let deletion = rule.deletion(from: [Double](repeating: 1, count: 10), interval: .seconds(1))
    #expect(deletion == WarmUpDeletion(deleted: deleted, isSettled: true))
  }
}
