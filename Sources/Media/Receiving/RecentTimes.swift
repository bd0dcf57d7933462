/// When the last of a row of events were: durations that follow each other need not be added up.
struct RecentTimes: BitwiseCopyable {
  /// Most durations that are looked back on.
  private static let most = 30

  /// Events since the beginning or the last restart.
  private var count = 0
  /// [ns], each at its number.
  private var times = InlineArray<32, Int64>(repeating: 0)

  /// Notes an event.
  ///
  /// - Returns: the durations up to it, at most 30, and what they take in all [ns].
  @inline(__always)
  mutating func append(_ now: Int64) -> (durations: Int, sum: Int64) {
    let durations = min(count, Self.most)
    times[count & 31] = now
    let sum = now - times[(count - durations) & 31]
    count += 1
    return (durations, sum)
  }

  /// Forgets all events.
  mutating func restart() { count = 0 }
}
