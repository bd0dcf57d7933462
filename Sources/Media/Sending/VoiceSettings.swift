package import Quantity

/// Settings of a microphone's Opus stream.
package struct VoiceSettings: Hashable, Sendable, BitwiseCopyable {
  /// Payload rate while speaking; constant [our model: libwebrtc's encoder varies its rate].
  package var bitrate = BitRate.kilobits(32)
  /// Duration of the audio in a packet.
  package var packetTime = OpusVoice.packetTime
  /// Set if silence is sent as a comfort noise packet every 400 ms; otherwise it is coded like speech [our model].
  package var dtx = true
  /// Set if packets repeat the previous one at a low rate, within their own rate, while the sender knows of losses on
  /// its uplink (in-band FEC).
  package var fec = true
  /// Set if packets of speech repeat the previous one in full (RFC 2198).
  package var red = false

  package init() {}

  /// Packet times of Opus that libwebrtc uses.
  package static let packetTimes: [SimDuration] = [10, 20, 40, 60, 120].map { .milliseconds($0) }
  /// Payload rates of Opus (RFC 6716).
  package static let bitrates = BitRate.kilobits(6)...BitRate.kilobits(510)

  /// Reported loss from which packets carry FEC: libopus adds none at 0 percent, to which libwebrtc rounds down any
  /// loss below 1 percent (`opus_encoder.c`, decide_fec; `audio_encoder_opus.cc`).
  package static let leastLossForFEC = 0.01

  /// Headers of RFC 2198: that of the repeated block, and that of the last [byte].
  private static let redHeaders = (repeated: 4, last: 1)

  /// Payload of a packet of speech [byte].
  package var payload: Int { Int(bitrate.bitsPerSecond * packetTime.nanoseconds / 8_000_000_000) }

  /// Size of a packet of speech on the wire [byte].
  ///
  /// - Parameter isRepeating: `true` if it repeats the packet before it.
  package func wireSize(repeating isRepeating: Bool) -> Int {
    let plain = payload + PacketOverhead.perVoicePacket
    guard red else { return plain }
    return plain + Self.redHeaders.last + (isRepeating ? Self.redHeaders.repeated + payload : 0)
  }

  /// Size of a packet of silence on the wire [byte].
  package var silenceWireSize: Int { dtx ? OpusVoice.silenceWireSize : wireSize(repeating: false) }

  /// Rate on the wire while speaking.
  package var wireRate: BitRate { Self.rate(of: wireSize(repeating: true), every: packetTime) }

  /// Rate on the wire while silent.
  package var silenceWireRate: BitRate {
    Self.rate(of: silenceWireSize, every: dtx ? OpusVoice.silencePacketTime : packetTime)
  }

  private static func rate(of bytes: Int, every time: SimDuration) -> BitRate {
    BitRate(bytes: Int64(bytes), in: time)
  }
}
