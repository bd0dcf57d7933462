package import Quantity

/// The requests for key frames of a source that were made on behalf of one viewer.
package struct KeyFrameAllowance: BitwiseCopyable, Sendable {
  /// When the last ones were made, in a ring.
  private var times = InlineArray<8, LastTime>(repeating: .never)
  private var next = 0

  package init() {}

  /// Takes a request, unless it is too early after the last or one too many in the time in which they count.
  ///
  /// - Parameter spacing: least time between two.
  /// - Returns: whether it may be made.
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
