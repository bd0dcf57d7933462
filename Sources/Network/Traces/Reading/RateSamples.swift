import Quantity

/// Rates with the times at which they begin, as a file states them.
struct RateSamples {
  /// Rate from a time on [s, bit/s], and its duration if the file states it [s].
  struct Sample {
    var time: Double
    var rate: Double
    var length: Double?
    /// Line of the file on which it begins, from 1.
    var line: Int
  }

  private(set) var samples: [Sample] = []
  /// Time at which the last sample ends, where the file states it [s].
  var end: Double?

  var last: Sample? { samples.last }

  /// Adds a sample, which must not precede the last one.
  mutating func add(_ sample: Sample) throws(CapacityTraceError) {
    if let last = samples.last, sample.time < last.time {
      throw CapacityTraceError(
        line: sample.line, cause: .outOfOrder(previous: "\(last.time)", this: "\(sample.time)"))
    }
    samples.append(sample)
  }

  /// Returns the rows converted from other units to seconds and bits per second.
  func scaled(_ time: TraceTimeUnit, _ rate: TraceRateUnit) -> RateSamples {
    var scaled = self
    for index in samples.indices {
      scaled.samples[index].time /= time.perSecond
      scaled.samples[index].rate *= rate.bitsPerSecond
    }
    return scaled
  }

  mutating func replaceLast(rate: Double) { samples[samples.count - 1].rate = rate }

  /// Maximum length of a trace [s].
  static let longest = 31_536_000.0
  /// Maximum rate [bit/s].
  static let greatestRate = 1e12

  /// Converts the samples to steps shifted to start at zero; of several at the same time the last wins.
  func trace(_ continuation: CapacityTrace.Continuation, line lastLine: @autoclosure () -> Int)
    throws(CapacityTraceError)
    -> CapacityTrace
  {
    guard let first = samples.first, let last = samples.last else {
      throw CapacityTraceError(line: lastLine(), cause: .empty)
    }
    var steps: [CapacityStep] = []
    steps.reserveCapacity(samples.count)
    for sample in samples {
      guard sample.time - first.time <= Self.longest, sample.rate <= Self.greatestRate,
        (sample.length ?? 0) <= Self.longest
      else { throw CapacityTraceError(line: sample.line, cause: .tooLarge("\(sample.time) \(sample.rate)")) }
      let step = CapacityStep(
        at: SimTime(nanoseconds: Int64(((sample.time - first.time) * 1e9).rounded())),
        rate: BitRate(bitsPerSecond: Int64(sample.rate.rounded())))
      if let before = steps.last, before.at == step.at { steps.removeLast() }
      steps.append(step)
    }
    guard steps.contains(where: { $0.rate > .zero }) else {
      throw CapacityTraceError(line: lastLine(), cause: .noCapacity)
    }
    let start = steps[steps.count - 1].at
    let spacing = steps.count > 1 ? start - steps[steps.count - 2].at : .seconds(1)
    let stated = last.length ?? end.map { max(0, $0 - last.time) }
    guard stated ?? 0 <= Self.longest else {
      throw CapacityTraceError(line: last.line, cause: .tooLarge("\(end ?? 0)"))
    }
    let length = stated.map { SimDuration(nanoseconds: Int64(($0 * 1e9).rounded())) } ?? spacing
    return CapacityTrace(
      content: .rates(steps), period: start.sinceStart + max(length, .milliseconds(1)),
      continuation: continuation)
  }
}
