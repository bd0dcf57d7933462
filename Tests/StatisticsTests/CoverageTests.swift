import Statistics
import Testing

/// Returns how often an interval covers the truth, over experiments that differ only in their repetition.
private func coverage(
  of truth: Double, experiments: Int = 2000, interval: (inout RandomStream) -> ConfidenceInterval?
) throws -> Double {
  var covered = 0
  for repetition in 0..<experiments {
    var stream = RandomStream(seed: 2024, repetition: repetition, name: "coverage")
    if try #require(interval(&stream)).contains(truth) { covered += 1 }
  }
  return Double(covered) / Double(experiments)
}

/// Of 2,000 intervals at 95 %, 93.5 to 96.5 % must cover the truth; chance alone moves the share by 0.5 %.
private let fair = 0.935...0.965

@Suite("Intervals have their stated coverage")
struct CoverageTests {
  @Test(arguments: [3, 10, 30])
  func meansOfNormalValues(runs: Int) throws {
    let share = try coverage(of: 5) { stream in
      MeanEstimate(values: (0..<runs).map { _ in stream.normal(mean: 5, sd: 2) })?.interval
    }
    #expect(fair.contains(share), "\(share)")
  }

  @Test func meansOfSkewedValuesFromEnoughRuns() throws {
    let share = try coverage(of: 3) { stream in
      MeanEstimate(values: (0..<200).map { _ in stream.exponential(mean: 3) })?.interval
    }
    #expect(fair.contains(share), "\(share)")
  }

  /// The limit stated in the interval's documentation: means of ten exponential values are covered 90 % of the time.
  @Test func meansOfFewSkewedValuesAreCoveredLess() throws {
    let share = try coverage(of: 3) { stream in
      MeanEstimate(values: (0..<10).map { _ in stream.exponential(mean: 3) })?.interval
    }
    #expect((0.885...0.92).contains(share), "\(share)")
  }

  @Test func pairedAndUnpairedDifferences() throws {
    let paired = try coverage(of: 0.5) { stream in
      MeanDifference.paired(
        (0..<10).map { _ in
          let shared = stream.exponential(mean: 10)
          return (
            first: shared + stream.normal(mean: 0, sd: 1), second: shared + stream.normal(mean: 0.5, sd: 1)
          )
        })?.interval
    }
    #expect(fair.contains(paired), "\(paired)")
    let unpaired = try coverage(of: 0.5) { stream in
      let first = (0..<8).map { _ in stream.normal(mean: 1, sd: 3) }
      return MeanDifference.unpaired(first, (0..<20).map { _ in stream.normal(mean: 1.5, sd: 1) })?.interval
    }
    #expect(fair.contains(unpaired), "\(unpaired)")
  }

  /// Whole ranks cover more than the level; how much more is known exactly, whatever the distribution.
  @Test(arguments: [(10, 0.5), (100, 0.9), (100, 0.95)])
  func quantilesOfSkewedValues(runs: Int, probability: Double) throws {
    // The quantile of exponential values with mean 1, -ln(1 - p).
    let truth = [0.5: 0.693147180559945, 0.9: 2.302585092994046, 0.95: 2.995732273553991]
    let share = try coverage(of: try #require(truth[probability])) { stream in
      let values = (0..<runs).map { _ in stream.exponential(mean: 1) }
      guard
        case .interval(let interval)? = QuantileEstimate(values: values, probability: probability)?.interval
      else { return nil }
      return interval
    }
    let exact = try #require(QuantileEstimate.coverage(count: runs, probability: probability, level: 0.95))
    #expect(exact >= 0.95 && abs(share - exact) < 0.015, "\(share) against \(exact)")
  }

  /// A first-order autoregressive series, mean 0, correlation 0.9 from one value to the next.
  private func series(_ count: Int, _ stream: inout RandomStream) -> [Double] {
    var value = stream.normal(mean: 0, sd: (1 / (1 - 0.81)).squareRoot())
    return (0..<count).map { _ in
      value = 0.9 * value + stream.normal(mean: 0, sd: 1)
      return value
    }
  }

  @Test func batchesOfALongCorrelatedRun() throws {
    let share = try coverage(of: 0) { stream in
      BatchMeans(series: series(4000, &stream), batches: 20)?.estimate.interval
    }
    #expect(fair.contains(share), "\(share)")
  }

  /// The reason for batches: the values themselves, treated as if they were independent.
  @Test func theSameRunWithoutBatchesIsCoveredSeldom() throws {
    let share = try coverage(of: 0, experiments: 500) { stream in
      MeanEstimate(values: series(1000, &stream))?.interval
    }
    #expect((0.25...0.45).contains(share), "\(share)")
  }
}
