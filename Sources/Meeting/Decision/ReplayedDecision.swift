package import Allocation
import Decision
import Endpoint
package import Ladder
import Media
package import Metrics
package import Plan
import Publishing
package import Quantity
import Serving
import SimulationKernel
import Systems
import Viewing

/// The last decision on a tile before a moment of a run: its input, and what the same rule decides with another budget.
package struct ReplayedDecision: Sendable {
  /// A subscription of the viewer after that decision.
  package struct Tile: Sendable {
    /// Index in the meeting's sources.
    package var source: Int
    /// Name in the tables: a participant, or `ID/screen`.
    package var name: String
    /// Rank in the order of service, from 1.
    package var rank: Int
    package var requested: VideoFormat
    /// Allocated layer; `nil` for none.
    package var given: Layer?
    /// Rate that it takes from the budget, as the rule counts it.
    package var taken: BitRate
  }

  /// Limitation of the tile and its decoded format.
  package struct Shown: Sendable {
    package var limitation: Limitation
    /// Decoded format in the last row of `streams.csv` or since then; `nil` for none.
    package var format: VideoFormat?
    /// Number of frames of that format.
    package var frames = 0
    /// Part of that row, or of the time since then, in which the tile could be seen.
    package var seen = SimDuration.zero
    /// Set if the tile could be seen only in a part of that time.
    package var isPartial = false
  }

  package let at: SimTime
  /// Row of `decisions.csv`.
  package let row: DecisionRow
  /// State of the tile at the moment, as `streams.csv` reports it.
  package fileprivate(set) var shown: Shown
  package let own: Tile
  /// The viewer's other subscriptions, by rank.
  package let others: [Tile]
  /// Narrowest link of the viewer's downlink, with its capacity at the decision; `nil` for a downlink without links.
  package let link: (name: String, capacity: BitRate)?
  /// State at the requested moment.
  package fileprivate(set) var state: MomentState
  /// Freezes of the tile that ended in the last interval, and any that is in progress at the moment.
  package fileprivate(set) var freezes: [Freeze] = []
  /// Budget available to the rule, before any client cap that the rule applies itself.
  package let spendable: RateLimit
  fileprivate let decider: any ViewerDecider

  /// Subscriptions served before the tile.
  package var before: [Tile] { others.filter { $0.rank < own.rank } }

  /// Subscriptions served after the tile.
  package var after: [Tile] { others.filter { $0.rank > own.rank } }

  /// Rate that all of the viewer's subscriptions take from the budget.
  package var taken: BitRate { others.reduce(own.taken) { $0 + $1.taken } }

  /// Returns the layer that the rule would give the tile with another budget and otherwise the same input, and the
  /// increase of that budget that may change it; `nil` if none does.
  ///
  /// A client's cap stays in effect.
  package func given(budget: BitRate) -> (layer: Layer?, rise: Int64?) {
    let (tiles, margin) = decider.tiles(budget: budget)
    return (tiles.first { $0.grant.source == own.source }?.grant.layer, margin.rise)
  }
}

/// Repeats runs of a meeting up to a moment, with the same results as the original runs.
package struct MeetingReplay: Sendable {
  package let plan: MeetingPlan
  package let seed: UInt64

  package init(_ plan: MeetingPlan, seed: UInt64) {
    self.plan = plan
    self.seed = seed
  }

  /// Replays the last decision on a tile.
  ///
  /// - Parameter interval: interval of the run's tables.
  /// - Returns: `nil` if nothing was decided on the tile before the moment, or it was no longer subscribed to.
  package func decision(
    on tile: TilePlace, repetition: Int = 0, interval: SimDuration = .seconds(1), at moment: SimTime
  ) -> ReplayedDecision? {
    var model = ReplayedMeeting(
      self, repetition: repetition, interval: interval, watching: tile, keepsDecision: true)
    var kernel = Kernel(capacity: 4096)
    run(&model, &kernel, every: interval, until: moment)
    guard var decision = model.decision else { return nil }
    decision.shown = model.simulation.shown(on: tile, after: decision.at, at: moment)
    decision.state = model.simulation.momentState(of: tile.source, to: tile.viewer, at: moment)
    decision.freezes = model.frames?.freezes.filter { $0.end.map { $0 > moment - interval } ?? true } ?? []
    guard let open = model.frames?.open(model.simulation, at: moment) else { return decision }
    // The cause, and whether the freeze is long enough to count, is known only when the next picture arrives.
    let end = min(moment + Self.longestFreeze, .zero + plan.duration)
    while kernel.now < end, model.frames?.beganAt == open.begin {
      kernel.run(until: min(kernel.now + .milliseconds(100), end), model: &model)
    }
    guard model.frames?.beganAt == open.begin else {
      decision.freezes += model.frames?.freezes.filter { $0.begin == open.begin } ?? []
      return decision
    }
    decision.freezes.append(model.frames?.open(model.simulation, at: end) ?? open)
    return decision
  }

  /// Longest time for which a freeze is followed beyond the moment.
  private static let longestFreeze = SimDuration.seconds(30)

  /// Returns each viewer's picture of each source at a moment.
  ///
  /// - Parameter tile: the tile whose frames are also examined.
  package func pictures(watching tile: TilePlace, repetition: Int, at moment: SimTime) -> [[ReplayedPicture]]
  {
    var model = ReplayedMeeting(self, repetition: repetition, watching: tile)
    var kernel = Kernel(capacity: 4096)
    run(&model, &kernel, every: .seconds(1), until: moment)
    var pictures = plan.participants.indices.map { viewer in
      model.simulation.parts.streams.sources.indices.map { source in
        let track = model.simulation.parts.streams.track(viewer: viewer, source: source)
        return ReplayedPicture(format: model.simulation.madeFormat(of: source, track))
      }
    }
    if let last = model.simulation.recording.limitations.watch?.last {
      pictures[tile.viewer][tile.source].isBroken = last.isBroken
      pictures[tile.viewer][tile.source].isDark = last.shown == nil
      pictures[tile.viewer][tile.source].frozen = last.frozen
    } else {
      // The tile has appeared since the last rows.
      let reception = model.simulation.parts.viewers.receptions[model.track]
      pictures[tile.viewer][tile.source].isDark = reception.interval.frames == 0
    }
    return pictures
  }

  /// Runs up to a moment, writing the rows of every interval that ends by then.
  func run(
    _ model: inout ReplayedMeeting, _ kernel: inout Kernel, every interval: SimDuration, until moment: SimTime
  ) {
    var sink = DiscardingSink()
    model.simulation.begin(kernel: &kernel)
    let end = SimTime.zero + plan.duration
    var start = SimTime.zero
    repeat {
      let next = min(start + interval, end)
      kernel.run(until: min(next, moment), model: &model)
      guard next <= moment else {
        model.simulation.recording.beginRows(of: moment - start)
        return
      }
      model.simulation.writeRows(from: start, to: next)
      try? model.simulation.recording.flush(into: &sink, above: 0)
      start = next
    } while start < min(moment, end)
  }
}

/// A run that is repeated to examine one tile.
struct ReplayedMeeting: ~Copyable, EventModel {
  var simulation: MeetingSimulation
  private let tile: TilePlace
  /// Number of the tile's track.
  let track: Int
  private let keepsDecision: Bool
  private(set) var decision: ReplayedDecision?
  /// Course of the tile's frames; `nil` in runs that only need the pictures.
  private(set) var frames: FrameCourse?

  /// - Parameters:
  ///   - interval: interval of the tables.
  ///   - keepsDecision: `true` to keep the last decision on the tile and the course of its frames.
  init(
    _ replay: MeetingReplay, repetition: Int, interval: SimDuration = .seconds(1), watching tile: TilePlace,
    keepsDecision: Bool = false
  ) {
    self.keepsDecision = keepsDecision
    self.tile = tile
    simulation = MeetingSimulation(
      plan: replay.plan, seed: replay.seed, repetition: repetition, interval: interval, runID: "")
    track = simulation.parts.streams.track(viewer: tile.viewer, source: tile.source)
    simulation.recording.limitations.watch = WatchedTile(track: track)
    guard keepsDecision else { return }
    frames = FrameCourse(
      of: tile, track: track, encodings: simulation.parts.streams.sources[tile.source].encodings.count)
  }

  mutating func handle(_ event: Event, kernel: inout Kernel) {
    simulation.handle(event, kernel: &kernel)
    guard keepsDecision else { return }
    frames?.follow(simulation, at: kernel.now)
    guard let last = simulation.recording.decisions[track], last.at == kernel.now else { return }
    decision = simulation.decision(on: tile, at: kernel.now)
  }
}

extension MeetingSimulation {
  fileprivate mutating func decision(on tile: TilePlace, at now: SimTime) -> ReplayedDecision? {
    let (viewer, source) = (tile.viewer, tile.source)
    let track = parts.streams.track(viewer: viewer, source: source)
    guard let last = recording.decisions[track], last.row.rank != nil else { return nil }
    let tiles = tiles(of: viewer)
    guard let own = tiles.first(where: { $0.source == source }), let decider = decider(of: viewer, at: now)
    else { return nil }
    return ReplayedDecision(
      at: now, row: last.row, shown: .init(limitation: .none), own: own,
      others: tiles.filter { $0.source != source }, link: narrowestLink(to: viewer, at: now),
      state: momentState(of: source, to: viewer, at: now),
      spendable: parts.sfu.allocator.hasServers ? last.row.budget.total : last.row.budget.available,
      decider: decider)
  }

  /// Returns the state of a tile at the moment at which the run stopped: from the last row, or from the counts since
  /// then if a decision was made since.
  fileprivate mutating func shown(
    on place: TilePlace, after decision: SimTime, at moment: SimTime
  ) -> ReplayedDecision.Shown {
    let last = recording.limitations.watch?.last
    if let last, last.at >= decision {
      return .init(
        limitation: last.limitation, format: last.shown, frames: last.frames, seen: last.seen,
        isPartial: last.isPartial)
    }
    let tile = TileMoment(viewer: place.viewer, source: place.source, parts.streams, at: moment)
    let reception = parts.viewers.receptions[tile.track]
    let length = recording.length.seconds
    var format: VideoFormat?
    if reception.interval.frames > 0, let size = reception.shownSize, length > 0 {
      let rate = Int((Double(reception.interval.frames) / length * 1000).rounded())
      format = VideoFormat(parts.publishers.sizes[size], milliFramesPerSecond: rate)
    }
    let seen = tile.seen(parts, recording)
    return .init(
      limitation: tile.limitation(&parts, &recording), format: format, frames: Int(reception.interval.frames),
      seen: seen, isPartial: seen < recording.length)
  }

  /// Returns the format that the encoder produces for a track's allocation; `nil` for none.
  fileprivate func madeFormat(of source: Int, _ track: Int) -> VideoFormat? {
    guard let layer = parts.sfu.allocator.subscriptions.grants[track]?.layer else { return nil }
    guard let encoding = parts.publishers.encoding(layer.id.encoding, of: source),
      let size = parts.publishers.encoders[encoding].resolution, size.lines < layer.format.resolution.lines
    else { return layer.format }
    return VideoFormat(size, milliFramesPerSecond: layer.format.milliFramesPerSecond)
  }

  /// Returns a viewer's decider, with the input of its last decision.
  private func decider(of viewer: Int, at now: SimTime) -> (any ViewerDecider)? {
    if parts.sfu.peers.isConnected(viewer) {
      return PolicyDecider(
        policy: parts.plan.system.policy, cap: parts.sfu.allocator.receiveCaps[viewer],
        limit: parts.plan.participants[viewer].capabilities.decode,
        wishes: parts.sfu.allocator.orderedSubscriptions(of: viewer).map(\.withWholeLadder))
    }
    switch parts.plan.system.decider.part {
    case .controller(let control):
      guard let state = parts.sfu.controller?.lastState,
        let place = state.viewers.firstIndex(where: { $0.participant == viewer })
      else { return nil }
      return MeetingDecider(control.rule, state, viewer: place, rates: parts.plan.captureRates(parts.streams))
    case .servers(let rule, create: .some):
      return RuleDecider(rule, parts.sfu.servers.lastState(viewer) ?? measuredState(of: viewer, at: now))
    case .policy, .servers:
      return PolicyDecider(
        policy: parts.plan.system.policy, cap: parts.sfu.allocator.budgets[viewer].decided?.cap ?? .unlimited,
        limit: parts.sfu.allocator.decoderLimits[viewer],
        wishes: parts.sfu.allocator.orderedSubscriptions(of: viewer))
    }
  }

  /// Returns the decision input of a server that decides source by source.
  private func measuredState(of viewer: Int, at now: SimTime) -> AllocationState {
    let subscriptions = parts.sfu.allocator.subscriptions(of: viewer).map { wish in
      let measured = parts.sfu.forwarder.meter.layers(of: wish.source, at: now)
      return MeasuredSubscription(
        wish: wish,
        layers: wish.ladder.map { Layer(id: $0.id, format: $0.format, bitrate: measured[$0.id]) })
    }
    return AllocationState(budget: .zero, subscriptions: subscriptions)
  }
}
