import Quantity

/// Token bucket (`tc-tbf(8)`), initially full, with its queue of departures.
///
/// Tokens arrive at the link's capacity; a packet departs, with no transmission time, once there are tokens for all of
/// it. As capacities are known in advance, the departure time is known on arrival. A packet larger than the bucket,
/// which `tc-tbf` would drop, departs when the missing tokens have arrived (our rule).
struct TokenBucket {
  /// Current tokens [2^-32 byte].
  private var tokens: Int64
  /// Depth of the bucket [2^-32 byte].
  private let depth: Int64
  /// Time for which ``tokens`` was computed [ns].
  private(set) var countedAt: Int64 = 0
  /// Pending departures, in order.
  private var departures: [(time: Int64, size: Int64)] = []
  private var first = 0

  init(depth: ByteCount) {
    self.depth = min(depth.bytes, 1 << 30) << 32
    tokens = self.depth
  }

  /// Consumes the tokens for a packet that arrives at `now` [ns] and returns its departure time, after those of earlier
  /// packets; `nil` if the link never carries it.
  mutating func departure(of size: Int64, at now: Int64, _ schedule: inout LinkSchedule) -> Int64? {
    let start = max(now, countedAt)
    tokens = min(depth, tokens + schedule.carried(from: countedAt, to: start, atMost: depth - tokens))
    countedAt = start
    let missing = size << 32 - tokens
    guard missing > 0 else {
      tokens = -missing
      return start
    }
    guard let end = schedule.end(ofTransmissionAt: start, fineSize: missing) else { return nil }
    tokens = 0
    countedAt = end
    return end
  }

  mutating func addDeparture(at departure: Int64, size: Int64) {
    departures.append((departure, size))
  }

  /// Returns the size of the next packet that departed by `now` [ns], each once.
  mutating func popDeparted(by now: Int64) -> Int64? {
    guard first < departures.count, departures[first].time <= now else { return nil }
    let size = departures[first].size
    first += 1
    if first >= 64, first * 2 >= departures.count {
      departures.removeFirst(first)
      first = 0
    }
    return size
  }
}
