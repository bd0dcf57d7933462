import Allocation
package import Ladder
package import Metrics
package import Quantity
import SimulationKernel
import Systems

/// The last decision on a tile before a moment of a run: what it went by, and what the same rule would have given with
/// another budget.
package struct ReplayedDecision: Sendable {
  /// A subscription of the viewer, as that decision left it.
  package struct Tile: Sendable {
    /// Index in the meeting's sources.
    package var source: Int
    /// As in the tables: a participant, or `ID/screen`.
    package var name: String
    /// Place in the order in which subscriptions are served, from 1.
    package var rank: Int
    package var requested: VideoFormat
    /// What is given; `nil` for nothing.
    package var given: Layer?
    /// What it takes of the budget, as the rule counts it.
    package var taken: BitRate
  }

  package let at: SimTime
  /// The row of `decisions.csv`.
  package let row: DecisionRow
  package let own: Tile
  /// The viewer's other subscriptions by rank.
  package let others: [Tile]
  /// The narrowest link of the viewer's downlink, and its capacity; `nil` for a downlink without links.
  package let link: (name: String, capacity: BitRate)?
  /// What the rule went by: the budget, before a cap of the client that the rule itself takes account of.
  package let spendable: BitRate
  fileprivate let decider: any ViewerDecider

  /// Subscriptions that are served before the tile.
  package var before: [Tile] { others.filter { $0.rank < own.rank } }

  /// What the rule gives the tile by the same knowledge with another budget, and how much more budget may change that;
  /// `nil` if no budget does.
  ///
  /// A client's cap counts as it was.
  package func given(budget: BitRate) -> (layer: Layer?, rise: Int64?) {
    let (tiles, margin) = decider.tiles(budget: budget)
    return (tiles.first { $0.grant.source == own.source }?.grant.layer, margin.rise)
  }
}

/// Repeats runs up to a moment, which gives the same as the run did.
package enum MeetingReplay {
  /// - Parameters:
  ///   - viewer: index of a participant.
  ///   - source: index of a source, as in ``sources(of:)``.
  /// - Returns: `nil` if nothing was decided on the tile up to the moment, or it was no longer subscribed to.
  package static func decision(
    in plan: MeetingPlan, seed: UInt64, repetition: Int, viewer: Int, source: Int, at moment: SimTime
  ) -> ReplayedDecision? {
    var model = ReplayedMeeting(
      simulation: MeetingSimulation(
        plan: plan, seed: seed, repetition: repetition, interval: .seconds(1), runID: ""), viewer: viewer,
      source: source)
    run(&model, plan, until: moment)
    return model.decision
  }

  /// What each viewer is given of each source at a moment; `nil` for nothing.
  package static func grants(
    in plan: MeetingPlan, seed: UInt64, repetition: Int, at moment: SimTime
  ) -> [[Layer?]] {
    var simulation = MeetingSimulation(
      plan: plan, seed: seed, repetition: repetition, interval: .seconds(1), runID: "")
    var kernel = Kernel(capacity: 4096)
    simulation.begin(kernel: &kernel)
    kernel.run(until: min(moment, .zero + plan.duration), model: &simulation)
    return plan.participants.indices.map { viewer in
      simulation.streams.sources.indices.map { source in
        let track = simulation.streams.track(viewer: viewer, source: source)
        return simulation.sfu.allocator.subscriptions.grants[track]?.layer
      }
    }
  }

  /// The sources of a meeting as the tables name them, with the participant that each belongs to.
  package static func sources(of plan: MeetingPlan) -> [(name: String, participant: Int)] {
    let streams = StreamNumbering(plan)
    return streams.sources.indices.map {
      (plan.name(of: $0, in: streams), streams.sources[$0].participant)
    }
  }

  private static func run(_ model: inout ReplayedMeeting, _ plan: MeetingPlan, until moment: SimTime) {
    var kernel = Kernel(capacity: 4096)
    model.simulation.begin(kernel: &kernel)
    kernel.run(until: min(moment, .zero + plan.duration), model: &model)
  }
}

/// A run that keeps the last decision on one tile.
private struct ReplayedMeeting: ~Copyable, EventModel {
  var simulation: MeetingSimulation
  private let viewer: Int
  private let source: Int
  private(set) var decision: ReplayedDecision?

  init(simulation: consuming MeetingSimulation, viewer: Int, source: Int) {
    self.viewer = viewer
    self.source = source
    self.simulation = simulation
  }

  mutating func handle(_ event: Event, kernel: inout Kernel) {
    simulation.handle(event, kernel: &kernel)
    let track = simulation.streams.track(viewer: viewer, source: source)
    guard let last = simulation.recording.decisions[track], last.at == kernel.now else { return }
    decision = simulation.decision(on: source, of: viewer, at: kernel.now)
  }
}

extension MeetingSimulation {
  fileprivate mutating func decision(on source: Int, of viewer: Int, at now: SimTime) -> ReplayedDecision? {
    let track = streams.track(viewer: viewer, source: source)
    guard let last = recording.decisions[track], last.row.rank != nil else { return nil }
    let tiles = streams.sources.indices.compactMap { tile(of: $0, viewer) }.sorted { $0.rank < $1.rank }
    guard let own = tiles.first(where: { $0.source == source }), let decider = decider(of: viewer, at: now)
    else { return nil }
    let capacity = links.capacity(of: Path.down(viewer), at: now)
    let link = links.route(of: Path.down(viewer)).map(Int.init).first {
      links.meanCapacity(of: $0, from: now, to: now) == capacity
    }
    return ReplayedDecision(
      at: now, row: last.row, own: own, others: tiles.filter { $0.source != source },
      link: link.map { (plan.links[$0].name, capacity) },
      spendable: sfu.allocator.hasServers ? last.row.budget.total : last.row.budget.available,
      decider: decider)
  }

  private func tile(of source: Int, _ viewer: Int) -> ReplayedDecision.Tile? {
    let track = streams.track(viewer: viewer, source: source)
    guard let last = recording.decisions[track], let rank = recording.decisions.rank(of: track),
      let wish = sfu.allocator.subscriptions[track]
    else { return nil }
    return ReplayedDecision.Tile(
      source: source, name: recording.sources[source], rank: rank, requested: wish.requested,
      given: sfu.allocator.subscriptions.grants[track]?.layer, taken: last.taken)
  }

  /// What decides for a viewer, by what it went by last.
  private func decider(of viewer: Int, at now: SimTime) -> (any ViewerDecider)? {
    if let rule = plan.system.meetingRule {
      guard let state = sfu.controller.lastState,
        let place = state.viewers.firstIndex(where: { $0.participant == viewer })
      else { return nil }
      return MeetingDecider(rule, state, viewer: place, rates: plan.captureRates(streams))
    }
    if sfu.servers.areUsed, let rule = plan.system.statedRule {
      let state = sfu.servers.lastState(viewer) ?? measuredState(of: viewer, at: now)
      return RuleDecider(rule, state)
    }
    return PolicyDecider(
      policy: plan.system.policy, cap: sfu.allocator.budgets[viewer].decided?.cap ?? .unlimited,
      limit: sfu.allocator.decoderLimits[viewer], wishes: sfu.allocator.orderedSubscriptions(of: viewer))
  }

  /// What a server knows that decides on single sources.
  private func measuredState(of viewer: Int, at now: SimTime) -> AllocationState {
    let subscriptions = sfu.allocator.subscriptions(of: viewer).map { wish in
      let measured = sfu.forwarder.meter.layers(of: wish.source, at: now)
      return Subscription(
        wish: wish,
        layers: wish.ladder.map { Layer(id: $0.id, format: $0.format, bitrate: measured[$0.id]) })
    }
    return AllocationState(budget: .zero, subscriptions: subscriptions)
  }
}
