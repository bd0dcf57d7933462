package import Allocation
import Decision
import Endpoint
package import Ladder
import Media
package import Metrics
import Plan
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
  package internal(set) var shown: Shown
  package let own: Tile
  /// The viewer's other subscriptions, by rank.
  package let others: [Tile]
  /// Narrowest link of the viewer's downlink, with its capacity at the decision; `nil` for a downlink without links.
  package let link: (name: String, capacity: BitRate)?
  /// State at the requested moment.
  package internal(set) var state: MomentState
  /// Freezes of the tile that ended in the last interval, and any that is in progress at the moment.
  package internal(set) var freezes: [Freeze] = []
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
    let (grants, _, margin) = decider.grants(budget: budget)
    return (grants.first { $0.source == own.source }?.layer, margin.rise)
  }
}

extension ReplayedDecision {
  /// The decision on a tile that has just been recorded; `nil` for the end of its subscription.
  init?(_ tile: TileMoment, _ parts: inout MeetingParts, _ recording: borrowing Recording) {
    let viewer = ViewerMoment(viewer: tile.viewer, now: tile.now)
    guard let last = recording.decisions[tile.track], last.row.rank != nil else { return nil }
    let tiles = viewer.tiles(parts, recording)
    guard let own = tiles.first(where: { $0.source == tile.source }), let decider = viewer.decider(parts)
    else { return nil }
    at = tile.now
    row = last.row
    shown = Shown(limitation: .none)
    self.own = own
    others = tiles.filter { $0.source != tile.source }
    link = viewer.narrowestLink(parts)
    state = MomentState(tile, &parts, recording)
    let appliesCap = parts.plan.system.decider.isPolicyInMeetings
    spendable = appliesCap ? last.row.budget.available : last.row.budget.total
    self.decider = decider
  }
}

extension ReplayedDecision.Shown {
  /// State of a tile at the moment at which the run stopped: from the last row, or from the counts since then if a
  /// decision was made since.
  init(
    _ tile: TileMoment, after decision: SimTime, _ parts: inout MeetingParts, _ recording: inout Recording
  ) {
    if let last = recording.limitations.watch?.last, last.at >= decision {
      self.init(
        limitation: last.limitation, format: last.shown, frames: last.frames, seen: last.seen,
        isPartial: last.isPartial)
      return
    }
    let reception = parts.viewers.receptions[tile.track]
    let length = recording.length.seconds
    var format: VideoFormat?
    if reception.interval.frames > 0, let size = reception.shownSize, length > 0 {
      let rate = Int((Double(reception.interval.frames) / length * 1000).rounded())
      format = VideoFormat(parts.net.sizes[size], milliFramesPerSecond: rate)
    }
    let seen = tile.seen(parts, recording)
    self.init(
      limitation: tile.limitation(&parts, &recording), format: format, frames: Int(reception.interval.frames),
      seen: seen, isPartial: seen < recording.length)
  }
}
