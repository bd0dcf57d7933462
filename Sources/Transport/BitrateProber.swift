package import CongestionControl
import Quantity

/// Pacing of probe clusters: bursts at least 2 ms apart, at the cluster's rate.
///
/// Follows libwebrtc's `modules/pacing/bitrate_prober.cc`: a cluster ends once it has sent its minimum bursts and
/// bytes, then the next one starts; up to five clusters queue behind the current one, each for at most 5 s, and a
/// cluster more than 10 ms late is abandoned. A sender with probe packets of its own starts a cluster without waiting
/// for media, and finishes it however late it is.
package struct BitrateProber: BitwiseCopyable {
  /// Minimum burst spacing [ns].
  private static let spacing: Int64 = 2_000_000
  private static let maximumLateness: Int64 = 10_000_000
  private static let maximumAge: Int64 = 5_000_000_000
  /// Minimum size of a packet that starts probing, unless the burst size is smaller [byte].
  private static let smallestTrigger: Int64 = 200

  private struct Progress: BitwiseCopyable {
    var cluster: ProbeCluster
    var startedAt: Int64 = -1
    /// Bytes in completed bursts.
    var sentBytes: Int64 = 0
    /// Bytes in the current burst.
    var burstBytes: Int64 = 0
    var bursts: Int32 = 0
  }

  private var clusters = InlineArray<6, Progress?>(repeating: nil)
  private var count = 0
  private var nextAt: Int64 = -1
  private var isStarted = false
  /// Set if clusters start without media.
  private let startsAlone: Bool

  package init(startsAlone: Bool = false) { self.startsAlone = startsAlone }

  package var isProbing: Bool { isStarted && count > 0 }

  /// Adds a cluster; drops the oldest one if there are already six.
  package mutating func add(_ cluster: ProbeCluster) {
    while count > 0, let oldest = clusters[0],
      count == 6 || (cluster.createdAt - oldest.cluster.createdAt).nanoseconds > Self.maximumAge
    {
      removeFirst()
    }
    if count == 0 {
      isStarted = startsAlone
      nextAt = -1
    }
    clusters[count] = Progress(cluster: cluster)
    count += 1
  }

  /// Starts probing if an enqueued packet is large enough.
  package mutating func packetEnqueued(size: Int64) {
    guard !isStarted, count > 0 else { return }
    if size >= min(Self.smallestTrigger, burstSize) {
      isStarted = true
      nextAt = -1
    }
  }

  /// Returns the time at which the next burst is due [ns]; `nil` while not probing.
  package mutating func nextBurst(at now: Int64) -> Int64? {
    guard isProbing else { return nil }
    if !startsAlone, nextAt >= 0, now - nextAt > Self.maximumLateness {
      removeFirst()
      nextAt = -1
      guard count > 0 else {
        isStarted = false
        return nil
      }
    }
    return nextAt < 0 ? now : nextAt
  }

  /// Identifier of the current cluster; -1 for none.
  package var currentCluster: Int32 { clusters[0]?.cluster.id ?? -1 }

  /// Size of a burst [byte].
  package var burstSize: Int64 {
    guard count > 0, let progress = clusters[0] else { return 0 }
    return progress.cluster.rate.bitsPerSecond * Self.spacing / 8_000_000_000
  }

  /// `true` while nothing of the current cluster has been sent: it starts with a small packet, whose arrival opens the
  /// measurement window without counting in it.
  package var isAtStart: Bool { isProbing && clusters[0]?.startedAt ?? 0 < 0 }

  /// Bytes missing from the current burst [byte].
  package var missingBytes: Int64 { max(burstSize - (clusters[0]?.burstBytes ?? 0), 0) }

  /// Accounts for a sent packet of the current cluster.
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
    let duration = Int64(clamping: Int128(progress.sentBytes) * 8_000_000_000 / Int128(rate))
    nextAt = progress.startedAt + min(duration, .max / 2)
    clusters[0] = progress
    let minimumBytes = Int128(rate) * Int128(progress.cluster.minimumDuration.nanoseconds) / 8_000_000_000
    if Int128(progress.sentBytes) >= minimumBytes, progress.bursts >= progress.cluster.minimumPackets {
      removeFirst()
      if count == 0 { isStarted = false }
    }
  }

  private mutating func removeFirst() {
    var index = 1
    while index < count {
      clusters[index - 1] = clusters[index]
      index += 1
    }
    count -= 1
    clusters[count] = nil
  }
}
