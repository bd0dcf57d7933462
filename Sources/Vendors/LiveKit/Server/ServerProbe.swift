package import Quantity
import Systems

/// One probe: bursts on top of the media until the path has carried the desired rate for the desired time.
///
/// LiveKit 1.13.5, `pkg/sfu/ccutils/prober.go` and `pkg/sfu/pacer/probe_observer.go`.
package struct ServerProbe: Sendable {
  /// Distribution of a probe's bytes over its duration.
  package struct Bursts: Hashable, Sendable {
    /// Minimum time between two bursts.
    package var interval = SimDuration.milliseconds(10)
    /// Length of the intervals that get equal shares of the bytes.
    package var bucket = SimDuration.milliseconds(20)
    /// Minimum size of a burst.
    package var size = ByteCount(1100)

    package init() {}
  }

  package let startedAt: SimTime
  /// Rate of media and probes together.
  package let desired: BitRate
  package let usage: BitRate
  private let duration: SimDuration
  private let burst: Int
  /// Total to be sent during the cluster, including media [byte].
  package let goal: Int
  private let bucketTime: SimDuration
  private let bucketBytes: Int
  private let bucketCount: Int
  private var place = 0
  package private(set) var probeBytes = 0
  private var hasBegun = false
  /// Video sent to the viewer before the cluster [byte].
  private let sentBefore: Int64

  package init(
    usage: BitRate, desired: BitRate, duration: SimDuration, bursts: Bursts = Bursts(), sentBytes: Int64,
    at now: SimTime
  ) {
    startedAt = now
    self.usage = usage
    self.desired = desired
    self.duration = duration
    burst = Int(bursts.size.bytes)
    sentBefore = sentBytes
    let seconds = duration.seconds
    goal = Int((Double(desired.bitsPerSecond) * seconds / 8 + 0.5).rounded())
    bucketCount = max(1, Int((seconds / bursts.bucket.seconds + 0.5).rounded()))
    bucketTime = max(SimDuration(nanoseconds: duration.nanoseconds / Int64(bucketCount)), bursts.interval)
    let intervals = (seconds / bucketTime.seconds + 0.5).rounded()
    let extra = seconds * Double((desired - usage).bitsPerSecond) / 8
    bucketBytes = Int(((extra + intervals - 1) / intervals + 0.5).rounded())
  }

  /// Returns the bytes of the burst that is due at a tick; zero for none.
  package mutating func takeBurst(at now: SimTime) -> Int {
    guard hasBegun else {
      hasBegun = true
      return burst
    }
    guard now - startedAt > bucketTime * Int64(place + 1) else { return 0 }
    let isOver = place + 1 >= bucketCount
    if !isOver { place += 1 }
    let due = (place + 1) * bucketBytes
    return due > probeBytes || isOver ? max(burst, due - probeBytes) : 0
  }

  package mutating func note(bytes: Int) { probeBytes += bytes }

  /// Checks whether enough was sent for long enough.
  package func isComplete(sentBytes: Int64, at now: SimTime) -> Bool {
    sentBytes - sentBefore >= Int64(goal) && now - startedAt >= duration
  }
}
