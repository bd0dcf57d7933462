package import Quantity

/// Delivery rate of a path, from acknowledged packets: rates of short windows, weighted by how much they vary.
///
/// Follows `acknowledged_bitrate_estimator.cc` and `bitrate_estimator.cc` of libwebrtc in 2019.
package struct BayesianThroughput: Sendable {
  /// Length of the windows until the first rate [ms].
  private let firstWindow: Int64 = 500
  /// Length of the windows from then on [ms].
  private let window: Int64 = 150
  /// Deviation of a window's rate in tenths of the estimate, whose square is its variance.
  private let deviationScale = 10.0
  /// Growth of the estimate's variance with each window.
  private let drift = 5.0
  /// Additional variance once the sender is no longer limited by its application.
  private let jump = 200.0

  /// Bytes of the current window.
  private var size: Int64 = 0
  /// Elapsed time of the current window [ms].
  private var elapsed: Int64 = 0
  /// Time of the last arrival [ms].
  private var last: Int64?
  /// Estimate [kbit/s]; `nil` before the first window is complete.
  private var estimate: Double?
  private var variance = 50.0
  /// End of an application-limited region after which nothing has been acknowledged yet.
  private var limitedUntil: SimTime?

  package init() {}

  /// Acknowledged rate; `nil` before the first window is complete.
  package var rate: BitRate? { estimate.map { BitRate(kilobits: $0) } }

  /// Notes the end of an application-limited region: the first packet sent after it makes a fast change likely.
  package mutating func endLimitedRegion(at now: SimTime) { limitedUntil = now }

  /// Adds a received packet, in order of arrival.
  package mutating func add(bytes: Int64, sentAt: SimTime, receivedAt: SimTime) {
    if let end = limitedUntil, sentAt > end {
      if estimate != nil { variance += jump }
      limitedUntil = nil
    }
    guard let sample = sample(adding: bytes, at: receivedAt.wholeMilliseconds) else { return }
    guard let estimate else {
      self.estimate = sample
      return
    }
    let deviation = estimate > 0 ? deviationScale * abs(estimate - sample) / estimate : 0
    let spread = deviation * deviation
    let predicted = variance + drift
    self.estimate = max(0, (spread * estimate + predicted * sample) / (spread + predicted))
    variance = spread * predicted / (spread + predicted)
  }

  /// Returns the rate of a window once it is complete [kbit/s].
  private mutating func sample(adding bytes: Int64, at now: Int64) -> Double? {
    let length = estimate == nil ? firstWindow : window
    if let last {
      if now < last {
        size = 0
        elapsed = 0
      } else {
        elapsed += now - last
        if now - last > length {
          size = 0
          elapsed %= length
        }
      }
    }
    last = now
    defer { size += bytes }
    guard elapsed >= length else { return nil }
    defer { size = 0 }
    elapsed -= length
    return 8 * Double(size) / Double(length)
  }
}
