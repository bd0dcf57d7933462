package import Quantity

/// What a listener got of a voice, under the names of W3C webrtc-stats; the clock rate is 48 kHz, so that a packet of
/// 20 ms has 960 samples.
package struct AudioReception: BitwiseCopyable, Equatable {
  /// Packets that came, comfort packets and late ones included.
  package var packetsReceived: UInt32 = 0
  /// Packets that are missing; one that comes late after all is taken off again, so that an interval may have less
  /// than none.
  package var packetsLost: Int32 = 0
  /// Packets that came when their time was over.
  package var packetsDiscarded: UInt32 = 0
  /// Packets of speech that were played: by them ``jitterBufferDelay`` is to be divided (W3C divides by samples).
  package var packetsPlayed: UInt32 = 0
  /// Times that concealment began.
  package var concealmentEvents: UInt32 = 0
  /// Invented because nothing was there to be played; pauses of the speaker are none of these.
  package var concealedSamples: Int64 = 0
  package var insertedSamplesForDeceleration: Int64 = 0
  package var removedSamplesForAcceleration: Int64 = 0
  /// From the arrival of each packet to its playing.
  package var jitterBufferDelay = SimDuration.zero

  package init() {}

  package static let samplesPerPacket: Int64 = 960

  /// Samples of speech, played or invented. W3C `totalSamplesReceived` has the pauses too, which would hide what is
  /// concealed.
  package var speechSamples: Int64 { concealedSamples + Int64(packetsPlayed) * Self.samplesPerPacket }

  /// Whether there was speech, or should have been.
  @inline(__always)
  package var hasSpeech: Bool { packetsPlayed > 0 || concealedSamples > 0 || packetsDiscarded > 0 }

  package static func += (sum: inout AudioReception, other: AudioReception) {
    sum.packetsReceived &+= other.packetsReceived
    sum.packetsLost &+= other.packetsLost
    sum.packetsDiscarded &+= other.packetsDiscarded
    sum.packetsPlayed &+= other.packetsPlayed
    sum.concealmentEvents &+= other.concealmentEvents
    sum.concealedSamples += other.concealedSamples
    sum.insertedSamplesForDeceleration += other.insertedSamplesForDeceleration
    sum.removedSamplesForAcceleration += other.removedSamplesForAcceleration
    sum.jitterBufferDelay.nanoseconds += other.jitterBufferDelay.nanoseconds
  }
}
