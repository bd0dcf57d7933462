package import Quantity

/// Packets of a probe cluster (LiveKit's `pkg/sfu/bwe/sendsidebwe/probe_packet_group.go`).
package struct ProbeGroup: Sendable {
  private let cluster: Int32
  private var group: PacketGroup
  private var lastSent: Int64?
  private var endedAt: SimTime?

  package init(cluster: Int32, bounds: PacketGroup.Bounds) {
    self.cluster = cluster
    group = PacketGroup(bounds)
  }

  package var queuing: SimDuration { group.queuing }
  package var traffic: TrafficStatistics { group.traffic }

  package mutating func send(_ packet: SentPacket) {
    if packet.probeCluster == cluster { lastSent = packet.sequence }
  }

  package mutating func add(_ packet: ReportedPacket, of cluster: Int32) {
    if cluster == self.cluster { _ = group.add(packet) }
  }

  /// Records that the whole cluster has been sent, or abandoned.
  package mutating func end(at now: SimTime) { if endedAt == nil { endedAt = now } }

  /// Checks whether all of its packets have been reported, or enough time has passed since its end.
  package func isSettled(lastReported: Int64, settling: SimDuration, at now: SimTime) -> Bool {
    guard let endedAt else { return false }
    if let lastSent, lastReported >= lastSent { return true }
    return now - endedAt > settling
  }
}
