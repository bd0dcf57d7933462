/// Pacer priorities, highest first (libwebrtc `modules/pacing/prioritized_packet_queue.cc`).
///
/// Without raw values, whose comparison is not specialised: priorities are compared for every packet.
public enum PacketPriority: Comparable, Sendable {
  case audio
  case audioRetransmission
  case videoRetransmission
  case video
  case padding
}
