package import CongestionControl
package import CrossTraffic
package import Network
package import Quantity
package import Systems

/// A validated meeting, ready to run: the same plan, seed and repetition give the same result.
package struct MeetingPlan: Sendable {
  /// Short name, used for files and tables.
  package var name: String
  /// One line on what the meeting shows; may be empty.
  package var title: String
  /// Simulated length, above zero.
  package var duration: SimDuration
  /// Seed of every random stream.
  package var seed: UInt64
  /// The vendor's clients, SFU and publishers.
  package var system: any System
  /// How its SFU and publishers follow their estimates.
  package var rates = RateParameters()
  /// The bandwidth estimator of uplinks, and that of downlinks.
  package var estimator: EstimatorConfiguration
  package var downEstimator: EstimatorConfiguration
  /// Which voices are forwarded.
  package var audioForwarding: AudioForwarding
  /// Whether publishers' voices are in the transport-wide feedback, and so in their estimates: libwebrtc leaves a voice
  /// whose transport-wide sequence numbers the SFU did not accept out of congestion control
  /// (`audio/audio_send_stream.cc`).
  package var voicesHaveFeedback = true
  /// Who speaks when, besides what the timeline says.
  package var speech: SpeechPlan
  /// Participants in the order in which they spoke before the meeting, the last one first.
  package var speechOrder: [Int] = []
  /// What a publisher makes of a keyframe request.
  package var keyFrames = KeyFrameScope.allLayers
  /// Every directed link of the meeting; paths refer to them by index.
  package var links: [LinkPlan]
  /// Everybody, in the scenario's order.
  package var participants: [ParticipantPlan]
  /// Ordered by time and then as written.
  package var timeline: [TimelineEntry]
  /// Competing traffic on the meeting's links.
  package var crossTraffic: [CrossTrafficPlan] = []
  /// Whether the run measures what each viewer saw beside what would have been possible.
  package var measuresUtility = true
  /// Checked after the run.
  package var expectations: [Expectation]

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

  /// The estimator's name, or both: that of uplinks, a slash, and that of downlinks.
  package var estimatorName: String {
    estimator.name == downEstimator.name ? estimator.name : "\(estimator.name)/\(downEstimator.name)"
  }

  /// At most this many participants may publish video (a limit of this simulator).
  package static let publisherLimit = 100
  /// Beyond this many, no client is designed to receive everybody at once.
  package static let publishersByDesign = 25
}

/// How a publisher answers a picture loss indication for one of its encodings.
package enum KeyFrameScope: String, Hashable, Sendable, CaseIterable {
  /// Key frames of all layers, at most every 300 ms: libwebrtc's default.
  case allLayers = "all-layers"
  /// A key frame of that layer alone, each layer at most every 300 ms: what libwebrtc does where SFU and publisher have
  /// agreed on per-layer picture loss indications.
  case perLayer = "per-layer"
}

/// Which voices the SFU sends to a listener.
package enum AudioForwarding: Hashable, Sendable {
  /// The voices of at most this many speakers, most recent first.
  case loudest(Int)
  /// Every voice.
  case all
  /// One stream that an audio mixer makes of all voices but the listener's own.
  case mixed
}

/// Who speaks when.
package enum SpeechPlan: Hashable, Sendable {
  /// Only those whom the timeline lets speak.
  case timelineOnly
  /// Everybody with a microphone alternates talk and pause as conversational speech does (ITU-T P.59).
  case talkSpurts
}

/// One directed link by name.
package struct LinkPlan: Sendable {
  /// The name in `links.csv`, such as `student-1/down` or `household/up`.
  package var name: String
  /// Capacity, delay, queue, loss and jitter, with their changes by the timeline.
  package var parameters: LinkParameters

  package init(name: String, parameters: LinkParameters) {
    self.name = name
    self.parameters = parameters
  }
}
