/// Tells when a sender uses clearly less than it may (libwebrtc `alr_detector.cc` and `interval_budget.cc`).
///
/// A budget of half a second at 80 % of the estimate: above 40 % of it the sender counts as application limited, below
/// -60 % no longer. These are the values in effect; those written in `alr_detector.h` are overridden by default.
package struct ApplicationLimitedDetector: Sendable {
  private static let usage = 0.8
  private static let startRatio = 0.4
  private static let stopRatio = -0.6
  private static let window = 0.5

  /// Bytes each second that count as full use.
  private var rate = 0.0
  private var remaining = 0.0
  private var sentAt: Int64?
  /// When the present application-limited time began [ns].
  package private(set) var since: Int64?

  package init() {}

  package mutating func setEstimate(_ kilobits: Double) {
    rate = kilobits * 125 * Self.usage
    let most = rate * Self.window
    remaining = min(max(remaining, -most), most)
  }

  package mutating func send(_ bytes: Int32, at now: Int64) {
    guard let before = sentAt else {
      sentAt = now
      return
    }
    sentAt = now
    let most = rate * Self.window
    remaining = max(remaining - Double(bytes), -most)
    remaining = min(remaining + rate * Double(now - before) / 1e9, most)
    let ratio = most > 0 ? remaining / most : 0
    if since == nil {
      if ratio > Self.startRatio { since = now }
    } else if ratio < Self.stopRatio {
      since = nil
    }
  }
}
