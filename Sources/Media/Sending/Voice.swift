package import Quantity
package import Statistics

/// An Opus voice as WebRTC sends it by default: 32 kbps in packets of 20 ms, and while silent one comfort packet
/// every 400 ms (discontinuous transmission; libopus stays silent for at most 400 ms).
package enum OpusVoice {
  package static let packetTime = SimDuration.milliseconds(20)
  package static let silencePacketTime = SimDuration.milliseconds(400)
  /// 32 kbps for 20 ms [byte].
  package static let payload = 80
  package static let silencePayload = 8
  package static let wireSize = payload + PacketOverhead.perVoicePacket
  package static let silenceWireSize = silencePayload + PacketOverhead.perVoicePacket

  /// What a speaking voice takes on the wire: 58.4 kbps.
  package static let wireRate = BitRate(bitsPerSecond: Int64(wireSize) * 8 * 50)
}

/// Conversational speech as alternating talk and pause, both exponential with the means of ITU-T P.59: 1.004 s and
/// 1.587 s.
package struct TalkSpurtModel: BitwiseCopyable {
  package static let meanTalk = 1.004
  package static let meanPause = 1.587
  private var durations: RandomStream

  package init(durations: RandomStream) { self.durations = durations }

  /// Length of the next spurt or pause, at least 20 ms.
  package mutating func next(isTalking: Bool) -> SimDuration {
    let seconds = durations.exponential(mean: isTalking ? Self.meanTalk : Self.meanPause)
    return .milliseconds(max(20, Int64((seconds * 1000).rounded())))
  }
}
