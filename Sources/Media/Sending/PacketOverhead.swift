/// What a packet costs besides its payload [byte].
package enum PacketOverhead {
  /// RTP fixed header (RFC 3550).
  package static let rtp = 12
  /// One-byte header extensions (RFC 8285) as libwebrtc sends them: transport sequence number, absolute send time,
  /// MID, padded to a word.
  package static let headerExtensions = 16
  /// SRTP authentication tag of AES_CM_128_HMAC_SHA1_80 (RFC 3711).
  package static let srtp = 10
  package static let udp = 8
  package static let ipv4 = 20
  /// VP8 payload descriptor with picture id, TL0PICIDX and TID (RFC 7741), part of the payload.
  package static let vp8Descriptor = 6
  /// Everything around an RTP payload.
  package static let perPacket = rtp + headerExtensions + srtp + udp + ipv4
  /// Everything around an RTP packet.
  package static let aroundRTP = srtp + udp + ipv4
  /// The largest RTP payload, descriptor included.
  package static let largestPayload = 1200
}

/// How a frame is cut into packets: as few as fit, of sizes that differ by a byte at most, as libwebrtc does.
package struct Packetization: Equatable, BitwiseCopyable {
  /// Number of packets, at least 1.
  package let count: Int
  private let base: Int
  private let larger: Int

  package init(frameBytes: Int) {
    let room = PacketOverhead.largestPayload - PacketOverhead.vp8Descriptor
    count = max(1, (frameBytes + room - 1) / room)
    base = frameBytes / count
    larger = frameBytes % count
  }

  /// Size of a packet on the wire [byte].
  package func wireSize(of index: Int) -> Int {
    base + (index < larger ? 1 : 0) + PacketOverhead.vp8Descriptor + PacketOverhead.perPacket
  }
}
