import Quantity

/// What probe clusters have shown (libwebrtc `probe_bitrate_estimator.cc`).
///
/// A cluster counts once 80 % of its packets and bytes are reported and they were sent and received within a second;
/// when clearly less arrives than is sent, the link is full, and 95 % of what arrives are taken so that its queue drains.
package struct ProbeResults: Sendable {
  private static let leastShare = 0.8
  private static let longestSpan: Int64 = 1_000_000_000
  private static let greatestRatio = 2.0
  private static let fullRatio = 0.9
  private static let fullShare = 0.95

  private struct Cluster {
    var id: Int32
    var packets: Double
    var bytes: Double
    var count = 0
    var size: Int64 = 0
    var firstSent = Int64.max
    var lastSent = Int64.min
    var firstReceived = Int64.max
    var lastReceived = Int64.min
    var lastSentSize: Int64 = 0
    var firstReceivedSize: Int64 = 0
  }

  private var clusters: [Cluster] = []
  /// The latest result since the last call of ``take()`` [kbit/s].
  private var latest: Double?

  package init() {}

  package mutating func expect(_ cluster: ProbeCluster) {
    if clusters.count == 8 { clusters.removeFirst() }
    let bytes =
      Double(cluster.rate.bitsPerSecond) / 8 * Double(cluster.minimumDuration.nanoseconds) / 1e9
    clusters.append(
      Cluster(
        id: cluster.id, packets: Double(cluster.minimumPackets) * Self.leastShare,
        bytes: bytes * Self.leastShare))
  }

  package mutating func add(_ result: PacketResult) {
    guard let place = clusters.firstIndex(where: { $0.id == result.packet.probeCluster }) else { return }
    var cluster = clusters[place]
    let sent = result.packet.sentAt.nanoseconds
    let received = result.receivedAt.nanoseconds
    let size = Int64(result.packet.size)
    cluster.firstSent = min(cluster.firstSent, sent)
    if sent > cluster.lastSent {
      cluster.lastSent = sent
      cluster.lastSentSize = size
    }
    if received < cluster.firstReceived {
      cluster.firstReceived = received
      cluster.firstReceivedSize = size
    }
    cluster.lastReceived = max(cluster.lastReceived, received)
    cluster.size += size
    cluster.count += 1
    clusters[place] = cluster
    if let rate = Self.rate(of: cluster) { latest = rate }
  }

  /// The latest result, once [kbit/s].
  package mutating func take() -> Double? {
    defer { latest = nil }
    return latest
  }

  private static func rate(of cluster: Cluster) -> Double? {
    guard Double(cluster.count) >= cluster.packets, Double(cluster.size) >= cluster.bytes else { return nil }
    let send = cluster.lastSent - cluster.firstSent
    let receive = cluster.lastReceived - cluster.firstReceived
    guard send > 0, send <= longestSpan, receive > 0, receive <= longestSpan else { return nil }
    let sendRate = Double(cluster.size - cluster.lastSentSize) * 8e6 / Double(send)
    let receiveRate = Double(cluster.size - cluster.firstReceivedSize) * 8e6 / Double(receive)
    guard receiveRate <= greatestRatio * sendRate else { return nil }
    return receiveRate < fullRatio * sendRate ? fullShare * receiveRate : min(sendRate, receiveRate)
  }
}
