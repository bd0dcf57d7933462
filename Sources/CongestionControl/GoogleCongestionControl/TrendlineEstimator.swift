package import Quantity

/// The bandwidth usage of a path, detected from its delay.
package enum BandwidthUsage: UInt8, BitwiseCopyable, Sendable {
  case normal
  /// Queues grow.
  case overused
  /// Queues drain.
  case underused
}

/// Trendline parameters; every default is libwebrtc's (`trendline_estimator.cc`).
package struct TrendlineParameters: Hashable, Sendable {
  /// Number of group deltas in the linear fit.
  package var window = 20
  /// Weight of the old value in the exponential delay filter.
  package var smoothing = 0.9
  /// Gain: the slope times this and the number of deltas is compared with the threshold.
  package var gain = 4.0
  /// Cap of that number of deltas.
  package var deltaCap = 60
  package var initialThreshold = 12.5
  /// Adaptation rate of the threshold to a trend above it [1/ms].
  package var thresholdRise = 0.0087
  /// Adaptation rate of the threshold to a trend below it [1/ms].
  package var thresholdFall = 0.039
  package var thresholdRange = 6.0...600.0
  /// Trends further above the threshold do not adapt it.
  package var maximumAdaptation = 15.0
  /// Minimum time above the threshold for overuse.
  package var overuseTime = SimDuration.milliseconds(10)

  package init() {}
}

/// Detects overuse and underuse from the trend of the one-way delay.
///
/// Fits a line to the smoothed delay of the last groups over arrival time and compares its slope with an adaptive
/// threshold, so that competing TCP flows do not starve us (libwebrtc's `trendline_estimator.cc`; Carlucci et al.,
/// "Analysis and design of the Google congestion control", MMSys 2016, without its Kalman filter).
package struct TrendlineEstimator: ~Copyable, Sendable {
  struct Sample: BitwiseCopyable, Sendable {
    /// x: arrival time since the first group [ms]; y: smoothed delay relative to the first group [ms].
    var point: SIMD2<Double>
  }

  private let parameters: TrendlineParameters
  private var samples = RingBuffer<Sample>()
  private var deltas = 0
  /// By the receiver's clock, in whole milliseconds [ms].
  private var firstArrival: Int64?
  private var lastUpdate: Int64?
  /// Delay relative to the first group [ms].
  private var accumulatedDelay = 0.0
  private var smoothedDelay = 0.0
  /// Time that the trend has been above the threshold [ms].
  private var overuseDuration: Double?
  private var overuseCount = 0

  /// Delay increase per arrival time: the fraction by which the path is overloaded.
  package private(set) var slope = 0.0
  /// The current threshold of the modified trend.
  package private(set) var threshold: Double
  /// The slope times the gain and the number of deltas.
  package private(set) var modifiedTrend = 0.0
  package private(set) var usage = BandwidthUsage.normal

  package init(parameters: TrendlineParameters = .init()) {
    self.parameters = parameters
    threshold = parameters.initialThreshold
  }

  /// Adds the deltas of a group, with the arrival time of the packet that ended it.
  package mutating func update(_ delta: InterArrivalGrouping.Delta, receivedAt: SimTime) {
    let arrival = receivedAt.wholeMilliseconds
    deltas = min(deltas + 1, 1000)
    let origin = firstArrival ?? arrival
    firstArrival = origin

    accumulatedDelay += (delta.received - delta.sent).milliseconds
    smoothedDelay = parameters.smoothing * smoothedDelay + (1 - parameters.smoothing) * accumulatedDelay
    samples.append(Sample(point: SIMD2(Double(arrival - origin), smoothedDelay)))
    if samples.count > parameters.window { samples.removeFirst() }

    let trend = samples.count == parameters.window ? fittedSlope() ?? slope : slope
    detect(trend, sent: delta.sent.milliseconds, arrival: arrival)
  }

  /// Least-squares slope; `nil` if all samples arrived at once.
  private func fittedSlope() -> Double? {
    guard let first = samples.first else { return nil }
    // Relative to the first sample, to keep the sums small and precise.
    var sums = SIMD2<Double>.zero
    // x·x and x·y.
    var products = SIMD2<Double>.zero
    samples.forEach {
      let point = $0.point - first.point
      sums += point
      products += point * point.x
    }
    let count = Double(samples.count)
    let variance = count * products.x - sums.x * sums.x
    return variance == 0 ? nil : (count * products.y - sums.x * sums.y) / variance
  }

  private mutating func detect(_ trend: Double, sent: Double, arrival: Int64) {
    guard deltas >= 2 else {
      usage = .normal
      return
    }
    let modified = Double(min(deltas, parameters.deltaCap)) * trend * parameters.gain
    modifiedTrend = modified
    if modified > threshold {
      // Assumes that the trend crossed the threshold half-way since the last sample.
      let duration = overuseDuration.map { $0 + sent } ?? sent / 2
      overuseDuration = duration
      overuseCount += 1
      if duration > parameters.overuseTime.milliseconds, overuseCount > 1, trend >= slope {
        overuseDuration = 0
        overuseCount = 0
        usage = .overused
      }
    } else {
      overuseDuration = nil
      overuseCount = 0
      usage = modified < -threshold ? .underused : .normal
    }
    slope = trend
    adaptThreshold(to: abs(modified), arrival: arrival)
  }

  private mutating func adaptThreshold(to size: Double, arrival: Int64) {
    let elapsed = arrival - (lastUpdate ?? arrival)
    lastUpdate = arrival
    // A spike from a sudden capacity drop says nothing about the path's usual noise.
    guard size <= threshold + parameters.maximumAdaptation else { return }
    let rate = size < threshold ? parameters.thresholdFall : parameters.thresholdRise
    threshold += rate * (size - threshold) * Double(min(elapsed, 100))
    threshold = min(
      max(threshold, parameters.thresholdRange.lowerBound), parameters.thresholdRange.upperBound)
  }
}
