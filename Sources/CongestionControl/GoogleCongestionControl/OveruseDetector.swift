package import Quantity

/// Bandwidth usage of a path, detected from its delay.
package enum BandwidthUsage: UInt8, BitwiseCopyable, Sendable {
  case normal
  /// Queues grow.
  case overused
  /// Queues drain.
  case underused
}

/// Parameters of the adaptive threshold; every default is libwebrtc's (`overuse_detector.cc`,
/// `trendline_estimator.cc`).
package struct OveruseParameters: Hashable, Sendable {
  package var initialThreshold = 12.5
  /// Adaptation rate of the threshold to a signal above it [1/ms].
  package var thresholdRise = 0.0087
  /// Adaptation rate of the threshold to a signal below it [1/ms].
  package var thresholdFall = 0.039
  package var thresholdRange = 6.0...600.0
  /// Distance above the threshold beyond which signals do not adapt it.
  package var maximumAdaptation = 15.0
  /// Minimum time above the threshold for overuse.
  package var overuseTime = SimDuration.milliseconds(10)

  package init() {}
}

/// Detector of overuse that compares a delay signal with an adaptive threshold, so that competing TCP flows do not
/// starve us.
///
/// The signal is the slope of the delay on the send side and the filtered delay offset on the receive side.
package struct OveruseDetector: Sendable {
  private let parameters: OveruseParameters
  /// Time that the signal has been above the threshold [ms].
  private var overuseDuration: Double?
  private var overuseCount = 0
  /// Time of the last update by the receiver's clock, in whole milliseconds [ms].
  private var lastUpdate: Int64?

  /// Last signal, before scaling for the comparison.
  package private(set) var signal = 0.0
  package private(set) var threshold: Double
  package private(set) var usage = BandwidthUsage.normal

  package init(parameters: OveruseParameters = .init()) {
    self.parameters = parameters
    threshold = parameters.initialThreshold
  }

  /// Adds a signal.
  ///
  /// - Parameters:
  ///   - modified: the signal scaled for the comparison with the threshold.
  ///   - sent: send time difference of the two groups [ms].
  ///   - arrival: arrival time of the packet that ended the group [ms].
  package mutating func update(_ modified: Double, signal: Double, sent: Double, arrival: Int64) {
    if modified > threshold {
      // Assumes that the signal crossed the threshold half-way since the last sample.
      let duration = overuseDuration.map { $0 + sent } ?? sent / 2
      overuseDuration = duration
      overuseCount += 1
      if duration > parameters.overuseTime.milliseconds, overuseCount > 1, signal >= self.signal {
        overuseDuration = 0
        overuseCount = 0
        usage = .overused
      }
    } else {
      overuseDuration = nil
      overuseCount = 0
      usage = modified < -threshold ? .underused : .normal
    }
    self.signal = signal
    adaptThreshold(to: abs(modified), arrival: arrival)
  }

  private mutating func adaptThreshold(to size: Double, arrival: Int64) {
    let elapsed = arrival - (lastUpdate ?? arrival)
    lastUpdate = arrival
    // A spike from a sudden capacity drop reveals nothing about the path's usual noise.
    guard size <= threshold + parameters.maximumAdaptation else { return }
    let rate = size < threshold ? parameters.thresholdFall : parameters.thresholdRise
    threshold += rate * (size - threshold) * Double(min(elapsed, 100))
    threshold = min(
      max(threshold, parameters.thresholdRange.lowerBound), parameters.thresholdRange.upperBound)
  }
}
