import Allocation
import Decision
import Endpoint
import Ladder
import Media
import Metrics
import Network
import Plan
import Publishing
import Quantity
import Serving
import SimulationKernel
import Systems
import Viewing

/// Decisions recorded in `decisions.csv`, and the limitations of tiles.
extension MeetingSimulation {
  /// Records the decisions on a viewer's subscriptions.
  mutating func recordDecisions(
    _ decisions: [TileDecision], on wishes: [Wish], of viewer: Int, at now: SimTime
  ) {
    guard let budget = sfu.allocator.budgets[viewer].decided else { return }
    var given = BitRate.zero
    for place in decisions.indices.sorted(by: { decisions[$0].rank < decisions[$1].rank }) {
      let decision = decisions[place]
      let source = wishes[place].source
      let track = streams.track(viewer: viewer, source: source)
      let taken = decision.grant.layer == nil ? .zero : decision.bitrate
      let reason = decidedLimitation(of: source, viewer: viewer, track, at: now)
      recording.record(
        DecisionRow(
          viewer: viewer, source: source, rank: decision.rank,
          rule: decision.isRampingUp
            ? Self.rampUpRule
            : plan.limitingRule(
              of: decision.grant, on: wishes[place], reason, decidedBy: decision.rule, for: viewer),
          budget: budget, givenBefore: given,
          wanted: recording.decisions.name(of: sfu.allocator.subscriptions.desires[track]?.id, source),
          given: recording.decisions.name(of: decision.grant.layer?.id, source),
          previous: recording.decisions.name(of: decision.previous, source),
          reason: reason?.rawValue ?? "",
          missing: decision.grant.missing),
        taking: taken, on: track, at: now)
      given += taken
    }
    sfu.allocator.budgets[viewer].taken = given
  }

  /// Records that a server's new decision is the same as before, perhaps with another budget.
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
        budget: sfu.allocator.budgets[viewer].decided ?? VideoBudget(estimate: nil),
        givenBefore: .zero, wanted: "", given: "", previous: recording.decisions.name(of: previous, source),
        reason: unsubscribedLimitation(of: source, viewer: viewer).rawValue, missing: .zero),
      taking: .zero, on: streams.track(viewer: viewer, source: source), at: now)
  }

  /// Returns the limitation of a tile by its decision, for `decisions.csv`.
  private mutating func decidedLimitation(
    of source: Int, viewer: Int, _ track: Int, at now: SimTime
  ) -> Limitation? {
    guard var tile = decidedTile(track) else { return nil }
    tile.circumstances = beginnings(of: source, viewer: viewer, track, at: now)
    return tile.limitation
  }

  /// Name of the type that limits streams while they ramp up, for `decisions.csv`.
  private static let rampUpRule = String(describing: RampUp.self)

  /// Returns the name of the type that decides for a viewer's client, for `decisions.csv`.
  private func clientRule(of number: Int) -> String {
    viewers.clients[number].map { String(describing: type(of: $0)) } ?? ""
  }

  // MARK: Limitations of tiles

  /// Returns the limitation that keeps a viewer's tile of a source below its request, over the interval that ends now.
  mutating func limitation(of source: Int, viewer: Int, at now: SimTime) -> Limitation {
    let track = streams.track(viewer: viewer, source: source)
    guard sfu.allocator.subscriptions.grants[track] != nil else {
      // The tile is on the screen, but viewer and SFU have not agreed on its track yet.
      let isPending = sfu.negotiations.isPending(viewer, source, at: now)
      return isPending && recording.screens.shows(source, to: viewer)
        ? .starting : unsubscribedLimitation(of: source, viewer: viewer)
    }
    var circumstances = beginnings(of: source, viewer: viewer, track, at: now)
    circumstances.encoded = encodedFormat(of: source, track, at: now)
    circumstances.isSwitching = !showsLines(track, encoded: circumstances.encoded?.format)
    circumstances.showsRequest = showsLines(track, encoded: nil)
    circumstances.isBeyondBudget =
      lacksFrames(track, of: source, at: now)
      && isBeyondBudget(viewer, isSwitching: circumstances.isSwitching)
    switch losses(of: source, viewer: viewer, track, at: now) {
    case .none: break
    case .link(let losing): circumstances.losing = losing
    case .otherReceiver(let rate):
      let size = sfu.allocator.subscriptions.grants[track]?.layer?.format.resolution
      circumstances.encoded = size.map {
        .init(VideoFormat($0, milliFramesPerSecond: rate), because: .policy)
      }
    case .interruption: circumstances.isSwitching = true
    }
    let revision = sfu.allocator.subscriptions.revisions[track]
    if let known = recording.limitations.limitation(on: track, revision, circumstances) { return known }
    guard var tile = decidedTile(track) else { return .offScreen }
    tile.circumstances = circumstances
    recording.limitations.note(tile.limitation, on: track, revision, circumstances)
    return tile.limitation
  }

  /// Returns the reason why a viewer's client does not subscribe to a source.
  private func unsubscribedLimitation(of source: Int, viewer: Int) -> Limitation {
    guard sfu.requests[viewer]?.beyondLimit.contains(source) ?? false else { return .offScreen }
    return publishers.sources[source].capture.isOn ? .policy : .muted
  }

  /// Returns a tile as decided, whether it is forwarded yet or not; `nil` for one that is not subscribed to.
  private func decidedTile(_ track: Int) -> DecidedTile? {
    guard let grant = sfu.allocator.subscriptions.grants[track],
      let wish = sfu.allocator.subscriptions[track]
    else { return nil }
    return DecidedTile(
      wish, grant, desire: sfu.allocator.subscriptions.desires[track], by: sfu.allocator.policy,
      isSentToOrder: sfu.controller != nil)
  }

  /// Returns the circumstances by which a tile is limited because its viewer or its source has only just begun.
  private mutating func beginnings(
    of source: Int, viewer: Int, _ track: Int, at now: SimTime
  ) -> DecidedTile.Circumstances {
    var circumstances = DecidedTile.Circumstances()
    circumstances.isSourceOff =
      !publishers.sources[source].capture.isOn && !publishers.sources[source].publisher.withholdsVideo
    circumstances.isSourceStarting = isStarting(source: source, at: now)
    let grant = sfu.allocator.subscriptions.grants[track]
    let desire = sfu.allocator.subscriptions.desires[track]
    circumstances.isDesireCutOff = recording.limitations.noteDesire(
      of: track, isGiven: grant?.layer?.id == desire?.id, isCarried: carriesDesire(of: source, track),
      memory: Self.startTime, at: now)
    if let lacking = grant?.lacking {
      circumstances.isViewerStarting = isStarting(viewer, lacking: lacking, at: now)
    }
    return circumstances
  }
}
