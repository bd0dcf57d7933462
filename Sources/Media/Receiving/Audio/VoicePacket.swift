package import Quantity

/// A packet of a voice as a receiver sees it.
package struct VoicePacket: BitwiseCopyable {
  /// Continuous per speaker and listener, comfort packets included.
  package var sequence: UInt32
  /// Beginning of its 20 ms of sound.
  package var capturedAt: SimTime
  /// A comfort packet of discontinuous transmission: the speaker is silent until the next packet.
  package var isSilent: Bool

  package init(sequence: UInt32, capturedAt: SimTime, isSilent: Bool) {
    self.sequence = sequence
    self.capturedAt = capturedAt
    self.isSilent = isSilent
  }
}
