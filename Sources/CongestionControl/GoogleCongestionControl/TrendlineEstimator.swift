package import Quantity

/// How a path is used, to judge by its delay.
package enum PathUse: UInt8, BitwiseCopyable, Sendable {
  case normal
  /// Queues grow.
  case overused
  /// Queues drain.
  case underused
}

/// What can be set about the delay trend; every default is libwebrtc's (`trendline_estimator.cc`).
package struct TrendlineParameters: Hashable, Sendable {
  /// Group deltas that the line is fitted to.
  package var window = 20
  /// Weight of the old value in the delay's exponential filter.
  package var smoothing = 0.9
  /// The slope is multiplied by this and by the number of deltas before it is held against the threshold.
  package var gain = 4.0
  /// That number of deltas is capped here.
  package var deltaCap = 60
  package var initialThreshold = 12.5
  /// How fast the threshold rises to a trend above it [1/ms].
  package var thresholdRise = 0.0087
  /// How fast it falls to a trend below it [1/ms].
  package var thresholdFall = 0.039
  package var thresholdRange = 6.0...600.0
  /// Trends this far above the threshold do not move it.
  package var greatestAdaptation = 15.0
  /// The trend stays above the threshold for more than this before it counts.
  package var overuseTime = SimDuration.milliseconds(10)

  package init() {}
}

/// Tells from the trend of the one-way delay whether queues grow or drain.
///
/// A line is fitted to the smoothed delay of the last groups over their arrival; its slope is held against a threshold
/// that adapts, so that competing TCP flows do not starve us (libwebrtc's `trendline_estimator.cc`; Carlucci et al.,
/// "Analysis and design of the Google congestion control", MMSys 2016, without its Kalman filter).
package struct TrendlineEstimator: ~Copyable, Sendable {
  struct Sample: BitwiseCopyable, Sendable {
    /// x: arrival since the first one [ms]; y: smoothed delay beyond that of the first group [ms].
    var point: SIMD2<Double>
  }

  private let parameters: TrendlineParameters
  private var samples = RingBuffer<Sample>()
  private var deltas = 0
  /// Whole milliseconds of the receiver's clock [ms].
  private var firstArrival: Int64?
  private var lastUpdate: Int64?
  /// Delay beyond that of the first group [ms].
  private var accumulatedDelay = 0.0
  private var smoothedDelay = 0.0
  /// How long the trend has been above the threshold [ms].
  private var overuseDuration: Double?
  private var overuseCount = 0

  /// Growth of the delay over the arrival: the share by which the path is overloaded.
  package private(set) var slope = 0.0
  /// What the modified trend is held against.
  package private(set) var threshold: Double
  /// The slope times gain and number of deltas.
  package private(set) var modifiedTrend = 0.0
  package private(set) var use = PathUse.normal

  package init(parameters: TrendlineParameters = .init()) {
    self.parameters = parameters
    threshold = parameters.initialThreshold
  }

  /// Takes the deltas of one group, with the arrival of the packet that ended it.
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

  /// The slope by least squares; nil when all samples arrived at once.
  private func fittedSlope() -> Double? {
    guard let first = samples.first else { return nil }
    // Relative to the first sample the sums are small numbers, which lose nothing to each other.
    var sums = SIMD2<Double>.zero
    // x times x, and x times y.
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
      use = .normal
      return
    }
    let modified = Double(min(deltas, parameters.deltaCap)) * trend * parameters.gain
    modifiedTrend = modified
    if modified > threshold {
      // The trend is taken to have crossed the threshold half-way since the last sample.
      let duration = overuseDuration.map { $0 + sent } ?? sent / 2
      overuseDuration = duration
      overuseCount += 1
      if duration > parameters.overuseTime.milliseconds, overuseCount > 1, trend >= slope {
        overuseDuration = 0
        overuseCount = 0
        use = .overused
      }
    } else {
      overuseDuration = nil
      overuseCount = 0
      use = modified < -threshold ? .underused : .normal
    }
    slope = trend
    adaptThreshold(to: abs(modified), arrival: arrival)
  }

  private mutating func adaptThreshold(to size: Double, arrival: Int64) {
    let elapsed = arrival - (lastUpdate ?? arrival)
    lastUpdate = arrival
    // A sudden fall of capacity makes a spike that says nothing of the path's usual noise.
    guard size <= threshold + parameters.greatestAdaptation else { return }
    let rate = size < threshold ? parameters.thresholdFall : parameters.thresholdRise
    threshold += rate * (size - threshold) * Double(min(elapsed, 100))
    threshold = min(
      max(threshold, parameters.thresholdRange.lowerBound), parameters.thresholdRange.upperBound)
  }
}
