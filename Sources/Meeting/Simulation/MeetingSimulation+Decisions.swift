import Allocation
import Ladder
import Metrics
import Quantity
import SimulationKernel
import Systems

/// From decisions to `decisions.csv`, and to the words of what limits a tile.
extension MeetingSimulation {
  /// Records what was decided on a viewer's subscriptions.
  mutating func recordDecisions(
    _ decisions: [TileDecision], on wishes: [Wish], of viewer: Int, at now: SimTime
  ) {
    guard let budget = sfu.allocator.budgets[viewer].decided else { return }
    let client = clientRule(of: viewer)
    var given = BitRate.zero
    for place in decisions.indices.sorted(by: { decisions[$0].rank < decisions[$1].rank }) {
      let decision = decisions[place]
      let source = wishes[place].source
      let track = streams.track(viewer: viewer, source: source)
      let taken = decision.grant.layer == nil ? .zero : decision.bitrate
      recording.record(
        DecisionRow(
          viewer: viewer, source: source, rank: decision.rank,
          rule: decision.isClients ? client : decision.rule, budget: budget, givenBefore: given,
          wanted: recording.decisions.name(of: sfu.allocator.subscriptions.desires[track]?.id, source),
          given: recording.decisions.name(of: decision.grant.layer?.id, source),
          previous: recording.decisions.name(of: decision.previous, source),
          reason: decidedTile(source, viewer: viewer, at: now)?.limitation.rawValue ?? "",
          missing: decision.grant.missing),
        taking: taken, on: track, at: now)
      given += taken
    }
  }

  /// Records that a server has decided as before, by another budget perhaps.
  mutating func recordUnchanged(of viewer: Int, at now: SimTime) {
    let wishes = sfu.allocator.subscriptions(of: viewer)
    var decisions = sfu.decisions(on: wishes, of: viewer)
    for place in decisions.indices { decisions[place].previous = decisions[place].grant.layer?.id }
    recordDecisions(decisions, on: wishes, of: viewer, at: now)
  }

  /// Records that a source is no longer subscribed to.
  mutating func recordEnd(of source: Int, viewer: Int, after previous: LayerID?, at now: SimTime) {
    recording.record(
      DecisionRow(
        viewer: viewer, source: source, rank: nil, rule: clientRule(of: viewer),
        budget: sfu.allocator.budgets[viewer].decided ?? VideoBudget(estimate: .unlimited),
        givenBefore: .zero, wanted: "", given: "", previous: recording.decisions.name(of: previous, source),
        reason: Limitation.offScreen.rawValue, missing: .zero),
      taking: .zero, on: streams.track(viewer: viewer, source: source), at: now)
  }

  /// The name of the type that decides for a viewer's client, as `decisions.csv` has it.
  private func clientRule(of number: Int) -> String {
    viewers.clients[number].map { String(describing: type(of: $0.client)) } ?? ""
  }

  // MARK: What limits a tile

  /// Time after a beginning in which estimates and encodings are still on their way up.
  private static let startTime = SimDuration.seconds(10)

  /// What keeps a viewer's tile of a source below its request.
  mutating func limitation(of source: Int, viewer: Int, at now: SimTime) -> Limitation {
    guard var tile = decidedTile(source, viewer: viewer, at: now) else { return .offScreen }
    tile.isSwitching = sfu.forwarder.tracks[streams.track(viewer: viewer, source: source)].isWaiting
    return tile.limitation
  }

  /// A tile as it was decided, whether that is forwarded yet or not; `nil` for one that is not subscribed to.
  private mutating func decidedTile(_ source: Int, viewer: Int, at now: SimTime) -> DecidedTile? {
    let track = streams.track(viewer: viewer, source: source)
    guard let grant = sfu.allocator.subscriptions.grants[track],
      let wish = sfu.allocator.subscriptions[track]
    else { return nil }
    var tile = DecidedTile(wish, grant, desire: sfu.allocator.subscriptions.desires[track])
    if grant.limitation == .bandwidth {
      tile.isViewerStarting = isStarting(viewer, lacking: grant.missing, at: now)
    }
    if grant.limitation != .none { tile.isSourceStarting = isStarting(source: source, at: now) }
    return tile
  }

  /// Whether a viewer began so recently that its estimate is below a capacity that carries what is lacking.
  private mutating func isStarting(_ viewer: Int, lacking: BitRate, at now: SimTime) -> Bool {
    guard now - people.joinedAt(viewer) < Self.startTime else { return false }
    let path = Path.down(viewer)
    let needed = endpoints.estimate(path) + lacking.scaled(by: 1 + endpoints.headerShare(of: path))
    return links.fairCapacity(of: path, at: now) >= needed
  }

  /// Whether a source began so recently that its uplink's estimate is below a capacity that carries all of it.
  private mutating func isStarting(source: Int, at now: SimTime) -> Bool {
    guard now - publishers.sources[source].capture.startedAt < Self.startTime else { return false }
    let path = Path.up(streams.sources[source].participant)
    let whole = publishers.wholeRate(of: streams.sources[source].participant)
    return links.fairCapacity(of: path, at: now) >= whole.scaled(by: 1 + endpoints.headerShare(of: path))
  }
}
