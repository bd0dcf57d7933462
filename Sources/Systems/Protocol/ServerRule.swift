package import Allocation
package import Ladder
package import Quantity

/// How a system's server shares one viewer's downlink out: a pure function of what the server knows.
///
/// The same rule decides in a meeting, where a ``ServerSchedule`` says when, and in `meetsim allocate`.
package protocol ServerRule: Sendable {
  /// Decides on all subscriptions.
  ///
  /// - Returns: one decision for each subscription, in their order, and how much more budget may change one.
  func decide(_ state: AllocationState) -> AllocationOutcome
}

/// What a server knows when it shares a downlink out.
package struct AllocationState: Hashable, Sendable {
  /// What the estimate leaves for video.
  package var budget: BitRate
  /// In the order of the meeting's sources: those of each participant in the order of the scenario.
  package var subscriptions: [Subscription]
  package var demand: ViewerDemand

  package init(budget: BitRate, subscriptions: [Subscription], demand: ViewerDemand = ViewerDemand()) {
    self.budget = budget
    self.subscriptions = subscriptions
    self.demand = demand
  }
}

/// One source as a server may forward it to a viewer.
package struct Subscription: Hashable, Sendable {
  package var wish: Wish
  /// The source's layers by encoding, then by temporal layer, with their cumulative rates as the server measures them;
  /// zero for one that does not arrive.
  package var layers: [Layer]
  /// ``Wish/beyondDevice`` with its rate as measured, or the ladder's where it does not arrive.
  package var beyondDevice: Layer?
  /// What is forwarded now; `nil` for nothing.
  package var current: LayerID?
  /// What was decided last; `nil` for nothing.
  package var target: LayerID?
  /// By encoding: for how long it has been arriving; `nil`, as beyond the end, for longer than any rule asks.
  package var ages: [SimDuration?] = []
  /// For how long the viewer has been subscribed; `nil` for longer than any rule asks.
  package var age: SimDuration?
  /// Time since bandwidth made the server take a lower encoding; `nil` for longer than any rule asks.
  package var sinceDowngrade: SimDuration?

  package init(wish: Wish, layers: [Layer], current: LayerID? = nil, target: LayerID? = nil) {
    self.wish = wish
    self.layers = layers
    self.current = current
    self.target = target
  }

  /// For how long an encoding has been arriving; `nil` for longer than any rule asks.
  package func age(of encoding: Int) -> SimDuration? {
    ages.indices.contains(encoding) ? ages[encoding] : nil
  }

  /// The measured rate of a layer with those below it; zero for an unknown one.
  package func rate(of layer: LayerID?) -> BitRate { layers.first { $0.id == layer }?.bitrate ?? .zero }
}

/// What a rule decides on one subscription.
package struct SourceDecision: Hashable, Sendable {
  /// `nil` for nothing.
  package var layer: LayerID?
  /// What it would be with any budget, and no wait; `nil` for nothing.
  package var ideal: LayerID?
  /// What keeps it below the ideal, `bandwidth`, `hold` or `policy`; `nil` where nothing of the rule does.
  package var hindrance: Limitation?
  /// Further budget that the next layer needs; zero where bandwidth is not the limit.
  package var missing: BitRate
  /// Place in the order in which the rule serves its sources, from 1.
  package var rank: Int
  /// The rule's name in its system's folder.
  package var rule: String
  /// Whether bandwidth makes the server take a lower encoding now, which begins a hold in some systems.
  package var isDowngrade = false

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

/// What a rule decides on all subscriptions.
package struct AllocationOutcome: Hashable, Sendable {
  /// In the order of the subscriptions.
  package var decisions: [SourceDecision]
  /// How much more budget may change a decision.
  package var margin: BudgetMargin

  package init(decisions: [SourceDecision], margin: BudgetMargin) {
    self.decisions = decisions
    self.margin = margin
  }
}

/// When a server shares a viewer's downlink out anew by itself; changed subscriptions and layers always make it.
///
/// A state machine without clock: one for each viewer, told of every estimate.
package protocol ServerSchedule: Sendable {
  /// Handles an estimate of what the downlink carries of video.
  ///
  /// - Parameter allocated: what the last decisions take together, as measured now.
  /// - Returns: whether the server decides now.
  mutating func receive(_ estimate: BitRate, allocated: BitRate, at now: SimTime) -> Bool
  /// Notes that the server has decided.
  mutating func noteDecision(at now: SimTime)
  /// When the server decides without any other reason; `nil` for never.
  var dueAt: SimTime? { get }
  /// Which changes of what arrives make the server decide.
  var layerReaction: LayerReaction { get }
  /// Adds what the schedule remembers to what the rule is given.
  ///
  /// - Parameter queued: what waits to leave for the viewer.
  func complete(_ state: inout AllocationState, queued: ByteCount, at now: SimTime)
}

/// Changes of arriving layers that make a server decide.
package enum LayerReaction: Hashable, Sendable {
  /// An encoding begins or ends to arrive.
  case encodings
  /// The same, or a layer of one begins to.
  case layers
  /// None: the server waits for its next turn.
  case nothing
}

extension ServerSchedule {
  package var layerReaction: LayerReaction { .encodings }
  package func complete(_ state: inout AllocationState, queued: ByteCount, at now: SimTime) {}
}

/// Decides at every estimate.
package struct EveryEstimate: ServerSchedule {
  package init() {}

  package mutating func receive(_ estimate: BitRate, allocated: BitRate, at now: SimTime) -> Bool { true }
  package mutating func noteDecision(at now: SimTime) {}
  package var dueAt: SimTime? { nil }
}
