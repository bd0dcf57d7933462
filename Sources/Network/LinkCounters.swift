/// Cumulative counters of a link since the start.
package struct LinkCounters: BitwiseCopyable, Sendable, Equatable {
  /// Packets offered to the link.
  package var offeredPackets: Int64 = 0
  /// Packets dropped by the queue: tail drops, drops by the discipline, and packets that arrived during an outage.
  package var droppedPackets: Int64 = 0
  /// Packets lost randomly after transmission.
  package var lostPackets: Int64 = 0
  /// Packets delivered to the far end.
  package var deliveredPackets: Int64 = 0
  /// Bytes delivered to the far end.
  package var deliveredBytes: Int64 = 0
  /// Packets whose queuing delay is known.
  package var queuedPackets: Int64 = 0
  /// Sum of the queuing delays of the ``queuedPackets`` [ns].
  package var queueDelaySum: Int128 = 0

  /// Creates counters, all zero by default.
  package init(
    offeredPackets: Int64 = 0, droppedPackets: Int64 = 0, lostPackets: Int64 = 0, deliveredPackets: Int64 = 0,
    deliveredBytes: Int64 = 0, queuedPackets: Int64 = 0, queueDelaySum: Int128 = 0
  ) {
    self.offeredPackets = offeredPackets
    self.droppedPackets = droppedPackets
    self.lostPackets = lostPackets
    self.deliveredPackets = deliveredPackets
    self.deliveredBytes = deliveredBytes
    self.queuedPackets = queuedPackets
    self.queueDelaySum = queueDelaySum
  }
}
