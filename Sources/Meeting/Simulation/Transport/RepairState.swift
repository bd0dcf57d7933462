import Quantity
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
  /// At viewers.
  var missingOfTrack: Table<MissingPackets>

  init(encodings: [EncodingState], sources: [SourceState], viewers: Int) {
    sentEncodings = Table()
    sentTracks = Table()
    missingOfEncoding = Table(repeating: MissingPackets(), count: encodings.count)
    missingOfTrack = Table(repeating: MissingPackets(), count: viewers * sources.count)
    rewritings = Table(repeating: SequenceRewriting(), count: viewers * sources.count)
    for encoding in encodings { sentEncodings.append(encoding.emptyHistory) }
    for _ in 0..<viewers {
      for source in sources {
        sentTracks.append(encodings[source.firstEncoding + source.encodings - 1].emptyHistory)
      }
    }
  }

  deinit {
    for encoding in 0..<sentEncodings.count { sentEncodings[encoding].deallocate() }
    for track in 0..<sentTracks.count { sentTracks[track].deallocate() }
    for encoding in 0..<missingOfEncoding.count { missingOfEncoding[encoding].deallocate() }
    for track in 0..<missingOfTrack.count { missingOfTrack[track].deallocate() }
  }
}

extension EncodingState {
  /// Room for this encoding's packets to be sent again.
  fileprivate var emptyHistory: RetransmissionHistory {
    RetransmissionHistory(rate: fullRate, framesPerSecond: Double(milliFramesPerSecond) / 1000)
  }
}
