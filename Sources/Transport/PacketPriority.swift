/// Pacer priorities, highest first (libwebrtc `modules/pacing/prioritized_packet_queue.cc`).
package enum PacketPriority: UInt8, Comparable, Sendable {
  case audio
  case audioRetransmission
  case videoRetransmission
  case video
  case padding

  package static func < (a: PacketPriority, b: PacketPriority) -> Bool { a.rawValue < b.rawValue }
}
