import CongestionControl
import Quantity

/// A received packet; times in milliseconds.
func received(
  _ sequence: Int64, sent: Double, at: Double, size: Int32 = 1200, cluster: Int32 = -1
) -> PacketResult {
  PacketResult(
    packet: SentPacket(sequence: sequence, sentAt: time(sent), size: size, probeCluster: cluster),
    receivedAt: time(at))
}

/// A lost packet; send time in milliseconds.
func lost(_ sequence: Int64, sent: Double, size: Int32 = 1200) -> PacketResult {
  PacketResult(
    packet: SentPacket(sequence: sequence, sentAt: time(sent), size: size), receivedAt: nil)
}

/// A point in time, given in milliseconds.
func time(_ milliseconds: Double) -> SimTime {
  SimTime(nanoseconds: Int64((milliseconds * 1e6).rounded()))
}

/// The deltas between two groups, in milliseconds.
func delta(sent: Double, received: Double) -> InterArrivalGrouping.Delta {
  var grouping = InterArrivalGrouping()
  _ = grouping.add(sentAt: .zero, receivedAt: .zero, at: .zero)
  _ = grouping.add(sentAt: time(1000), receivedAt: time(1000), at: time(1000))
  _ = grouping.add(sentAt: time(1000 + sent), receivedAt: time(1000 + received), at: time(1000 + received))
  let far = 3000 + sent + received
  guard let delta = grouping.add(sentAt: time(far), receivedAt: time(far), at: time(far)) else {
    preconditionFailure("no delta from groups \(sent) ms apart")
  }
  return delta
}
