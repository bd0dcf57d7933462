import Allocation
import Decision
import Ladder
import Metrics
import Plan
import Quantity
import Serving
import SimulationKernel
import Systems
import Viewing

/// The SFU's actions, as rows of `decisions.csv` and `events.csv`.
extension Recording {
  /// Name of the type that limits streams while they ramp up.
  private static let rampUpRule = String(describing: RampUp.self)

  /// Records the SFU's actions since the last call.
  mutating func recordSFU(_ parts: inout MeetingParts, at now: SimTime) {
    guard !parts.sfu.records.isEmpty else { return }
    let records = parts.sfu.records
    parts.sfu.records = []
    for record in records {
      switch record {
      case .decisions(let decided, let viewer, let budget):
        self.record(decided, of: viewer, within: budget, &parts, at: now)
      case .end(let source, let viewer, let previous, let budget):
        let moment = TileMoment(viewer: viewer, source: source, parts.streams, at: now)
        let client = parts.viewers.clients[viewer].map { String(describing: type(of: $0)) } ?? ""
        self.record(
          DecisionRow(
            viewer: viewer, source: source, rank: nil, rule: client, budget: budget, givenBefore: .zero,
            wanted: "", given: "", previous: decisions.name(of: previous, source),
            reason: moment.unsubscribed(parts).rawValue, missing: .zero), taking: .zero, on: moment.track,
          at: now)
      case .event(let event, let viewer): note(viewer, event.name, event.detail, at: now)
      }
    }
  }

  /// Records the decisions on a viewer's subscriptions.
  private mutating func record(
    _ decided: [(grant: Grant, tile: GrantedTile, rule: String, previous: LayerID?)], of viewer: Int,
    within budget: VideoBudget, _ parts: inout MeetingParts, at now: SimTime
  ) {
    var given = BitRate.zero
    for place in decided.indices.sorted(by: { decided[$0].grant.rank ?? 0 < decided[$1].grant.rank ?? 0 }) {
      var (grant, tile, rule, previous) = decided[place]
      let moment = TileMoment(viewer: viewer, source: tile.wish.source, parts.streams, at: now)
      let taken = grant.layer == nil ? .zero : grant.taken
      tile.circumstances = moment.beginnings(given: tile.grant, desire: tile.desire, &parts, &self)
      let reason = tile.limitation
      record(
        DecisionRow(
          viewer: viewer, source: moment.source, rank: grant.rank,
          rule: grant.limitation == .switching
            ? Self.rampUpRule
            : parts.plan.limitingRule(
              of: grant, on: tile.wish, reason, decidedBy: rule, for: viewer,
              capture: reason == .sender ? parts.plan.source(moment.source, of: parts.streams)?.capture : nil),
          budget: budget, givenBefore: given, wanted: decisions.name(of: tile.desire?.id, moment.source),
          given: decisions.name(of: grant.layer?.id, moment.source),
          previous: decisions.name(of: previous, moment.source), reason: reason.rawValue,
          missing: grant.isWaiting ? .zero : grant.missing), taking: taken,
        on: moment.track, at: now)
      given += taken
    }
    decisions.taken[viewer] = given
  }

  /// Records an event.
  mutating func note(
    _ number: Int?, _ event: String, _ detail: String, _ result: String = "ok", at now: SimTime
  ) { record(EventRow(participant: number, event: event, detail: detail, result: result), at: now) }
}
