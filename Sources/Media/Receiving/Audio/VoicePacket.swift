package import Quantity

/// Audio packet, as seen by a receiver.
package struct VoicePacket: BitwiseCopyable {
  /// Sequence number, contiguous per speaker and listener, comfort noise packets included.
  package var sequence: UInt32
  /// Start of its audio.
  package var capturedAt: SimTime
  /// Set for a comfort noise packet (DTX): the speaker is silent until the next packet.
  package var isSilent: Bool
  /// Set if it repeats the audio of the packet before it (FEC or RED).
  package var isRepeating: Bool

  package init(sequence: UInt32, capturedAt: SimTime, isSilent: Bool, isRepeating: Bool = false) {
    self.isRepeating = isRepeating
    self.sequence = sequence
    self.capturedAt = capturedAt
    self.isSilent = isSilent
  }
}
