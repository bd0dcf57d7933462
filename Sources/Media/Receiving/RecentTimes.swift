/// Times of the latest events in a series, whose differences are the sums of consecutive durations.
struct RecentTimes: BitwiseCopyable {
  /// Maximum number of durations that are considered.
  private static let most = 30

  /// Events since the beginning or the last restart.
  private var count = 0
  /// Times of the events [ns], each at its number modulo 32.
  private var times = InlineArray<32, Int64>(repeating: 0)

  /// Records an event.
  ///
  /// - Returns: the number of durations up to it, at most 30, and their sum [ns].
  @inline(__always)
  mutating func append(_ now: Int64) -> (durations: Int, sum: Int64) {
    let durations = min(count, Self.most)
    times[count & 31] = now
    let sum = now - times[(count - durations) & 31]
    count += 1
    return (durations, sum)
  }

  /// Records an event whose distance from the last one does not count.
  mutating func skip(to now: Int64) {
    guard count > 0 else {
      _ = append(now)
      return
    }
    let gap = now - times[(count - 1) & 31]
    for place in times.indices { times[place] += gap }
  }

  /// Discards all events.
  mutating func restart() { count = 0 }
}
