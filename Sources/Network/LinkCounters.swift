/// What has happened at a link since the beginning.
@frozen
public struct LinkCounters: BitwiseCopyable, Sendable, Equatable {
  /// Packets that were sent into the link.
  public var offeredPackets: Int64 = 0
  /// Packets that found the queue full.
  public var droppedPackets: Int64 = 0
  /// Packets that were lost after their transmission.
  public var lostPackets: Int64 = 0
  /// Packets that reached the other end.
  public var deliveredPackets: Int64 = 0
  /// Bytes that reached the other end.
  public var deliveredBytes: Int64 = 0
  /// Packets whose transmission has begun.
  public var startedPackets: Int64 = 0
  /// Their time in the queue before it, added up [ns].
  public var queueDelaySum: Int64 = 0
  /// The longest of these times since ``LinkTable/takeQueueDelayMaximum(of:)`` [ns].
  public var queueDelayMaximum: Int64 = 0

  /// Nothing has happened yet.
  @inlinable
  public init() {}
}
