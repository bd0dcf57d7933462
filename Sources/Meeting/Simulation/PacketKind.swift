import Media
import Network
import Quantity

/// What a packet of a meeting is.
enum PacketKind: UInt8 {
  case video
  case voice
  /// RTCP picture loss indication (RFC 4585) for an encoding.
  case pictureLossIndication

  /// A compound-free PLI with SRTCP, UDP and IPv4 [byte].
  static let pictureLossIndicationSize: UInt16 = 12 + 14 + 28
}

extension Packet {
  /// A packet of a voice.
  static func voice(stream: Int, sequence: UInt32, isSilent: Bool, at now: SimTime) -> Packet {
    Packet(
      sentAt: now, size: UInt16(isSilent ? OpusVoice.silenceWireSize : OpusVoice.wireSize),
      stream: UInt16(stream), sequence: sequence, kind: PacketKind.voice.rawValue, flags: isSilent ? 1 : 0)
  }

  /// A request for a key frame of an encoding.
  static func pictureLossIndication(encoding: Int, destination: Int, at now: SimTime) -> Packet {
    Packet(
      sentAt: now, size: PacketKind.pictureLossIndicationSize, stream: UInt16(encoding),
      destination: UInt16(destination), kind: PacketKind.pictureLossIndication.rawValue)
  }
}
