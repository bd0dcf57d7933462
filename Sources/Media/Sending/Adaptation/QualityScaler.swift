package import Quantity

/// Quality scaler parameters (`modules/video_coding/utility/quality_scaler.cc`,
/// `rtc_base/experiments/quality_scaling_experiment.cc`).
package struct QualityScalerParameters: Hashable, Sendable, BitwiseCopyable {
  /// Average at or below which a larger picture is tried [quantizer index].
  package var low = 29
  /// Average above which the picture becomes smaller [quantizer index].
  package var high = 95
  /// Retention per millisecond of the slow average, which is compared with ``low``: a time constant of 10 s.
  package var slowRetention = 0.9999
  /// Retention per millisecond of the fast average, which is compared with ``high``: a time constant of 2 s.
  package var fastRetention = 0.9995
  /// Share of dropped frames from which the picture becomes smaller [percent].
  package var dropPercent = 60
  /// Minimum number of frames, encoded or dropped, for a verdict.
  package var minimumFrames = 60
  /// Check interval until the first "too coarse".
  package var fastPeriod = SimDuration.seconds(2)
  /// Check interval after it.
  package var period = SimDuration.seconds(5)
  /// Time to the next check if there were too few frames, after the first "too coarse".
  package var waitingPeriod = SimDuration.seconds(1)

  package init() {}
}

/// Assessment of the quantizers of encoded frames and of the share of dropped ones.
///
/// The average starts with the first frame after a verdict, usually a key frame of the new size; as it decays so
/// slowly, that frame decides whether the next step up takes two seconds or twenty.
package struct QualityScaler: BitwiseCopyable, Sendable {
  /// Verdict on recent frames.
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

  /// Reports an encoded frame.
  package mutating func report(quantizer: Int, at now: SimTime) {
    drops.append(false)
    slow.add(Double(quantizer), at: now)
    fast.add(Double(quantizer), at: now)
  }

  /// Reports a frame dropped by the encoder.
  package mutating func reportDrop() { drops.append(true) }

  /// Returns a verdict if a check is due and the quality is outside the normal range.
  ///
  /// The first call starts the check interval; calling it with every captured frame is precise enough.
  package mutating func check(at now: SimTime) -> Verdict? {
    guard let due = nextCheck else {
      nextCheck = now + parameters.fastPeriod
      return nil
    }
    guard now >= due else { return nil }
    guard drops.count >= parameters.minimumFrames else {
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

/// Exponential filter over time, initialised with its first sample (`rtc_base/numerics/exp_filter.cc`).
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

  /// Raises the retention to a power by multiplications only, for identical results on every processor.
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

/// Drops among the last 150 frames (5 s at 30 fps).
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
