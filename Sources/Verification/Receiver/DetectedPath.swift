import CongestionControl
import Quantity

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Grouping, filter and detector of the receive side, fed with frames that have 90 kHz timestamps and normally
/// distributed jitter, as in libwebrtc's unit test.
struct DetectedPath {
  private var grouping = TimestampGrouping(ticksPerMillisecond: 90)
  private var filter = DelayOffsetFilter()
  private var detector = OveruseDetector()
  private var timestamp: UInt32 = 900
  /// Receiver's clock without jitter, and time of the last arrival [ms].
  private var now: Int64 = 0
  private var arrival: Int64 = 0
  private var random: UInt64 = 123_456_789

  var usage: BandwidthUsage { detector.usage }

  /// Receives a frame's packets of 1200 B, all at once.
  mutating func receive(packets: Int) {
    for _ in 0..<packets {
      guard let delta = grouping.add(timestamp: timestamp, arrival: arrival, now: arrival, size: 1200) else {
        continue
      }
      let sent = Double(delta.sent) / 90
      filter.update(received: delta.received, sent: sent, size: delta.size, usage: detector.usage)
      detector.update(filter, sent: sent, arrival: arrival)
    }
  }

  /// Advances the send and arrival times to the next frame [ms].
  ///
  /// - Parameter jitter: standard deviation of the arrival time [ms].
  mutating func advance(sent: Int64, received: Int64, jitter: Double) {
    timestamp &+= UInt32(90 * sent)
    now += received
    arrival = max(arrival, now + Int64(normal(deviation: jitter) + 0.5))
  }

  private mutating func normal(deviation: Double) -> Double {
    let first = uniform()
    let second = uniform()
    return deviation * (-2 * log(first)).squareRoot() * cos(2 * .pi * second)
  }

  /// Draws a number from 0 to 1 with the unit test's own generator.
  private mutating func uniform() -> Double {
    random ^= random >> 12
    random ^= random << 25
    random ^= random >> 27
    return Double(random &* 2_685_821_657_736_338_717) / Double(UInt64.max)
  }
}
