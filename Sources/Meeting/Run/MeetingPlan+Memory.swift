import Allocation
import Ladder
import Media
import Network
import Plan
package import Quantity
import Serving
import SimulationKernel
import Systems
import Transport
import Viewing

/// Memory use of a meeting.
extension MeetingPlan {
  /// Peak memory that a run needs; measured runs of 2 to 25 publishers with 100 to 10,000 watchers took between 0.45
  /// (small tiles, no feedback) and 1.25 times as much.
  ///
  /// It grows with participants, with pairs of a viewer and a source, especially those shown, and with pairs of a
  /// listener and a voice; not with the length of the run or its output.
  package var memoryNeed: ByteCount {
    let sources = participants.flatMap { [$0.camera, $0.screen].compactMap { $0 } }
    let scalable = sources.count { $0.layeredMode != nil }
    let microphones = participants.count { $0.publishesAudio }
    let voices = audioForwarding == .mixed ? 1 : microphones
    var bytes =
      Self.base + connectionCount * Self.perParticipant
      + participants.count * voices * MemoryLayout<AudioReceiver>.stride
    for participant in participants {
      guard let view = participant.view else { continue }
      let shown = min(view.shownCount ?? sources.count, sources.count)
      bytes += sources.count * Self.perPair + shown * MemoryLayout<VideoReceiver>.stride
      bytes += min(shown, scalable) * MemoryLayout<PictureAssembly>.stride
      bytes += historyBytes(of: participant, shown: shown, sources)
    }
    return ByteCount(Int64(bytes))
  }

  /// The program itself, its tables' buffers and the scenario [byte].
  private static let base = 37_000_000
  /// Both paths of a connection of a participant, with controllers, links and logs, and its client [byte].
  private static let perParticipant = 40_000
  /// State of each source for each viewer, shown or not, including its share of the yardstick and of the summary
  /// [byte].
  private static let perPair =
    MemoryLayout<Reception>.stride + MemoryLayout<ForwardedTrack>.stride
    + MemoryLayout<SequenceRewriting>.stride
    + MemoryLayout<RetransmissionHistory>.stride + MemoryLayout<DecisionLog.Entry?>.stride
    + MemoryLayout<Subscription>.stride + 5000

  /// Returns the size of the retransmission history for everything that the viewer's downlink can carry or its sources
  /// can send.
  private func historyBytes(of viewer: ParticipantPlan, shown: Int, _ sources: [VideoSourcePlan]) -> Int {
    guard shown > 0 else { return 0 }
    let capacities = viewer.down.map {
      links[$0].parameters.capacity.constantRate.map(RateLimit.init) ?? .unlimited
    }
    let downlink = capacities.min() ?? .zero
    let share =
      downlink.rate.map { RateLimit(BitRate(bitsPerSecond: $0.bitsPerSecond / Int64(shown))) } ?? downlink
    let tops = sources.compactMap { source in source.ladder.encodings.last.map(source.ladder.stream) }
      .sorted { $0.bitrate > $1.bitrate }
    return tops.prefix(shown).reduce(0) { sum, top in
      let rate = share.confining(top.bitrate)
      let size = RetransmissionHistory.size(
        for: rate, framesPerSecond: Double(top.format.milliFramesPerSecond) / 1000)
      return sum + Int(size.bytes)
    }
  }
}

extension ViewPlan {
  /// Maximum number of sources shown at once; `nil` for all of them.
  fileprivate var shownCount: Int? {
    switch arrangement {
    case .request(let entries): entries.count
    case .tiles(let sizes): sizes.count
    case .layout, .grid, .everybody, .container, .signals: nil
    }
  }
}
