package import Quantity

/// Trendline parameters; every default is libwebrtc's (`trendline_estimator.cc`).
package struct TrendlineParameters: Hashable, Sendable {
  /// Number of group deltas in the linear fit.
  package var window = 20
  /// Weight of the old value in the exponential delay filter.
  package var smoothing = 0.9
  /// Gain: the product of slope, gain and number of deltas is compared with the threshold.
  package var gain = 4.0
  /// Limit of the number of deltas in the product.
  package var deltaCap = 60
  package var overuse = OveruseParameters()

  package init() {}
}

/// Detector of overuse and underuse from the trend of the one-way delay.
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
  /// Arrival time of the first group by the receiver's clock, in whole milliseconds [ms].
  private var firstArrival: Int64?
  /// Delay relative to the first group [ms].
  private var accumulatedDelay = 0.0
  /// Smoothed delay relative to the first group [ms].
  private var smoothedDelay = 0.0
  private var detector: OveruseDetector

  /// Delay increase per arrival time: the fraction by which the path is overloaded.
  package var slope: Double { detector.signal }
  /// Current threshold of the modified trend.
  package var threshold: Double { detector.threshold }
  package var usage: BandwidthUsage { detector.usage }
  /// Product of slope, gain and number of deltas.
  package private(set) var modifiedTrend = 0.0

  package init(parameters: TrendlineParameters = .init()) {
    self.parameters = parameters
    detector = OveruseDetector(parameters: parameters.overuse)
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
    guard deltas >= 2 else { return }
    modifiedTrend = Double(min(deltas, parameters.deltaCap)) * trend * parameters.gain
    detector.update(modifiedTrend, signal: trend, sent: delta.sent.milliseconds, arrival: arrival)
  }

  /// Computes the least-squares slope; `nil` if all samples arrived at once.
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
}
