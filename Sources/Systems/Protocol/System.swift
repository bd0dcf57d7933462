package import Allocation
package import Ladder
package import Layout
package import Parameters
package import Quantity

/// One vendor's client, SFU and publisher, with their parameters.
///
/// This is a meeting's only interface to a vendor. Everything here is a value; time, randomness and queues belong to
/// the meeting.
package protocol System: Sendable {
  associatedtype Parameters: Parameterized

  static var description: SystemDescription { get }
  /// The system's defaults for the parameters that every system has.
  static var rates: RateParameters { get }

  init(_ parameters: Parameters)

  /// Policy that allocates a viewer's video budget.
  var policy: any AllocationPolicy { get }
  /// Creates the part of the SFU that decides for a viewer, in systems whose decisions need a memory; `nil` where
  /// ``policy`` decides.
  func server(at now: SimTime) -> (any ViewerServer)?
  /// Rule by which the server shares a viewer's downlink; `nil` where ``policy`` decides. In a system with a
  /// ``server(at:)`` of its own, it is the rule for decisions on all sources at once.
  var rule: (any ServerRule)? { get }
  /// Rule of the decision alone, for systems where it is stated by arriving layers while a meeting uses ``policy``.
  var statedRule: (any ServerRule)? { get }
  /// Rule of a controller that decides for all viewers and publishers at once; `nil` where each viewer's allocation is
  /// separate.
  var meetingRule: (any MeetingRule)? { get }
  /// Creates the schedule of the controller with the ``meetingRule``; `nil` without one.
  func meetingSchedule() -> (any MeetingSchedule)?
  /// Creates the schedule by which a server with a ``rule`` decides by itself.
  func schedule() -> any ServerSchedule
  /// Negotiation of tracks before they are forwarded, in systems whose signalling shares the links' queues with the
  /// media, over one connection per participant; `nil` elsewhere.
  var negotiation: NegotiationRules? { get }
  /// `true` if its clients continue to request missing packets while they wait for a key frame, until one is decoded,
  /// as libwebrtc does; elsewhere a key frame request ends that [our model].
  var keepsMissingPackets: Bool { get }
  /// Forwarding by its SFU.
  var forwarding: ForwardingRules { get }
  /// Initial downlink estimate, where the scenario sets none for an estimator that has one; `nil` for the estimator's
  /// own.
  var initialEstimate: BitRate? { get }
  /// Maximum video bit rate that a client accepts.
  var receiveCap: RateLimit { get }
  /// `true` if its server respects the rate that a client says it accepts.
  var followsReceiveCap: Bool { get }
  /// `true` if clients receive pictures above 360 lines without asking for them; `false` behind a gate.
  var receives720p: Bool { get }
  /// Returns the largest picture [px] that a closed 720p gate lets through for a source.
  ///
  /// - Parameter lowest: size of its lowest encoding; `nil` for a source without one.
  func gate(of lowest: Resolution?) -> Resolution
  /// Maximum video bit rate that a participant sends, over all encodings.
  var sendCap: RateLimit { get }
  /// View options that its clients ignore: their subscriptions are the same with and without them.
  var ignoredNotions: Set<ViewNotion> { get }
  /// Limits of its clients on frames that an app produces itself.
  var customSource: CustomSourceRules { get }
  /// `true` if a subscribed stream without an allocated layer stays in the client's list, paused.
  var keepsStarvedStreams: Bool { get }
  /// `true` if publishers of a single encoding follow the worst of its receivers.
  var mergesFeedback: Bool { get }
  /// Returns the system in a meeting with a number of clients.
  func adapted(toClients count: Int) -> any System
  /// Returns the default ladder of a source.
  func ladder(of kind: SourceKind, capture: VideoFormat) -> Ladder
  /// Creates the publisher of a source.
  func publisher() -> any Publisher
  /// Creates the client of a viewer.
  func client(_ setup: ClientSetup) -> any Client
  /// Returns the senders that a viewer receives, a subset of `order`, which is random per viewer; `nil` if the system
  /// has no such limit.
  func received(from order: [Int], viewerSends: Bool) -> [Int]?
}

extension System {
  package var name: String { Self.description.name }
  package static var rates: RateParameters { RateParameters() }
  package func server(at now: SimTime) -> (any ViewerServer)? { rule.map { RuleServer($0, schedule()) } }
  package var rule: (any ServerRule)? { nil }
  package var statedRule: (any ServerRule)? { rule }
  package var meetingRule: (any MeetingRule)? { nil }
  /// `true` if servers or a controller decide in a meeting, by their own state, instead of the policy.
  package var hasServers: Bool { server(at: .zero) != nil || meetingRule != nil }
  /// `true` if its policy makes the standalone decision, without packets, instead of a server's or controller's rule.
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

/// Features that only some systems' clients have.
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
  /// Ladders that it defines.
  package var ladders: [NamedLadder]
  /// Grids that it defines.
  package var grids: [Grid]
  /// Features of its clients that others lack.
  package var features: Set<ViewFeature>
  /// Formats that its clients' stream requests can ask for; empty where any format is possible.
  package var qualities: [VideoFormat]
  /// Signals of its clients in their own terms.
  package var signals: [SignalDeclaration] = []
  /// Events that its clients, publishers and servers report in `events.csv` by themselves.
  package var events: [EventDeclaration] = []
  /// Rules by which tiles are allocated their layers, all that `decisions.csv` can name.
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
