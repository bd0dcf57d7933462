import Quantity

/// Totals of ``AudioReception`` over many voices and a whole run, which would overflow its 32-bit counters.
package struct VoiceTotals: BitwiseCopyable, Equatable {
  package private(set) var packetsDiscarded: Int64 = 0
  package private(set) var packetsPlayed: Int64 = 0
  package private(set) var playedSamples: Int64 = 0
  package private(set) var concealedSamples: Int64 = 0
  /// Sum of the times from arrival to playout [ns].
  package private(set) var jitterBufferDelay: Int128 = 0

  package init() {}

  /// Speech samples, played or concealed.
  package var speechSamples: Int64 { concealedSamples + playedSamples }

  /// `true` if speech was received or expected.
  package var hasSpeech: Bool { packetsPlayed > 0 || concealedSamples > 0 || packetsDiscarded > 0 }

  package static func += (sum: inout VoiceTotals, reception: AudioReception) {
    sum.packetsDiscarded += Int64(reception.packetsDiscarded)
    sum.packetsPlayed += Int64(reception.packetsPlayed)
    sum.playedSamples += reception.playedSamples
    sum.concealedSamples += reception.concealedSamples
    sum.jitterBufferDelay += Int128(reception.jitterBufferDelay.nanoseconds)
  }

  package static func += (sum: inout VoiceTotals, other: VoiceTotals) {
    sum.packetsDiscarded += other.packetsDiscarded
    sum.packetsPlayed += other.packetsPlayed
    sum.playedSamples += other.playedSamples
    sum.concealedSamples += other.concealedSamples
    sum.jitterBufferDelay += other.jitterBufferDelay
  }
}
