package import CongestionControl
package import CrossTraffic
package import Metrics
package import Network
package import Quantity
package import Systems

/// A validated meeting, ready to run: the same plan, seed and repetition give the same result.
package struct MeetingPlan: Sendable {
  /// Short name, used for files and tables.
  package var name: String
  /// One line on the purpose of the meeting; may be empty.
  package var title: String
  /// Simulated length, above zero.
  package var duration: SimDuration
  /// Seed of every random stream.
  package var seed: UInt64
  /// The vendor's clients, SFU and publishers.
  package var system: any System
  /// Adaptation of the SFU and publishers to their estimates.
  package var rates = RateParameters()
  /// Bandwidth estimator of uplinks.
  package var estimator: EstimatorConfiguration
  /// Bandwidth estimator of downlinks.
  package var downEstimator: EstimatorConfiguration
  /// Selection of voices to forward.
  package var audioForwarding: AudioForwarding
  /// Set if publishers' voices are included in transport-wide feedback, and so in the estimates. libwebrtc leaves a
  /// voice out of congestion control if the SFU did not accept transport-wide sequence numbers for it
  /// (`audio/audio_send_stream.cc`).
  package var voicesHaveFeedback = true
  /// Speech in addition to the timeline's.
  package var speech: SpeechPlan
  /// Participants who spoke before the meeting, last speaker first.
  package var speechOrder: [Int] = []
  /// Publishers' response to a key frame request.
  package var keyFrames = KeyFrameScope.allLayers
  /// All directed links of the meeting; paths refer to them by index.
  package var links: [LinkPlan]
  /// All participants, in the scenario's order.
  package var participants: [ParticipantPlan]
  /// Timeline, in order of time, then as written.
  package var timeline: [TimelineEntry]
  /// Cross traffic on the meeting's links.
  package var crossTraffic: [CrossTrafficPlan] = []
  /// Set if the run compares each viewer's picture with what would have been possible.
  package var measuresUtility = true
  /// Expectations that are checked after the run.
  package var expectations: [Expectation]

  /// Settings of the system, among those that matter in the meeting, that may give tiles more on a tight downlink.
  package var reliefs: [SystemRelief] {
    type(of: system).description.reliefs.filter {
      $0.effect != .screenShares || participants.contains { $0.screen != nil }
    }
  }

  package init(
    name: String, title: String = "", duration: SimDuration, seed: UInt64 = 1, system: any System,
    estimator: EstimatorConfiguration, audioForwarding: AudioForwarding = .loudest(3),
    speech: SpeechPlan = .timelineOnly, links: [LinkPlan], participants: [ParticipantPlan],
    timeline: [TimelineEntry] = [], expectations: [Expectation] = []
  ) {
    self.name = name
    self.title = title
    self.duration = duration
    self.seed = seed
    self.system = system
    self.estimator = estimator
    downEstimator = estimator
    self.audioForwarding = audioForwarding
    self.speech = speech
    self.links = links
    self.participants = participants
    self.timeline = timeline
    self.expectations = expectations
  }

  /// Number of participants' connections: one each to the server, and one each to another participant if there is a
  /// peer-to-peer mode.
  package var connectionCount: Int { participants.count * (system.traits.peerToPeer == nil ? 1 : 2) }

  /// Name of the estimator, or both names with a slash: the uplinks', then the downlinks'.
  package var estimatorName: String {
    estimator.name == downEstimator.name ? estimator.name : "\(estimator.name)/\(downEstimator.name)"
  }

  /// Estimators of the deployed system.
  package var ownEstimator: OwnEstimator { type(of: system).description.estimator }

  /// Indicates whether clients and server use the estimators of the deployed system.
  package var hasOwnEstimators: Bool {
    estimator.name == OwnEstimator.uplinks && ownEstimator.includes(downEstimator.name)
  }

  /// Estimators for `manifest.json`.
  package var estimatorRecord: EstimatorRecord {
    EstimatorRecord(
      up: estimator.name, down: downEstimator.name, deployedUp: OwnEstimator.uplinks,
      deployedDown: ownEstimator.name, isOwn: hasOwnEstimators)
  }

  /// Maximum number of participants that publish video (a limit of this simulator).
  package static let publisherLimit = 100
  /// Number of publishers beyond which no client is designed to receive all of them at once.
  package static let publishersByDesign = 25
}

/// A publisher's response to a picture loss indication for one of its encodings.
package enum KeyFrameScope: String, Hashable, Sendable, CaseIterable {
  /// Key frames of all layers, at most every 300 ms: libwebrtc's default.
  case allLayers = "all-layers"
  /// A key frame of that layer only, each layer at most every 300 ms: libwebrtc's behavior if SFU and publisher have
  /// agreed on per-layer picture loss indications.
  case perLayer = "per-layer"
}

/// Selection of the voices that the SFU sends to a listener.
package enum AudioForwarding: Hashable, Sendable {
  /// The voices of at most this many speakers, most recent first.
  case loudest(Int)
  /// Every voice.
  case all
  /// One stream in which a mixer combines all voices but the listener's own.
  case mixed
}

/// Source of speech.
package enum SpeechPlan: Hashable, Sendable {
  /// Only the speech in the timeline.
  case timelineOnly
  /// Conversational speech (ITU-T P.59): everybody with a microphone alternates talk and pause.
  case talkSpurts
}

/// One directed link by name.
package struct LinkPlan: Sendable {
  /// Name in `links.csv`, such as `student-1/down` or `household/up`.
  package var name: String
  /// Capacity, delay, queue, loss and jitter, including their changes over the timeline.
  package var parameters: LinkParameters

  package init(name: String, parameters: LinkParameters) {
    self.name = name
    self.parameters = parameters
  }
}
