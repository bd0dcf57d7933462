/// What has happened at a link since the beginning.
@frozen
package struct LinkCounters: BitwiseCopyable, Sendable, Equatable {
  /// Packets and bytes that were sent into the link.
  package var offeredPackets: Int64 = 0
  package var offeredBytes: Int64 = 0
  /// Packets that found the queue full.
  package var droppedPackets: Int64 = 0
  /// Packets that were lost after their transmission.
  package var lostPackets: Int64 = 0
  /// Packets and bytes that reached the other end.
  package var deliveredPackets: Int64 = 0
  package var deliveredBytes: Int64 = 0
  /// Packets whose transmission has begun, and their time in the queue before it [ns]: sum, and the greatest since
  /// ``LinkTable/takeQueueDelayMaximum(of:)``.
  package var startedPackets: Int64 = 0
  package var queueDelaySum: Int64 = 0
  package var queueDelayMaximum: Int64 = 0

  @inlinable
  package init() {}
}
