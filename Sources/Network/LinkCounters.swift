/// What has happened at a link since the beginning.
package struct LinkCounters: BitwiseCopyable, Sendable, Equatable {
  /// Packets that were sent into the link.
  package var offeredPackets: Int64 = 0
  /// Packets that the queue dropped, for want of room or by its discipline.
  package var droppedPackets: Int64 = 0
  /// Packets that were lost after their transmission.
  package var lostPackets: Int64 = 0
  /// Packets that reached the other end.
  package var deliveredPackets: Int64 = 0
  /// Bytes that reached the other end.
  package var deliveredBytes: Int64 = 0
  /// Packets whose time in the queue is known.
  package var queuedPackets: Int64 = 0
  /// Their time in the queue, added up [ns].
  package var queueDelaySum: Int64 = 0
  /// The longest of these times since ``LinkTable/takeQueueDelayMaximum(of:)`` [ns].
  package var queueDelayMaximum: Int64 = 0

  /// Counts from stated values, all zero unless given.
  package init(
    offeredPackets: Int64 = 0, droppedPackets: Int64 = 0, lostPackets: Int64 = 0, deliveredPackets: Int64 = 0,
    deliveredBytes: Int64 = 0, queuedPackets: Int64 = 0, queueDelaySum: Int64 = 0,
    queueDelayMaximum: Int64 = 0
  ) {
    self.offeredPackets = offeredPackets
    self.droppedPackets = droppedPackets
    self.lostPackets = lostPackets
    self.deliveredPackets = deliveredPackets
    self.deliveredBytes = deliveredBytes
    self.queuedPackets = queuedPackets
    self.queueDelaySum = queueDelaySum
    self.queueDelayMaximum = queueDelayMaximum
  }
}
