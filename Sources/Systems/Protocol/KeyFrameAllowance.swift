package import Quantity

/// Key frame requests for a source made on behalf of one viewer.
package struct KeyFrameAllowance: BitwiseCopyable, Sendable {
  /// Ring of the times of the last requests.
  private var times = InlineArray<8, LastTime>(repeating: .never)
  private var next = 0

  package init() {}

  /// Returns the first time at which a request is allowed: it must not come too soon after the last, nor exceed the
  /// number allowed in the limit's window.
  ///
  /// - Parameter spacing: minimum time between two requests.
  package func nextRequest(
    within limit: KeyFrameRequestRule.ViewerLimit, spacing: SimDuration
  ) -> SimTime {
    let count = KeyFrameRequestRule.ViewerLimit.most
    let last = times[(next + count - 1) % count].time.map { $0 + spacing } ?? .zero
    let first = times[(next + count - limit.count) % count].time.map { $0 + limit.window } ?? .zero
    return max(last, first)
  }

  /// Checks a request and counts it if it is allowed.
  ///
  /// - Returns: `true` if the request may be made.
  package mutating func take(
    _ limit: KeyFrameRequestRule.ViewerLimit, spacing: SimDuration, at now: SimTime
  ) -> Bool {
    guard now >= nextRequest(within: limit, spacing: spacing) else { return false }
    times[next] = LastTime(now)
    next = (next + 1) % KeyFrameRequestRule.ViewerLimit.most
    return true
  }
}
