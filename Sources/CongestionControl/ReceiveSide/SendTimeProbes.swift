package import Quantity

/// Parameters of the probe detection; every default is libwebrtc's (`remote_bitrate_estimator_abs_send_time.cc`).
package struct SendTimeProbeParameters: Hashable, Sendable {
  /// Maximum payload of packets that are not probes.
  package var ignoredSize = ByteCount(200)
  /// Time from the first packet after which probes no longer raise a valid estimate.
  package var window = SimDuration.seconds(2)
  /// Maximum distance of a cluster's send time differences from their mean.
  package var clusterWidth = SimDuration.microseconds(2500)
  /// Minimum spacing, both sent and received, of packets that are evidence of pacing.
  package var minimumSpacing = SimDuration.milliseconds(1)
  /// Minimum number of packet pairs of a cluster.
  package var minimumPairs = 4
  /// Maximum growth of the mean spacing from sending to arrival.
  package var maximumStretch = SimDuration.milliseconds(2)
  /// Maximum shrinkage of the mean spacing from sending to arrival.
  package var maximumShrinkage = SimDuration.milliseconds(5)
  /// Number of packets without a cluster after which the oldest is discarded.
  package var maximumPackets = 15
  /// Number of clusters after which all are discarded.
  package var maximumClusters = 3

  package init() {}
}

/// Detector of evenly sent packets, whose spacing at arrival shows the capacity of the path (libwebrtc's
/// `remote_bitrate_estimator_abs_send_time.cc`).
package struct SendTimeProbes: Sendable {
  private struct Packet: BitwiseCopyable, Sendable {
    /// Send time [us].
    var sent: Int64
    /// Arrival time [us].
    var received: Int64
    /// Payload size [byte].
    var size: Int64
  }

  /// Consecutive packets sent at about the same distance.
  private struct Cluster: BitwiseCopyable, Sendable {
    /// Sum of the pairs' send time differences [us].
    var sent = Int64(0)
    /// Sum of the pairs' arrival time differences [us].
    var received = Int64(0)
    /// Sum of the sizes of the pairs' later packets [byte].
    var size = Int64(0)
    /// Number of pairs.
    var pairs = Int64(0)
    /// Number of pairs spaced by the pacer.
    var spacedPairs = Int64(0)
  }

  private let parameters: SendTimeProbeParameters
  private var packets: [Packet] = []
  /// Closed clusters that are large enough.
  private var clusters: [Cluster] = []
  private var running = Cluster()
  private var last: Packet?

  package init(parameters: SendTimeProbeParameters = .init()) { self.parameters = parameters }

  /// Number of stored packets.
  package var packetCount: Int { packets.count }

  /// Adds a packet and returns the best rate of its and the earlier clusters if it raises the estimate.
  ///
  /// - Parameters:
  ///   - sent: send time, not unwrapped [us].
  ///   - received: arrival time [us].
  ///   - size: [byte]
  ///   - estimate: `nil` while there is none.
  package mutating func add(sent: Int64, received: Int64, size: Int64, estimate: BitRate?) -> BitRate? {
    let packet = Packet(sent: sent, received: received, size: size)
    packets.append(packet)
    extend(with: packet)

    if let rate = bestRate(), rate > estimate ?? .zero { return rate }
    let count = clusters.count + (isCluster(running) ? 1 : 0)
    if count == 0, packets.count >= parameters.maximumPackets {
      packets.removeFirst()
      regroup()
    }
    if count >= parameters.maximumClusters {
      packets.removeAll(keepingCapacity: true)
      regroup()
    }
    return nil
  }

  private mutating func regroup() {
    clusters.removeAll(keepingCapacity: true)
    running = Cluster()
    last = nil
    for packet in packets { extend(with: packet) }
  }

  private mutating func extend(with packet: Packet) {
    defer { last = packet }
    guard let last else { return }
    let sent = packet.sent - last.sent
    let received = packet.received - last.received
    let spacing = parameters.minimumSpacing.nanoseconds / 1000
    if sent >= spacing, received >= spacing { running.spacedPairs += 1 }
    let width = parameters.clusterWidth.nanoseconds / 1000
    if running.pairs > 0, abs(sent - running.sent / running.pairs) >= width {
      if isCluster(running) { clusters.append(running) }
      running = Cluster()
    }
    running.sent += sent
    running.received += received
    running.size += packet.size
    running.pairs += 1
  }

  private func isCluster(_ cluster: Cluster) -> Bool {
    cluster.pairs >= parameters.minimumPairs && cluster.sent > 0 && cluster.received > 0
  }

  /// Returns the highest rate before the first cluster that is not a probe; `nil` if there is none.
  private func bestRate() -> BitRate? {
    var best: BitRate?
    for index in 0...clusters.count {
      let cluster = index < clusters.count ? clusters[index] : running
      guard isCluster(cluster) else { continue }
      let sent = cluster.sent / cluster.pairs
      let received = cluster.received / cluster.pairs
      guard sent > 0, received > 0 else { continue }
      guard cluster.spacedPairs > cluster.pairs / 2,
        .microseconds(received - sent) <= parameters.maximumStretch,
        .microseconds(sent - received) <= parameters.maximumShrinkage
      else { break }
      let rate = BitRate(bitsPerSecond: cluster.size / cluster.pairs * 8_000_000 / max(sent, received))
      best = max(best ?? .zero, rate)
    }
    return best
  }
}
