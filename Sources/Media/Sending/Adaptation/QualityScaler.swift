package import Quantity

/// When the quality scaler finds pictures too coarse or fine enough for a larger one
/// (`modules/video_coding/utility/quality_scaler.cc`, `rtc_base/experiments/quality_scaling_experiment.cc`).
package struct QualityScalerParameters: Hashable, Sendable, BitwiseCopyable {
  /// At or below it on average: a larger picture is tried [quantizer index].
  package var low = 29
  /// Above it on average: a smaller picture [quantizer index].
  package var high = 95
  /// What remains of an average after a millisecond: the slow one is compared with ``low``, the fast one with
  /// ``high``. 0.9999 is a time constant of 10 s, 0.9995 of 2 s.
  package var slowRetention = 0.9999
  package var fastRetention = 0.9995
  /// Share of dropped frames that asks for a smaller picture [percent].
  package var dropPercent = 60
  /// Frames, coded or dropped, before a verdict.
  package var leastFrames = 60
  /// Time between verdicts until the first one of "too coarse".
  package var fastPeriod = SimDuration.seconds(2)
  /// Time between verdicts after it.
  package var period = SimDuration.seconds(5)
  /// Time to the next verdict where frames were too few for one, after the first "too coarse".
  package var waitingPeriod = SimDuration.seconds(1)

  package init() {}
}

/// Judges the quantizers of coded frames and the share of dropped ones.
///
/// The average begins with the first frame that is reported after a verdict, which is usually a key frame of the new
/// size; because it forgets so slowly, that one frame decides whether the next step up takes two seconds or twenty.
package struct QualityScaler: BitwiseCopyable, Sendable {
  /// What the frames say.
  package enum Verdict: Sendable, BitwiseCopyable {
    case tooCoarse
    case fineEnough
  }

  private let parameters: QualityScalerParameters
  private var slow: SlowAverage
  private var fast: SlowAverage
  private var drops = DropWindow()
  private var nextCheck: SimTime?
  private var isFast = true

  package init(parameters: QualityScalerParameters = QualityScalerParameters()) {
    self.parameters = parameters
    slow = SlowAverage(retention: parameters.slowRetention)
    fast = SlowAverage(retention: parameters.fastRetention)
  }

  /// The average that is compared with ``QualityScalerParameters/low``; `nil` before a frame.
  package var averageQuantizer: Double? { slow.value }

  /// Reports a coded frame.
  package mutating func report(quantizer: Int, at now: SimTime) {
    drops.append(false)
    slow.add(Double(quantizer), at: now)
    fast.add(Double(quantizer), at: now)
  }

  /// Reports a frame that the encoder dropped.
  package mutating func reportDrop() { drops.append(true) }

  /// Asks for a verdict; there is none between the times of checking and none in the ordinary range.
  ///
  /// The first call sets the clock; it need not be called at exact times, every captured frame will do.
  package mutating func check(at now: SimTime) -> Verdict? {
    guard let due = nextCheck else {
      nextCheck = now + parameters.fastPeriod
      return nil
    }
    guard now >= due else { return nil }
    guard drops.count >= parameters.leastFrames else {
      nextCheck = due + (isFast ? parameters.fastPeriod : parameters.waitingPeriod)
      return nil
    }
    let verdict = judge()
    if let verdict {
      if verdict == .tooCoarse { isFast = false }
      slow.reset()
      fast.reset()
      drops.reset()
    }
    nextCheck = due + (isFast ? parameters.fastPeriod : parameters.period)
    return verdict
  }

  private func judge() -> Verdict? {
    if drops.percent >= parameters.dropPercent { return .tooCoarse }
    guard let fast = fast.value, let slow = slow.value else { return nil }
    if Int(fast) > parameters.high { return .tooCoarse }
    if Int(slow) <= parameters.low { return .fineEnough }
    return nil
  }
}

/// An average that forgets by the time between samples; its first sample counts in full
/// (`rtc_base/numerics/exp_filter.cc`).
private struct SlowAverage: BitwiseCopyable {
  private let retention: Double
  private(set) var value: Double?
  private var last = SimTime.zero

  init(retention: Double) { self.retention = retention }

  mutating func add(_ sample: Double, at now: SimTime) {
    if let value {
      let kept = power(of: (now - last).nanoseconds / 1_000_000)
      self.value = kept * value + (1 - kept) * sample
    } else {
      value = sample
    }
    last = now
  }

  mutating func reset() { value = nil }

  /// Products alone, so that every processor computes the same.
  private func power(of exponent: Int64) -> Double {
    var result = 1.0
    var base = retention
    var rest = min(max(exponent, 0), 1 << 20)
    while rest > 0 {
      if rest & 1 == 1 { result *= base }
      base *= base
      rest >>= 1
    }
    return result
  }
}

/// Which of the last 150 frames were dropped (5 s at 30 fps).
private struct DropWindow: BitwiseCopyable {
  private static let size = 150
  private var bits = InlineArray<3, UInt64>(repeating: 0)
  private var next = 0
  private(set) var count = 0
  private var dropped = 0

  var percent: Int { count == 0 ? 0 : dropped * 100 / count }

  mutating func append(_ isDropped: Bool) {
    let mask: UInt64 = 1 << UInt64(next & 63)
    if count == Self.size {
      if bits[next >> 6] & mask != 0 { dropped -= 1 }
    } else {
      count += 1
    }
    if isDropped {
      bits[next >> 6] |= mask
      dropped += 1
    } else {
      bits[next >> 6] &= ~mask
    }
    next = (next + 1) % Self.size
  }

  mutating func reset() { self = DropWindow() }
}
