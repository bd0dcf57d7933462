package import Allocation
package import Ladder
package import Layout
package import Parameters
package import Quantity

/// One vendor's client, SFU and publisher, with their parameters.
///
/// This is all that a meeting knows of a vendor. Everything here is a value; time, randomness and queues belong to the
/// meeting.
package protocol System: Sendable {
  associatedtype Parameters: Parameterized

  static var description: SystemDescription { get }
  /// Its defaults of the parameters of every system.
  static var rates: RateParameters { get }

  init(_ parameters: Parameters)

  /// Allocates a viewer's video budget.
  var policy: any AllocationPolicy { get }
  /// Creates the part of the SFU that decides for a viewer, in systems whose decisions need a memory; `nil` where
  /// ``policy`` decides.
  func server(at now: SimTime) -> (any ViewerServer)?
  /// The rule by which its server shares a viewer's downlink out; `nil` where ``policy`` decides. A system with a
  /// ``server(at:)`` of its own has the rule of its decisions on all sources at once.
  var rule: (any ServerRule)? { get }
  /// The rule of the decision alone, where that is stated by arriving layers and a meeting goes by ``policy``.
  var statedRule: (any ServerRule)? { get }
  /// The rule of a controller that decides for all viewers and publishers at once, and when it does; `nil` where each
  /// viewer is decided on alone.
  var meetingRule: (any MeetingRule)? { get }
  func meetingSchedule() -> (any MeetingSchedule)?
  /// When a server with a ``rule`` decides by itself.
  func schedule() -> any ServerSchedule
  /// How tracks are negotiated before they are forwarded, in systems whose signalling goes through the links' queues
  /// beside the media, as one connection for each participant; `nil` elsewhere.
  var negotiation: NegotiationRules? { get }
  /// Whether its clients go on requesting missing packets while they wait for a key frame, as libwebrtc does, until one
  /// is decoded; elsewhere a request for a key frame ends that [our model].
  var keepsMissingPackets: Bool { get }
  /// How its SFU forwards.
  var forwarding: ForwardingRules { get }
  /// What the server takes a downlink to carry at first, where the scenario names no start of an estimator that has one;
  /// `nil` for the estimator's own.
  var initialEstimate: BitRate? { get }
  /// Maximum video bit rate that a client accepts.
  var receiveCap: RateLimit { get }
  /// Whether its server keeps to the rate that a client says it accepts.
  var followsReceiveCap: Bool { get }
  /// Whether clients receive pictures above 360 lines without asking for them; `false` behind a gate.
  var receives720p: Bool { get }
  /// The largest picture [px] that a closed 720p gate lets through of a source.
  ///
  /// - Parameter lowest: the size of its lowest encoding; `nil` for a source without one.
  func gate(of lowest: Resolution?) -> Resolution
  /// Maximum video bit rate that a participant sends, over all encodings.
  var sendCap: RateLimit { get }
  /// What of the neutral view its clients make nothing of: they ask for the same with it and without.
  var ignoredNotions: Set<ViewNotion> { get }
  /// How its clients take frames that an app makes itself.
  var customSource: CustomSourceRules { get }
  /// Whether a subscribed stream without any allocated layer stays in the client's list, paused.
  var keepsStarvedStreams: Bool { get }
  /// Whether publishers of a single encoding follow the worst of its receivers.
  var mergesFeedback: Bool { get }
  /// The system in a meeting with this many clients.
  func adapted(toClients count: Int) -> any System
  /// The default ladder of a source.
  func ladder(of kind: SourceKind, capture: VideoFormat) -> Ladder
  /// Creates the publisher of a source.
  func publisher() -> any Publisher
  /// Creates the client of a viewer.
  func client(_ setup: ClientSetup) -> any Client
  /// The senders that a viewer receives, a subset of `order`, which is random per viewer; `nil` if the system has no
  /// such limit.
  func received(from order: [Int], viewerSends: Bool) -> [Int]?
}

extension System {
  package var name: String { Self.description.name }
  package static var rates: RateParameters { RateParameters() }
  package func server(at now: SimTime) -> (any ViewerServer)? { rule.map { RuleServer($0, schedule()) } }
  package var rule: (any ServerRule)? { nil }
  package var statedRule: (any ServerRule)? { rule }
  package var meetingRule: (any MeetingRule)? { nil }
  /// Whether servers or a controller decide in a meeting, by what they know, and not the policy.
  package var hasServers: Bool { server(at: .zero) != nil || meetingRule != nil }
  /// Whether its policy decides without packets, and no server's or controller's rule.
  package var decidesByPolicy: Bool { statedRule == nil && meetingRule == nil }
  package func meetingSchedule() -> (any MeetingSchedule)? { nil }
  package func schedule() -> any ServerSchedule { EveryEstimate() }
  package var negotiation: NegotiationRules? { nil }
  package var keepsMissingPackets: Bool { false }
  package var forwarding: ForwardingRules { ForwardingRules() }
  package var initialEstimate: BitRate? { nil }
  package var receiveCap: RateLimit { .unlimited }
  package var followsReceiveCap: Bool { true }
  package var receives720p: Bool { true }
  package func gate(of lowest: Resolution?) -> Resolution { .p360 }
  package var sendCap: RateLimit { .unlimited }
  package var ignoredNotions: Set<ViewNotion> { [] }
  package var customSource: CustomSourceRules { CustomSourceRules() }
  package var keepsStarvedStreams: Bool { true }
  package var mergesFeedback: Bool { false }
  package func adapted(toClients count: Int) -> any System { self }
  package func publisher() -> any Publisher { OnDemandPublisher() }
  package func received(from order: [Int], viewerSends: Bool) -> [Int]? { nil }
}

/// Kind of a source, which determines its default ladder.
package enum SourceKind: Sendable { case camera, screen }

/// What the clients of some systems have and those of others lack.
package enum ViewFeature: Sendable, CaseIterable {
  /// Streams are requested by quality.
  case requests
  /// Requests have priorities, and there are built-in layouts.
  case layouts
  /// Apps override the sizes requested by their tiles.
  case overrides
  /// Subscribers have a preferred resolution and frame rate.
  case preferences
  /// Viewers choose between a high and a low stream.
  case dualStreams
}

/// Description of a system for scenario authors.
package struct SystemDescription: Sendable {
  /// Name in scenarios.
  package var name: String
  package var summary: String
  /// Documents and code behind its rules, and which parts are our model.
  package var source: String
  /// Ladders and grids that it defines.
  package var ladders: [NamedLadder]
  package var grids: [Grid]
  /// What its clients have that others lack.
  package var features: Set<ViewFeature>
  /// What a stream request of its clients can ask for; none where it can be any format.
  package var qualities: [VideoFormat]
  /// What its clients signal in their own words.
  package var signals: [SignalDeclaration] = []
  /// What its clients, publishers and servers report in `events.csv` of their own accord.
  package var events: [EventDeclaration] = []
  /// The rules by which tiles get their layers, every one that `decisions.csv` can name.
  package var rules: [RuleDescription]

  package init(
    name: String, summary: String, source: String, ladders: [NamedLadder] = [], grids: [Grid] = [],
    features: Set<ViewFeature> = [], qualities: [VideoFormat] = [], signals: [SignalDeclaration] = [],
    events: [EventDeclaration] = [],
    rules: [RuleDescription] = []
  ) {
    self.name = name
    self.summary = summary
    self.source = source
    self.ladders = ladders
    self.grids = grids
    self.features = features
    self.qualities = qualities
    self.signals = signals
    self.events = events
    self.rules = rules
  }
}
