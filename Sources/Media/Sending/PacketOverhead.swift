/// Packet overhead [byte].
package enum PacketOverhead {
  /// RTP fixed header (RFC 3550).
  package static let rtp = 12
  /// One-byte header extensions (RFC 8285) of video in libwebrtc: transport sequence number and absolute send time,
  /// padded to a word. MID and RID, which are sent until a stream's first packet is acknowledged, are not included.
  package static let videoExtensions = 12
  /// Header extensions of a sender that plays recorded frames: MID and RID with one character each (RFC 9143, 8852),
  /// two bytes with their ids, after the four of RFC 8285.
  package static let recordedExtensions = 8
  /// Header extensions of audio, which add the audio level.
  package static let voiceExtensions = 16
  /// Additional overhead that libwebrtc expects until a stream's retransmissions are acknowledged: MID and repaired RID
  /// at their maximum of 17 bytes each (`modules/rtp_rtcp/source/rtp_sender.cc`, UpdateHeaderSizes).
  package static let unacknowledgedRepairExtensions = 36
  /// Additional overhead until retransmissions are acknowledged, for a source with a single encoding, which has no
  /// RID.
  package static let unacknowledgedSingleExtensions = 16
  /// SRTP authentication tag of AES_CM_128_HMAC_SHA1_80 (RFC 3711).
  package static let srtp = 10
  package static let udp = 8
  package static let ipv4 = 20
  /// VP8 payload descriptor with picture id, TL0PICIDX and TID (RFC 7741), part of the payload.
  package static let vp8Descriptor = 6
  /// Total overhead around an RTP payload of video.
  package static let perPacket = rtp + videoExtensions + aroundRTP
  /// Total overhead around an RTP payload of audio.
  package static let perVoicePacket = rtp + voiceExtensions + aroundRTP
  /// Total overhead around the bytes of a recorded frame in a packet, payload descriptor included.
  package static let perRecordedPacket = rtp + recordedExtensions + vp8Descriptor + aroundRTP
  /// Total overhead around an RTP packet.
  package static let aroundRTP = srtp + udp + ipv4
  /// Largest RTP packet (`media/base/media_constants.cc`).
  package static let largestRTPPacket = 1200
  /// Original sequence number in front of a retransmitted payload (RFC 4588).
  package static let retransmission = 2
  /// Maximum RTP payload, descriptor included, so that a retransmission does not exceed the maximum packet size.
  package static let largestPayload = largestRTPPacket - rtp - videoExtensions - retransmission
}

/// Packetization of a frame: as few packets as possible, whose sizes differ by at most one byte.
package struct Packetization: Equatable, BitwiseCopyable {
  /// Number of packets, at least 1.
  package let count: Int
  /// Maximum number of packets that a frame's numbering allows: anything beyond, more than 70 MB, is not sent [our
  /// model].
  private static let greatestCount = 65_535
  private let base: Int
  private let larger: Int
  private let overhead: Int

  /// Packetizes a frame as libwebrtc does.
  package init(frameBytes: Int) {
    self.init(
      frameBytes: frameBytes, most: PacketOverhead.largestPayload - PacketOverhead.vp8Descriptor,
      overhead: PacketOverhead.vp8Descriptor + PacketOverhead.perPacket)
  }

  /// - Parameters:
  ///   - room: maximum number of the frame's bytes in a packet, above 0.
  ///   - overhead: additional bytes of each packet on the wire [byte].
  package init(frameBytes: Int, most room: Int, overhead: Int) {
    let frameBytes = min(frameBytes, room * Self.greatestCount)
    count = max(1, (frameBytes + room - 1) / room)
    base = frameBytes / count
    larger = frameBytes % count
    self.overhead = overhead
  }

  /// Returns the size of a packet on the wire, from its payload to its IP header [byte].
  package func wireSize(of index: Int) -> Int { base + (index < larger ? 1 : 0) + overhead }
}
