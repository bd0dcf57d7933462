package import Ladder
import Plan
package import Quantity
import SimulationKernel

/// Trial of a remedy in other repetitions of a meeting, counting the improvements of a tile and the losses of others.
package struct RemedyTrial: Sendable {
  /// Number of repetitions in which the tile improves at the given moment.
  package private(set) var agreeing = 0
  /// Number of these repetitions in which lines and frames are the same, and only the freezes are shorter.
  package private(set) var smoother = 0
  /// Number of repetitions whose picture without the remedy is no better than the explained one: in the others there is
  /// nothing to mend.
  package private(set) var repetitions = 0
  /// Number of all repetitions.
  package private(set) var tried = 0
  /// Number of repetitions in which a tile gets a lower layer, by viewer and source.
  private var losses: [[Int]]

  /// Runs the trial.
  ///
  /// - Parameters:
  ///   - requested: the request without the remedy; lines and frames beyond it do not count as an improvement.
  ///   - explained: the tile's picture in the run that is explained.
  ///   - baseline: all viewers' pictures at the moment without the remedy, for the same repetitions.
  /// - Returns: `nil` if the remedy changes nothing; the trial stops as soon as the remedy can no longer hold.
  package init?(
    _ remedy: Remedy, of replay: MeetingReplay, on tile: TilePlace, requested: VideoFormat,
    explained: ReplayedPicture, at moment: SimTime, baseline: ArraySlice<[[ReplayedPicture]]>
  ) {
    guard let plan = remedy.applied(to: replay.plan, viewer: tile.viewer) else { return nil }
    let changed = MeetingReplay(plan, seed: replay.seed)
    losses = baseline.first?.map { $0.map { _ in 0 } } ?? []
    for repetition in baseline.indices {
      let before = baseline[repetition]
      let old = before[tile.viewer][tile.source]
      tried += 1
      guard !old.hasLess(toMendThan: explained, of: requested) else { continue }
      let after = changed.pictures(watching: tile, repetition: repetition, at: moment)
      repetitions += 1
      let own = after[tile.viewer][tile.source]
      if own.cut(to: requested).isMore(than: old.cut(to: requested)) { agreeing += 1 }
      if own.cut(to: requested).isSmoother(than: old.cut(to: requested)) { smoother += 1 }
      if (repetitions - agreeing) * 10 > baseline.count { return }
      for viewer in after.indices {
        for source in after[viewer].indices
        where before[viewer][source].isMore(than: after[viewer][source]) {
          losses[viewer][source] += 1
        }
      }
    }
  }

  /// Indicates whether the remedy helps in at least nine of ten repetitions that are no better, if half of all are.
  package var holds: Bool { repetitions * 2 >= tried && agreeing * 10 >= repetitions * 9 }

  /// Indicates whether the remedy helps in at least nineteen of twenty of these.
  package var isConfirmed: Bool { repetitions * 2 >= tried && agreeing * 20 >= repetitions * 19 }

  /// Adds a trial of the same remedy over further repetitions.
  package mutating func add(_ further: RemedyTrial) {
    agreeing += further.agreeing
    smoother += further.smoother
    repetitions += further.repetitions
    tried += further.tried
    for viewer in losses.indices {
      for source in losses[viewer].indices { losses[viewer][source] += further.losses[viewer][source] }
    }
  }

  /// Tiles that lose a layer in at least half of the repetitions.
  package var losers: [TilePlace] {
    losses.indices.flatMap { viewer in
      losses[viewer].indices.filter { losses[viewer][$0] * 2 >= repetitions }.map {
        TilePlace(viewer: viewer, source: $0)
      }
    }
  }
}

/// A viewer's picture of a source at a moment.
package struct ReplayedPicture: Equatable, Sendable {
  /// Format that the encoder produces for the allocated layer; `nil` if none is allocated.
  package var format: VideoFormat?
  /// Set if fewer than half of its frames arrived in the last interval.
  package var isBroken = false
  /// Set if none of its frames arrived.
  package var isDark = false
  /// Time in freezes that ended in the last interval, for a watched tile.
  package var frozen = SimDuration.zero

  package init(format: VideoFormat?, isBroken: Bool = false, isDark: Bool = false) {
    self.format = format
    self.isBroken = isBroken
    self.isDark = isDark
  }

  /// Returns the picture limited to the lines and frames of a request, in which 0 stands for any number.
  package func cut(to requested: VideoFormat) -> ReplayedPicture {
    guard var format else { return self }
    let (lines, rate) = (requested.resolution.lines, requested.milliFramesPerSecond)
    if lines > 0, format.resolution.lines > lines { format.resolution = requested.resolution }
    if rate > 0 { format.milliFramesPerSecond = min(format.milliFramesPerSecond, rate) }
    var cut = self
    cut.format = format
    return cut
  }

  /// Checks whether the picture has the lines and frames of a request, and they arrive; in a request 0 stands for any
  /// number.
  package func meets(_ requested: VideoFormat) -> Bool {
    guard let format, !isDark, !isBroken, frozen == .zero else { return false }
    return format.meets(requested)
  }

  /// Checks whether the picture is better than another: by lines, then by frame rate, since the ladders may differ,
  /// then by whether its frames arrive, then by freezes.
  ///
  /// A black tile is never an improvement, whatever is given, and any picture is one over it: a larger picture does not
  /// help if the downlink loses all of it, or loses most of it while the smaller one arrived.
  package func isMore(than other: ReplayedPicture) -> Bool {
    guard let format, !isDark else { return false }
    guard let old = other.format, !other.isDark else { return true }
    guard !isBroken || other.isBroken else { return false }
    let (lines, before) = (format.resolution.lines, old.resolution.lines)
    guard lines == before else { return lines > before }
    guard format.milliFramesPerSecond == old.milliFramesPerSecond else {
      return format.milliFramesPerSecond > old.milliFramesPerSecond
    }
    return other.isBroken && !isBroken || isSmoother(than: other)
  }

  /// Checks whether less of a request is missing than of another picture: nothing, a picture in place of none, or lines;
  /// if fewer than half of the frames arrive, no size counts.
  package func hasLess(toMendThan other: ReplayedPicture, of requested: VideoFormat) -> Bool {
    if meets(requested) { return !other.meets(requested) }
    guard let lines = cut(to: requested).format?.resolution.lines, !isDark, !isBroken else { return false }
    guard let before = other.cut(to: requested).format?.resolution.lines, !other.isDark else { return true }
    return lines > before
  }

  /// Checks whether the picture has the lines and frames of another, but is frozen for less than half as long: frames
  /// that arrive in bursts after freezes are not fewer.
  package func isSmoother(than other: ReplayedPicture) -> Bool {
    guard let format, let old = other.format, !isDark, isBroken == other.isBroken else { return false }
    return format.resolution.lines == old.resolution.lines
      && format.milliFramesPerSecond == old.milliFramesPerSecond && frozen * 2 < other.frozen
  }
}
