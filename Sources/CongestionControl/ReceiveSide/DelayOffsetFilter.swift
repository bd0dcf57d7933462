import Quantity

/// Kalman filter parameters; every default is libwebrtc's (`overuse_estimator.h`, `overuse_estimator.cc`).
package struct DelayOffsetParameters: Hashable, Sendable {
  /// Initial slope: transmission time per size difference [ms/byte].
  package var initialSlope = 8.0 / 512
  /// Initial variance of the slope.
  package var initialSlopeVariance = 100.0
  /// Initial variance of the offset.
  package var initialOffsetVariance = 0.1
  /// Process noise of the slope, per group.
  package var slopeNoise = 1e-13
  /// Process noise of the offset, per group.
  package var offsetNoise = 1e-3
  /// Multiple of the offset's process noise added while the offset returns from overuse or underuse.
  package var returnNoise = 10.0
  /// Initial variance of the measurement noise [ms²].
  package var initialVariance = 50.0
  /// Lower bound of the noise variance [ms²].
  package var minimumVariance = 1.0
  /// Multiple of the noise's standard deviation at which residuals are cut off in its estimate.
  package var outlierBound = 3.0
  /// Initial weight of a new residual at 30 groups a second.
  package var startupWeight = 0.01
  /// Weight of a new residual at 30 groups a second after ``startupSamples``.
  package var weight = 0.002
  /// Number of groups with the initial weight.
  package var startupSamples = 300
  /// Number of groups whose shortest send time difference is the update interval of the noise estimate.
  package var intervalWindow = 60
  /// Limit of the number of samples.
  package var sampleCap = 1000

  package init() {}
}

/// Kalman filter of the transmission time per byte and of the offset by which the one-way delay grows from group to
/// group (libwebrtc's `overuse_estimator.cc`).
package struct DelayOffsetFilter: Sendable {
  private let parameters: DelayOffsetParameters
  /// Transmission time per size difference [ms/byte].
  package private(set) var slope: Double
  /// Growth of the one-way delay [ms].
  package private(set) var offset = 0.0
  private var previousOffset = 0.0
  /// Variance of the slope, on the diagonal of the covariance matrix.
  private var slopeVariance: Double
  /// Variance of the offset, on the diagonal of the covariance matrix.
  private var offsetVariance: Double
  /// Off-diagonal element of the covariance matrix's upper half.
  private var upper = 0.0
  /// Off-diagonal element of the covariance matrix's lower half.
  private var lower = 0.0
  private var noiseMean = 0.0
  /// Variance of the measurement noise [ms²].
  package private(set) var noiseVariance: Double
  /// Number of groups, at most ``DelayOffsetParameters/sampleCap``.
  package private(set) var samples = 0
  /// Send time differences of the last groups [ms], a ring.
  private var intervals: [Double] = []
  private var oldestInterval = 0

  package init(parameters: DelayOffsetParameters = .init()) {
    self.parameters = parameters
    slope = parameters.initialSlope
    slopeVariance = parameters.initialSlopeVariance
    offsetVariance = parameters.initialOffsetVariance
    noiseVariance = parameters.initialVariance
    intervals.reserveCapacity(parameters.intervalWindow)
  }

  /// Adds the differences of two groups.
  ///
  /// - Parameters:
  ///   - received: arrival time difference [ms].
  ///   - sent: send time difference [ms].
  ///   - size: size difference [byte].
  ///   - usage: the detector's state before this sample.
  package mutating func update(received: Int64, sent: Double, size: Int64, usage: BandwidthUsage) {
    let interval = shortestInterval(with: sent)
    samples = min(samples + 1, parameters.sampleCap)

    slopeVariance += parameters.slopeNoise
    offsetVariance += parameters.offsetNoise
    if (usage == .overused && offset < previousOffset) || (usage == .underused && offset > previousOffset) {
      offsetVariance += parameters.returnNoise * parameters.offsetNoise
    }

    let size = Double(size)
    let slopeGain = slopeVariance * size + upper
    let offsetGain = lower * size + offsetVariance
    let residual = Double(received) - sent - slope * size - offset
    if usage == .normal { updateNoise(residual, interval: interval) }

    let denominator = noiseVariance + size * slopeGain + offsetGain
    let slopeWeight = slopeGain / denominator
    let offsetWeight = offsetGain / denominator
    // (I - K hT) E, all of it with the old E.
    let (slopeBefore, upperBefore) = (slopeVariance, upper)
    let (lowerBefore, offsetBefore) = (lower, offsetVariance)
    slopeVariance = (1 - slopeWeight * size) * slopeBefore - slopeWeight * lowerBefore
    upper = (1 - slopeWeight * size) * upperBefore - slopeWeight * offsetBefore
    lower = (1 - offsetWeight) * lowerBefore - offsetWeight * size * slopeBefore
    offsetVariance = (1 - offsetWeight) * offsetBefore - offsetWeight * size * upperBefore

    slope += slopeWeight * residual
    previousOffset = offset
    offset += offsetWeight * residual
  }

  /// Returns the shortest of the last send time differences and this one [ms], which it stores.
  private mutating func shortestInterval(with sent: Double) -> Double {
    if intervals.count < parameters.intervalWindow {
      intervals.append(sent)
    } else {
      intervals[oldestInterval] = sent
      oldestInterval = (oldestInterval + 1) % intervals.count
    }
    var shortest = sent
    for interval in intervals { shortest = min(shortest, interval) }
    return shortest
  }

  private mutating func updateNoise(_ residual: Double, interval: Double) {
    let bound = parameters.outlierBound * noiseVariance.squareRoot()
    let residual = min(max(residual, -bound), bound)
    let weight = samples > parameters.startupSamples ? parameters.weight : parameters.startupWeight
    let keep = ReproducibleMath.decay(1 - weight, interval * 30 / 1000)
    noiseMean = keep * noiseMean + (1 - keep) * residual
    let deviation = noiseMean - residual
    noiseVariance = max(
      keep * noiseVariance + (1 - keep) * deviation * deviation, parameters.minimumVariance)
  }
}
