package import Quantity

/// Key frame requests for a source that were made on behalf of one viewer.
package struct KeyFrameAllowance: BitwiseCopyable, Sendable {
  /// Times of the last requests, in a ring.
  private var times = InlineArray<8, LastTime>(repeating: .never)
  private var next = 0

  package init() {}

  /// Returns the first time at which a request is allowed.
  package func allows(
    _ limit: KeyFrameRequestRule.ViewerLimit, spacing: SimDuration
  ) -> SimTime {
    let count = KeyFrameRequestRule.ViewerLimit.most
    let last = times[(next + count - 1) % count].time.map { $0 + spacing } ?? .zero
    let first = times[(next + count - limit.count) % count].time.map { $0 + limit.window } ?? .zero
    return max(last, first)
  }

  /// Checks a request and counts it if it is allowed: it must not come too early after the last, nor exceed the number
  /// in the limit's window.
  ///
  /// - Parameter spacing: minimum time between two requests.
  /// - Returns: `true` if the request may be made.
  package mutating func take(
    _ limit: KeyFrameRequestRule.ViewerLimit, spacing: SimDuration, at now: SimTime
  ) -> Bool {
    let count = KeyFrameRequestRule.ViewerLimit.most
    let last = times[(next + count - 1) % count]
    let first = times[(next + count - limit.count) % count]
    guard last.hasPassed(spacing, at: now), first.hasPassed(limit.window, at: now) else { return false }
    times[next] = LastTime(now)
    next = (next + 1) % count
    return true
  }
}
