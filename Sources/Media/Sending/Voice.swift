package import Quantity
package import Statistics

/// Opus audio with WebRTC defaults: 32 kbps in 20 ms packets, and during silence one comfort noise packet every 400 ms
/// (DTX; libopus stays silent for at most 400 ms).
package enum OpusVoice {
  package static let packetTime = SimDuration.milliseconds(20)
  package static let silencePacketTime = SimDuration.milliseconds(400)
  /// Payload of 20 ms at 32 kbps [byte].
  package static let payload = 80
  package static let silencePayload = 8
  package static let wireSize = payload + PacketOverhead.perVoicePacket
  package static let silenceWireSize = silencePayload + PacketOverhead.perVoicePacket

  /// Rate on the wire while speaking: 58.4 kbps.
  package static let wireRate = BitRate(bitsPerSecond: Int64(wireSize) * 8 * 50)
  /// Rate on the wire of comfort noise: 1.48 kbps.
  package static let silenceWireRate = BitRate(bitsPerSecond: Int64(silenceWireSize) * 20)
}

/// Conversational speech: alternating talk spurts and pauses with exponential durations of ITU-T P.59's means, 1.004 s
/// and 1.587 s.
package struct TalkSpurtModel: BitwiseCopyable {
  package static let meanTalk = 1.004
  package static let meanPause = 1.587
  private var durations: RandomStream

  package init(durations: RandomStream) { self.durations = durations }

  /// Returns the duration of the next talk spurt or pause, at least 20 ms.
  package mutating func next(isTalking: Bool) -> SimDuration {
    let seconds = durations.exponential(mean: isTalking ? Self.meanTalk : Self.meanPause)
    return .milliseconds(max(20, Int64((seconds * 1000).rounded())))
  }
}
