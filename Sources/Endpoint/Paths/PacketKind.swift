import Media
public import Network
package import Quantity

/// Kind of a meeting's packet.
public enum PacketKind: UInt8 {
  case video
  case voice
  /// RTCP picture loss indication (RFC 4585): `stream` is an encoding towards its publisher, a source towards the SFU.
  case pictureLossIndication
  /// Retransmitted video (RFC 4588).
  case videoRetransmission
  /// Padding that fills a gap and that no receiver reads.
  case padding
  /// RTCP transport-wide feedback: `frame` and `sequence` locate its part of the receiver's arrival log.
  case transportFeedback
  /// RTCP generic NACK (RFC 4585): `sequence` is the first packet, and the bits of `frame` stand for those that follow
  /// it.
  case negativeAcknowledgement
  /// RTCP sender report: `frame` is its time.
  case senderReport
  /// RTCP receiver report: `frame` is the last sender report's time and `sequence` the time since; `index` is the
  /// expected count and `count` the lost count.
  case receiverReport
  /// Cross traffic, outside the meeting: `stream` is the flow.
  case crossTraffic
  /// A TCP segment of signalling: `sequence` is its number.
  case signalling
  /// A receiver's estimate (REMB): `frame` and `sequence` hold its bits per second.
  case receiverEstimate
  /// An acknowledgement of ``signalling``: `sequence` is its number.
  case signallingAcknowledgement
  /// Forward error correction of a video: it follows the `count` packets of its group, which `format` such packets
  /// protect; the low bits of `index` give its place among these. ULPFEC (RFC 5109) is in the video's sequence space;
  /// for FlexFEC (RFC 8627), in a stream of its own, `sequence` is that of the packet after the group.
  case protection
  /// A TCP segment of media: `sequence` is its number.
  case streamSegment
  /// An acknowledgement of ``streamSegment`` from the opposite end: `sequence` is its number.
  case streamAcknowledgement

  /// `true` for RTCP by which a receiver of media reports to its sender.
  package var isAboutMedia: Bool {
    switch self {
    case .pictureLossIndication, .transportFeedback, .negativeAcknowledgement, .receiverReport,
      .receiverEstimate:
      true
    case .video, .voice, .videoRetransmission, .padding, .senderReport, .crossTraffic, .signalling,
      .signallingAcknowledgement, .protection, .streamSegment, .streamAcknowledgement:
      false
    }
  }

  /// Size of a compound-free PLI with SRTCP, UDP and IPv4 [byte].
  static let pictureLossIndicationSize: UInt16 = 12 + 14 + 28
  /// Size of a generic NACK with one block, SRTCP, UDP and IPv4 [byte].
  static let negativeAcknowledgementSize: UInt16 = 16 + 14 + 28
}

extension Packet {
  /// Creates a voice packet.
  ///
  /// - Parameter isRepeating: `true` if it repeats the audio of the previous packet.
  package static func voice(
    stream: Int, sequence: UInt32, size: Int = OpusVoice.wireSize, isSilent: Bool, isRepeating: Bool = false,
    at now: SimTime
  ) -> Packet {
    Packet(
      sentAt: now, size: UInt16(size), stream: UInt16(stream), sequence: sequence,
      kind: PacketKind.voice.rawValue,
      flags: (isSilent ? silentVoice : 0) | (isRepeating ? repeatingVoice : 0))
  }

  /// Overhead of a ULPFEC packet over the largest packet that it protects: RED, the FEC header and one level header
  /// [byte].
  package static let protectionHeader: UInt16 = 1 + 10 + 4
  /// Index bit that marks a protection packet, whose index is not that of a packet within a frame.
  package static let protectionIndex: UInt16 = 1 << 15
  /// Index bit that marks a protection packet outside the video's sequence space.
  package static let separateProtection: UInt16 = 1 << 14

  /// Overhead of a FlexFEC packet over the largest packet that it protects: the base header, the stream's, and a mask
  /// of up to 15, 46 or 109 packets (`flexfec_03_header_reader_writer.cc`) [byte].
  package static func separateProtectionHeader(packets count: Int) -> UInt16 {
    12 + 6 + (count <= 15 ? 2 : count <= 46 ? 6 : 14)
  }

  /// Flag of a voice packet of silence.
  package static let silentVoice: UInt8 = 1
  /// Flag of a voice packet that repeats the audio of the previous one.
  package static let repeatingVoice: UInt8 = 2

  /// Size of the original sequence number that precedes the payload of a retransmission (RFC 4588) [byte].
  package static let retransmissionHeader = UInt16(PacketOverhead.retransmission)

  /// `true` for a packet of a TCP connection that carries media.
  package var isOfStream: Bool { kind >= PacketKind.streamSegment.rawValue }

  /// `true` for a video packet, original or retransmitted.
  var isVideo: Bool {
    kind == PacketKind.video.rawValue || kind == PacketKind.videoRetransmission.rawValue
  }

  /// `true` for a packet without new media: one that is sent again, as a repair or a probe, or padding.
  @inline(__always)
  package var isExtra: Bool {
    kind == PacketKind.videoRetransmission.rawValue || kind == PacketKind.padding.rawValue
  }

  /// Size of the RTP packet in it [byte].
  @inline(__always)
  package var rtpBytes: Int64 { Int64(size) - Int64(PacketOverhead.aroundRTP) }

  /// Retransmission of the packet (RFC 4588).
  package var repeated: Packet {
    var copy = self
    copy.kind = PacketKind.videoRetransmission.rawValue
    copy.size += Self.retransmissionHeader
    return copy
  }

  /// Size on the wire of the packet's first transmission [byte].
  public var originalSize: UInt16 {
    kind == PacketKind.videoRetransmission.rawValue ? size - Self.retransmissionHeader : size
  }

  /// Creates a request to resend packets; `stream` is an encoding on the uplink, a source on the downlink.
  package static func negativeAcknowledgement(
    stream: Int, sequence: UInt32, following: UInt32, at now: SimTime
  ) -> Packet {
    Packet(
      sentAt: now, size: PacketKind.negativeAcknowledgementSize, stream: UInt16(stream), sequence: sequence,
      kind: PacketKind.negativeAcknowledgement.rawValue, frame: following)
  }

  /// Sequence numbers that a negative acknowledgement requests.
  package var acknowledgedSequences: some Sequence<UInt32> {
    let first = sequence
    let mask = UInt64(frame) << 1 | 1
    return (UInt32(0)...32).lazy.filter { mask >> $0 & 1 == 1 }.map { first &+ $0 }
  }

  /// Creates a receiver's estimate, with one SSRC, SRTCP, UDP and IPv4.
  package static func receiverEstimate(_ estimate: BitRate, at now: SimTime) -> Packet {
    let bits = UInt64(max(0, estimate.bitsPerSecond))
    return Packet(
      sentAt: now, size: 24 + 14 + 28, sequence: UInt32(truncatingIfNeeded: bits >> 32),
      kind: PacketKind.receiverEstimate.rawValue, frame: UInt32(truncatingIfNeeded: bits))
  }

  package var receiverEstimate: BitRate {
    BitRate(bitsPerSecond: Int64(truncatingIfNeeded: UInt64(sequence) << 32 | UInt64(frame)))
  }

  /// Creates a key frame request; `stream` is an encoding on the uplink's reverse path, a source on the downlink's.
  package static func pictureLossIndication(stream: Int, destination: Int, at now: SimTime) -> Packet {
    Packet(
      sentAt: now, size: PacketKind.pictureLossIndicationSize, stream: UInt16(stream),
      destination: UInt16(destination), kind: PacketKind.pictureLossIndication.rawValue)
  }
}
