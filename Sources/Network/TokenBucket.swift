import Quantity

/// A token bucket (`tc-tbf(8)`) that starts full, and the packets that wait for its tokens.
///
/// Tokens come at the link's capacity; a packet leaves, without any time for its transmission, as soon as there are
/// tokens for all of it. Capacities are known ahead, and so is the time at which a packet leaves when it comes. A packet
/// larger than the bucket, which `tc-tbf` would drop, leaves when what the bucket lacks has come (our rule).
struct TokenBucket {
  /// Tokens, and the most that the bucket holds [2^-32 byte].
  private var tokens: Int64
  private let depth: Int64
  /// When there were so many tokens [ns].
  private var countedAt: Int64 = 0
  /// Departures that are still to come, in order.
  private var departures: [(time: Int64, size: Int64)] = []
  private var first = 0

  init(depth: ByteCount) {
    self.depth = min(depth.bytes, 1 << 30) << 32
    tokens = self.depth
  }

  /// Takes the tokens for a packet that comes now [ns] and gives the time at which it leaves, behind those that came
  /// before; `nil` when the link carries too little, ever.
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

  mutating func wait(until departure: Int64, size: Int64) {
    departures.append((departure, size))
  }

  /// The size of the next packet that has left by now and was not told yet.
  mutating func takeDeparted(by now: Int64) -> Int64? {
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
