/// How a path's queue behaves.
package enum BandwidthUsage: Equatable, Sendable {
  case normal
  case underusing
  case overusing
}

/// Tells from the slope of the delay whether a queue grows, against a threshold that adapts.
///
/// libwebrtc `trendline_estimator.cc`; the constants are those of 2026, not of draft-ietf-rmcat-gcc-02 (k_up 0.01,
/// k_down 0.00018).
package struct TrendlineDetector: Sendable {
  static let window = 20
  private static let smoothing = 0.9
  private static let gain = 4.0
  private static let greatestWeight = 60
  private static let greatestCount = 1000
  static let thresholdRise = 0.0087
  static let thresholdFall = 0.039
  private static let greatestExcess = 15.0
  private static let thresholds = 6.0...600.0
  private static let overuseTime = 10.0

  private var count = 0
  private var firstArrival: Double?
  private var accumulated = 0.0
  private var smoothed = 0.0
  private var times = [Double](repeating: 0, count: Self.window)
  private var delays = [Double](repeating: 0, count: Self.window)
  private var filled = 0
  private var next = 0
  private var previousTrend = 0.0
  private var overusedFor: Double?
  private var overuses = 0
  private var updatedAt: Double?
  /// What a modified trend is held against.
  package private(set) var threshold = 12.5
  package private(set) var usage = BandwidthUsage.normal

  package init() {}

  /// Takes the differences between two groups, and the arrival of the later one [ms].
  package mutating func update(_ deltas: InterArrivalGrouping.Deltas, arrival: Double) {
    count = min(count + 1, Self.greatestCount)
    let first = firstArrival ?? arrival
    firstArrival = first
    accumulated += deltas.arrival - deltas.send
    smoothed = Self.smoothing * smoothed + (1 - Self.smoothing) * accumulated
    times[next] = arrival - first
    delays[next] = smoothed
    next = next == Self.window - 1 ? 0 : next + 1
    filled = min(filled + 1, Self.window)
    let trend = filled == Self.window ? slope() ?? previousTrend : previousTrend
    detect(trend, sendDelta: deltas.send, now: arrival)
  }

  /// Least squares through the window; `nil` when all arrived at once.
  package func slope() -> Double? {
    var timeSum = 0.0
    var delaySum = 0.0
    for place in 0..<filled {
      timeSum += times[place]
      delaySum += delays[place]
    }
    let timeMean = timeSum / Double(filled)
    let delayMean = delaySum / Double(filled)
    var numerator = 0.0
    var denominator = 0.0
    for place in 0..<filled {
      let time = times[place] - timeMean
      numerator += time * (delays[place] - delayMean)
      denominator += time * time
    }
    return denominator == 0 ? nil : numerator / denominator
  }

  private mutating func detect(_ trend: Double, sendDelta: Double, now: Double) {
    guard count >= 2 else {
      usage = .normal
      return
    }
    let modified = Double(min(count, Self.greatestWeight)) * trend * Self.gain
    if modified > threshold {
      overusedFor = overusedFor.map { $0 + sendDelta } ?? sendDelta / 2
      overuses += 1
      if (overusedFor ?? 0) > Self.overuseTime, overuses > 1, trend >= previousTrend {
        overusedFor = 0
        overuses = 0
        usage = .overusing
      }
    } else {
      overusedFor = nil
      overuses = 0
      usage = modified < -threshold ? .underusing : .normal
    }
    previousTrend = trend
    adapt(to: abs(modified), now: now)
  }

  /// Moves the threshold towards what is measured, unless that is far above it.
  package mutating func adapt(to magnitude: Double, now: Double) {
    let since = now - (updatedAt ?? now)
    updatedAt = now
    guard magnitude <= threshold + Self.greatestExcess else { return }
    let rate = magnitude < threshold ? Self.thresholdFall : Self.thresholdRise
    threshold += rate * (magnitude - threshold) * min(since, 100)
    threshold = min(max(threshold, Self.thresholds.lowerBound), Self.thresholds.upperBound)
  }
}
