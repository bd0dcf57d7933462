package import CongestionControl
import Quantity

/// Sends probe clusters: bursts of 2 ms at least whose bytes keep to the cluster's rate.
///
/// After libwebrtc's `modules/pacing/bitrate_prober.cc`: a cluster ends after its bursts and bytes, the next one follows
/// at its rate; five may wait behind one, each for at most 5 s, and one that comes more than 10 ms late is given up.
package struct BitrateProber: BitwiseCopyable {
  /// Shortest distance of bursts [ns].
  private static let spacing: Int64 = 2_000_000
  private static let greatestLateness: Int64 = 10_000_000
  private static let greatestAge: Int64 = 5_000_000_000
  /// A packet of this size (or a burst's worth, if that is less) has to wait before probing begins [byte].
  private static let smallestTrigger: Int64 = 200

  private struct Progress: BitwiseCopyable {
    var cluster: ProbeCluster
    var startedAt: Int64 = -1
    /// In whole bursts, and in the one that is being sent.
    var sentBytes: Int64 = 0
    var burstBytes: Int64 = 0
    var bursts: Int32 = 0
  }

  private var clusters = InlineArray<6, Progress?>(repeating: nil)
  private var count = 0
  private var nextAt: Int64 = -1
  private var isStarted = false

  package init() {}

  package var isProbing: Bool { isStarted && count > 0 }

  /// Adds a cluster; the oldest one leaves when there are six already.
  package mutating func add(_ cluster: ProbeCluster) {
    while count > 0, let oldest = clusters[0],
      count == 6 || (cluster.createdAt - oldest.cluster.createdAt).nanoseconds > Self.greatestAge
    {
      removeFirst()
    }
    if count == 0 { isStarted = false }
    clusters[count] = Progress(cluster: cluster)
    count += 1
  }

  /// A packet has come to be sent: probing begins with one that is large enough.
  package mutating func packetCame(size: Int64) {
    guard !isStarted, count > 0 else { return }
    if size >= min(Self.smallestTrigger, burstSize) {
      isStarted = true
      nextAt = -1
    }
  }

  /// When the next burst is due [ns]; `nil` when nothing is being probed.
  package mutating func nextBurst(at now: Int64) -> Int64? {
    guard isProbing else { return nil }
    if nextAt >= 0, now - nextAt > Self.greatestLateness {
      removeFirst()
      nextAt = -1
      guard count > 0 else {
        isStarted = false
        return nil
      }
    }
    return nextAt < 0 ? now : nextAt
  }

  /// Number of the cluster that is being sent.
  package var currentCluster: Int32 { clusters[0]?.cluster.id ?? -1 }

  /// Bytes of one burst.
  package var burstSize: Int64 {
    guard count > 0, let progress = clusters[0] else { return 0 }
    return progress.cluster.rate.bitsPerSecond * Self.spacing / 8_000_000_000
  }

  /// Whether nothing of the current cluster was sent: it begins with a small packet, whose arrival opens the window of
  /// measurement without weighing in it.
  package var isAtStart: Bool { isProbing && clusters[0]?.startedAt ?? 0 < 0 }

  /// What the current burst still lacks [byte].
  package var missingBytes: Int64 { max(burstSize - (clusters[0]?.burstBytes ?? 0), 0) }

  /// A packet of the current cluster was sent.
  package mutating func sent(bytes: Int64, at now: Int64) {
    guard count > 0, var progress = clusters[0] else { return }
    if progress.startedAt < 0 { progress.startedAt = now }
    progress.burstBytes += bytes
    guard progress.burstBytes >= burstSize else {
      clusters[0] = progress
      nextAt = now
      return
    }
    progress.sentBytes += progress.burstBytes
    progress.burstBytes = 0
    progress.bursts += 1
    let rate = max(progress.cluster.rate.bitsPerSecond, 1)
    nextAt = progress.startedAt + Int64(Int128(progress.sentBytes) * 8_000_000_000 / Int128(rate))
    clusters[0] = progress
    let leastBytes = rate * progress.cluster.minimumDuration.nanoseconds / 8_000_000_000
    if progress.sentBytes >= leastBytes, progress.bursts >= progress.cluster.minimumPackets {
      removeFirst()
      if count == 0 { isStarted = false }
    }
  }

  private mutating func removeFirst() {
    var place = 1
    while place < count {
      clusters[place - 1] = clusters[place]
      place += 1
    }
    count -= 1
    clusters[count] = nil
  }
}
