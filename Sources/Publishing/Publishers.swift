import CongestionControl
package import Endpoint
import Ladder
import Media
import Network
package import Plan
package import Quantity
package import SimulationKernel
import Statistics
package import Systems
import Transport

/// Video of all participants at its senders: sources, their encoders, and the sharing of each uplink among them.
package struct Publishers: ~Copyable {
  package let streams: StreamNumbering
  package let seed: RunSeed
  package let plans: [ParticipantPlan]
  /// Maximum video rate that a participant sends.
  package let sendCap: RateLimit
  package let keyFrames: KeyFrameScope
  /// Set if a publisher's voice is within its estimate.
  package let voicesHaveFeedback: Bool
  package let parameters: RateParameters
  package var states: [PublisherState]
  package var sources: [SourceState]
  package var encoders: Table<EncoderState>
  package var sender: FrameSender
  /// Records of what publishers have done since the meeting last followed them.
  package var records: [PublisherRecord] = []

  /// - Parameter sizes: table to which their picture sizes are added.
  package init(
    _ plan: MeetingPlan, streams: StreamNumbering, seed: RunSeed, _ sizes: inout PictureSizes
  ) {
    self.init(beforeFrames: plan, streams, seed, &sizes)
    takeFirstFrames(&sizes)
  }

  /// Gives the sources of apps the sizes of their first frames.
  private mutating func takeFirstFrames(_ sizes: inout PictureSizes) {
    for number in sources.indices {
      guard let frame = sources[number].plan.firstFrame else { continue }
      sources[number].setSizes(&encoders, &sizes, frame: frame, isTurned: false)
      _ = sources[number].takeAnnouncement()
    }
  }

  /// Creates the publishers with the sizes that their plans state, before any frame of an app.
  private init(
    beforeFrames plan: MeetingPlan, _ streams: StreamNumbering, _ seed: RunSeed, _ sizes: inout PictureSizes
  ) {
    var sources: [SourceState] = []
    var encoders = Table<EncoderState>()
    var histories = Table<RetransmissionHistory>()
    for (number, source) in streams.sources.enumerated() {
      guard let own = plan.source(number, of: streams) else { continue }
      let id = plan.participants[source.participant].id + "/" + own.kind.rawValue
      sources.append(
        SourceState(
          source, plan: own,
          publisher: own.recordedFrames == nil ? plan.system.publisher() : StatedPublisher.recording,
          rules: plan.system.traits.customSource, parameters: plan.rates, keyFrames: plan.keyFrames,
          content: seed.stream("encoder/\(id)/frame-size")))
      for (index, encoding) in own.ladder.encodings.enumerated() {
        let number = streams.encodings[source.encodings.lowerBound + index]
        encoders.append(
          EncoderState(number, encoding, of: own, size: sizes.number(of: encoding.format.resolution)))
        encoders[encoders.count - 1].rates.follow(encoding, source: sources.last?.pushedRate)
        histories.append(RetransmissionHistory(own.ladder.stream(of: encoding)))
      }
    }
    self.streams = streams
    self.seed = seed
    plans = plan.participants
    sendCap = plan.system.traits.sendCap
    keyFrames = plan.keyFrames
    voicesHaveFeedback = plan.voicesHaveFeedback
    parameters = plan.rates
    states = plan.participants.map {
      PublisherState(
        isVideoMuted: $0.camera.map { $0.kind == .camera && !$0.startsOn } ?? false,
        reportsUplink: plan.system.controller != nil)
    }
    self.sources = sources
    self.encoders = encoders
    sender = FrameSender(streams, histories: histories)
  }

  /// Returns the number of an encoding by its place in its source; `nil` beyond them.
  package func encoding(_ index: Int, of source: Int) -> Int? {
    let own = sources[source].encodings
    return own.indices.contains(own.startIndex + index) ? own.startIndex + index : nil
  }

  /// Returns the uplink's capacity for video if it has yet to be reported to the SFU; `nil` otherwise.
  package mutating func takeUplinkReport(of participant: Int) -> BitRate? {
    let budget = states[participant].videoBudget
    guard states[participant].reportsUplink, states[participant].isJoined,
      budget != states[participant].reportedBudget
    else { return nil }
    states[participant].reportedBudget = budget
    return budget
  }

  /// State of each source that others may know.
  package var announcements: [Roster.Source] { sources.map(\.known) }

  // MARK: Joining

  package mutating func join(_ number: Int, at now: SimTime) {
    states[number].isJoined = true
    states[number].joinedAt = now
    states[number].isSharingScreen = streams.screenOf[number].map { sources[$0].plan.startsOn } ?? false
  }

  package mutating func leave(_ number: Int) { states[number].isJoined = false }

  /// Begins a new call with new encoders.
  package mutating func restart(_ source: Int, _ sizes: inout PictureSizes) {
    sources[source].restart(&encoders, &sizes)
  }

  // MARK: Messages from the SFU

  /// Sets the requested encodings of a source.
  ///
  /// - Returns: `true` if the rate that its receivers can take has changed.
  package mutating func setDemand(_ demand: EncodingDemand, of source: Int) -> Bool {
    let isOther = demand.bearable != sources[source].demand.bearable
    let alwaysSent = sources[source].sender.requested.alwaysSent
    sources[source].sender.requested = demand
    sources[source].sender.requested.alwaysSent = alwaysSent
    sources[source].applyDemand()
    sources[source].refreshSending(&encoders)
    return isOther
  }

  /// Handles a viewer's request for the low stream of a source.
  mutating func viewerAsksForLow(of source: Int, isHost: Bool, at now: SimTime) {
    let sentLow = sources[source].publisher.sendsLow
    _ = sources[source].publisher.handle(.lowStreamRequest(byHost: isHost), at: now)
    guard sources[source].publisher.sendsLow != sentLow else { return }
    sources[source].refreshAlwaysSent()
    sources[source].refreshSending(&encoders)
    sources[source].announce()
  }

  // MARK: Counts

  /// Returns the number of video streams that a participant sends now.
  package func streamCount(of participant: Int) -> Int {
    var count = 0
    for source in streams.cameraFirst(of: participant) where sources[source].capture.isOn {
      for encoding in sources[source].encodings where encoders[encoding].isSending { count += 1 }
    }
    return count
  }
}
