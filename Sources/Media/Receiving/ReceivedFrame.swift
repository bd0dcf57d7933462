/// A frame whose packets a receiver assembles; 32 bytes.
struct ReceivedFrame: BitwiseCopyable {
  var packet: FramePacket
  var bytes: UInt32 = 0
  var received: UInt16 = 0
  var isWaiting = false
  /// Set if the frame needed a retransmission.
  var wasRepaired = false

  init(_ packet: FramePacket) { self.packet = packet }

  var isUnfinished: Bool { received < packet.count }

  mutating func add(_ other: FramePacket, isRepaired: Bool) {
    received += 1
    bytes += UInt32(other.size)
    if isRepaired { wasRepaired = true }
  }
}
