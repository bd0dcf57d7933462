package import Quantity

/// Reception statistics of a voice, with W3C webrtc-stats names; samples are at 48 kHz.
package struct AudioReception: BitwiseCopyable, Equatable {
  /// Packets received, including comfort noise and late packets.
  package var packetsReceived: UInt32 = 0
  /// Packets lost; a late arrival is subtracted again, so that an interval can be negative.
  package var packetsLost: Int32 = 0
  /// Packets that arrived after their playout time.
  package var packetsDiscarded: UInt32 = 0
  /// Speech packets played, the divisor of ``jitterBufferDelay`` (W3C divides by samples).
  package var packetsPlayed: UInt32 = 0
  /// Samples of speech played, of repeated packets too.
  package var playedSamples: Int64 = 0
  /// Number of concealment events.
  package var concealmentEvents: UInt32 = 0
  /// Samples concealed because nothing was available to play, excluding the speaker's pauses.
  package var concealedSamples: Int64 = 0
  package var insertedSamplesForDeceleration: Int64 = 0
  package var removedSamplesForAcceleration: Int64 = 0
  /// Sum of the times from arrival to playout.
  package var jitterBufferDelay = SimDuration.zero

  package init() {}

  /// Speech samples, played or concealed. W3C `totalSamplesReceived` includes pauses, which would hide concealment.
  package var speechSamples: Int64 { concealedSamples + playedSamples }

  /// `true` if speech was received or expected.
  @inline(__always)
  package var hasSpeech: Bool { packetsPlayed > 0 || concealedSamples > 0 || packetsDiscarded > 0 }

  package static func += (sum: inout AudioReception, other: AudioReception) {
    sum.packetsReceived &+= other.packetsReceived
    sum.packetsLost &+= other.packetsLost
    sum.packetsDiscarded &+= other.packetsDiscarded
    sum.packetsPlayed &+= other.packetsPlayed
    sum.playedSamples += other.playedSamples
    sum.concealmentEvents &+= other.concealmentEvents
    sum.concealedSamples += other.concealedSamples
    sum.insertedSamplesForDeceleration += other.insertedSamplesForDeceleration
    sum.removedSamplesForAcceleration += other.removedSamplesForAcceleration
    sum.jitterBufferDelay.nanoseconds += other.jitterBufferDelay.nanoseconds
  }
}
