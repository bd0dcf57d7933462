package import Quantity

/// Rate of the data that arrived within a window, in buckets of a millisecond (libwebrtc's `rate_statistics.cc`).
///
/// Until a window has passed, it is the mean over the time since the first arrival.
package struct IncomingRate: Sendable {
  private struct Bucket: BitwiseCopyable, Sendable {
    /// Arrival time [ms].
    var time: Int64
    /// Sum of the amounts [byte].
    var size: Int64
    var packets: Int64
  }

  /// Length of the window [ms].
  private let window: Int64
  private var buckets: [Bucket] = []
  /// Index of the oldest bucket in the window.
  private var head = 0
  /// Sum of sizes over the window [byte].
  private var size = Int64(0)
  /// Number of packets in the window.
  private var packets = Int64(0)
  /// Time of the first arrival [ms].
  private var first: Int64?

  package init(window: SimDuration = .seconds(1)) { self.window = max(window.nanoseconds / 1_000_000, 1) }

  /// Adds an amount [byte] that arrived at a time [ms]; one before the newest counts as arrived with it.
  package mutating func add(_ amount: Int64, at time: Int64) {
    discard(before: time)
    if packets == 0 { first = time }
    if packets > 0, let newest = buckets.last, newest.time >= time {
      buckets[buckets.count - 1].size += amount
      buckets[buckets.count - 1].packets += 1
    } else {
      buckets.append(Bucket(time: time, size: amount, packets: 1))
    }
    size += amount
    packets += 1
  }

  /// Returns the rate at a time [ms]; `nil` with too little data.
  package mutating func rate(at time: Int64) -> BitRate? {
    discard(before: time)
    guard packets > 0, let first else { return nil }
    let active = first <= time - window ? window : time - first + 1
    guard active > 1, packets > 1 || active >= window else { return nil }
    // In single precision, as in libwebrtc.
    let rate = Float(size) * (Float(8000) / Float(active)) + 0.5
    return BitRate(bitsPerSecond: Int64(rate))
  }

  package mutating func reset() { self = IncomingRate(window: .milliseconds(window)) }

  private mutating func discard(before time: Int64) {
    while head < buckets.count, buckets[head].time <= time - window {
      size -= buckets[head].size
      packets -= buckets[head].packets
      head += 1
    }
    // Moves the rest rarely enough that a bucket is moved about once.
    if head > 64, 2 * head > buckets.count {
      buckets.removeFirst(head)
      head = 0
    }
  }
}
