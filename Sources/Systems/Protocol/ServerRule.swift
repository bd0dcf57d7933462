package import Allocation
package import CongestionControl
package import Ladder
package import Quantity

/// A server's rule for sharing one viewer's downlink: a pure function of the server's state.
///
/// It decides both in a meeting, where a ``ServerSchedule`` sets the times, and in `meetsim allocate`.
package protocol ServerRule: Sendable {
  /// Decides on all subscriptions.
  ///
  /// - Returns: one decision per subscription, in order, and the smallest budget increase that may change one.
  func decide(_ state: AllocationState) -> AllocationOutcome
}

/// Input of a server's decision on a downlink.
package struct AllocationState: Hashable, Sendable {
  /// Rate that the estimate leaves for video.
  package var budget: BitRate
  /// Subscriptions in the order of the meeting's sources: each participant's in the order of the scenario.
  package var subscriptions: [MeasuredSubscription]
  package var demand: ViewerDemand
  /// Share by which an estimate has to differ from the one that the budget comes from before the server acts on it;
  /// `nil` for a server that decides with any estimate.
  package var changeThreshold: Fraction?

  package init(budget: BitRate, subscriptions: [MeasuredSubscription], demand: ViewerDemand = ViewerDemand())
  {
    self.budget = budget
    self.subscriptions = subscriptions
    self.demand = demand
  }
}

/// One source that a server may forward to a viewer.
package struct MeasuredSubscription: Hashable, Sendable {
  package var wish: Subscription
  /// The source's layers by encoding, then by temporal layer, with their cumulative rates as measured by the server;
  /// zero for one that does not arrive.
  package var layers: [Layer]
  /// ``LayerConfinement/beyondDevice`` with its measured rate, or the ladder's if it does not arrive.
  package var beyondDevice: Layer?
  /// Layer being forwarded; `nil` for none.
  package var current: LayerID?
  /// Layer decided on last; `nil` for none.
  package var target: LayerID?
  /// Times since the encodings began to arrive; `nil`, or beyond the array's end, if longer than any rule cares about.
  package var ages: [SimDuration?] = []
  /// Time since the viewer subscribed; `nil` if longer than any rule cares about.
  package var age: SimDuration?
  /// Time since bandwidth made the server drop to a lower encoding; `nil` if longer than any rule cares about.
  package var sinceDowngrade: SimDuration?
  /// Measured rate of a source whose sender follows its receivers, which counts at the minimum in ``layers``; `nil` for
  /// any other.
  package var followingRate: BitRate?

  package init(wish: Subscription, layers: [Layer], current: LayerID? = nil, target: LayerID? = nil) {
    self.wish = wish
    self.layers = wish.followsReceivers ? layers.map(\.asFollowing) : layers
    self.current = current
    self.target = target
  }

  /// Returns the time since an encoding began to arrive; `nil` if longer than any rule cares about.
  package func age(of encoding: Int) -> SimDuration? {
    ages.indices.contains(encoding) ? ages[encoding] : nil
  }

  /// Returns the measured rate of a layer including those below it; zero for an unknown one.
  package func rate(of layer: LayerID?) -> BitRate { layers.first { $0.id == layer }?.bitrate ?? .zero }
}

/// A decision on one subscription by a rule, a server or a controller.
package struct SourceDecision: Hashable, Sendable {
  /// Layer to be forwarded; `nil` for none. A controller numbers encodings by size, from the smallest.
  package var layer: LayerID?
  /// Layer with an unlimited budget and without waiting; `nil` for none.
  package var ideal: LayerID?
  /// Reason why the layer is below the ideal: `bandwidth`, `hold`, `policy` or, from a controller, `senderUplink`;
  /// `nil` if the rule gives none.
  package var hindrance: Limitation?
  /// Additional budget that the next layer needs; zero if bandwidth is not the limit.
  package var missing: BitRate
  /// Rank in the rule's order of service, from 1.
  package var rank: Int
  /// Name of the rule in its system's folder.
  package var rule: String
  /// Set if bandwidth makes the server drop to a lower encoding now, which starts a hold in some systems.
  package var isDowngrade = false
  /// Rate at which the layer counts in the budget: as measured by a server at the decision, or as ordered by a
  /// controller.
  package var bitrate = BitRate.zero
  /// Encoding of which a server requests a key frame, usually the layer's.
  package var request: Int?
  /// Set if nothing is forwarded while the SFU waits for the key frame of a lower encoding, whatever
  /// ``ForwardingRules/whileWaiting`` is.
  package var stopsWhileWaiting = false

  package init(
    layer: LayerID?, ideal: LayerID?, hindrance: Limitation? = nil, missing: BitRate = .zero, rank: Int,
    rule: String
  ) {
    self.layer = layer
    self.ideal = ideal
    self.hindrance = hindrance
    self.missing = missing
    self.rank = rank
    self.rule = rule
  }
}

/// A rule's decisions on all subscriptions.
package struct AllocationOutcome: Hashable, Sendable {
  /// Decisions in the order of the subscriptions.
  package var decisions: [SourceDecision]
  /// Smallest budget increase that may change a decision.
  package var margin: BudgetMargin

  package init(decisions: [SourceDecision], margin: BudgetMargin) {
    self.decisions = decisions
    self.margin = margin
  }
}

/// Times at which a server reallocates a viewer's downlink on its own, and events to which it reacts at once. New and
/// ended subscriptions always trigger a reallocation.
///
/// A state machine without clock, one per viewer, which receives every estimate.
package protocol ServerSchedule: Sendable {
  /// Handles an estimate of the downlink's capacity for video.
  ///
  /// - Parameter allocated: total rate of the last decisions, as measured now or as ``ServerTriggers/remembersRates``
  ///   says.
  /// - Returns: `true` if the server decides now.
  mutating func receive(_ estimate: BitRate, allocated: BitRate, at now: SimTime) -> Bool
  /// Records that the server has decided.
  mutating func noteDecision(at now: SimTime)
  /// Returns the server's commands to the sender's estimator once it has decided on a state.
  mutating func commands(on state: AllocationState, at now: SimTime) -> [SenderCommand]
  /// Time at which the server decides without any other trigger; `nil` for never.
  var dueAt: SimTime? { get }
  /// Events that trigger reallocation.
  var triggers: ServerTriggers { get }
  /// Checks whether a changed subscription triggers reallocation.
  func reacts(to wish: Subscription, after before: Subscription) -> Bool
  /// Checks whether a new active speaker, the publisher of a subscription, triggers reallocation in a server that hears
  /// speakers.
  func reacts(toSpeaker wish: Subscription, _ demand: ViewerDemand) -> Bool
  /// Adds the schedule's memory to the rule's input.
  ///
  /// - Parameter queued: bytes waiting to be sent to the viewer.
  func complete(_ state: inout AllocationState, queued: ByteCount, at now: SimTime)
}

/// Events that trigger a server's reallocation, and what it remembers of the last one.
package struct ServerTriggers: Hashable, Sendable {
  package var layers = LayerReaction.encodings
  /// Set if the server orders sources by the voices that it hears itself; otherwise by the ranks in its clients'
  /// requests.
  package var hearsSpeakers = false
  /// Set if the server compares an estimate with the rates of its last decisions at the time of these.
  package var remembersRates = false

  package init() {}

  package enum LayerReaction: Hashable, Sendable {
    /// An encoding begins or ceases to arrive.
    case encodings
    /// A layer begins to arrive.
    case startingLayers
  }
}

extension ServerSchedule {
  package var triggers: ServerTriggers { ServerTriggers() }
  /// By default, a change of what is requested triggers reallocation, a change of the source's layers does not.
  package func reacts(to wish: Subscription, after before: Subscription) -> Bool {
    wish.withoutLayers != before.withoutLayers
  }
  package func reacts(toSpeaker wish: Subscription, _ demand: ViewerDemand) -> Bool { false }
  package mutating func commands(on state: AllocationState, at now: SimTime) -> [SenderCommand] { [] }
  package func complete(_ state: inout AllocationState, queued: ByteCount, at now: SimTime) {}
}
