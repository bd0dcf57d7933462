import SimulationKernel
import Transport

/// What both ends of the SFU keep to repair losses, by encoding for the ways up and by track for the ways down.
struct RepairState: ~Copyable {
  /// At publishers.
  var sentEncodings: Table<RetransmissionHistory>
  /// At the SFU.
  var missingOfEncoding: Table<MissingPackets>
  var rewritings: Table<SequenceRewriting>
  var sentTracks: Table<RetransmissionHistory>

  init(encodings: Int, tracks: Int) {
    sentEncodings = Table(repeating: RetransmissionHistory(), count: encodings)
    missingOfEncoding = Table(repeating: MissingPackets(), count: encodings)
    rewritings = Table(repeating: SequenceRewriting(), count: tracks)
    sentTracks = Table(repeating: RetransmissionHistory(), count: tracks)
  }

  deinit {
    for encoding in 0..<sentEncodings.count { sentEncodings[encoding].deallocate() }
    for track in 0..<sentTracks.count { sentTracks[track].deallocate() }
  }
}
