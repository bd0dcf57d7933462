package import Ladder
package import Quantity
import SimulationKernel

/// Whether a remedy gives a tile more in other repetitions of a meeting, and what it costs others.
package struct RemedyTrial: Sendable {
  package let remedy: Remedy
  /// Repetitions in which the tile gets more at the moment.
  package private(set) var agreeing = 0
  package private(set) var repetitions = 0
  /// By viewer and source: repetitions in which that tile is given a lower layer.
  private var losses: [[Int]]

  /// - Parameters:
  ///   - requested: what is asked for without the remedy; lines and frames beyond it are no more.
  ///   - baseline: what everybody gets at the moment without the remedy, at the numbers of the repetitions.
  /// - Returns: `nil` where the remedy changes nothing; it stops as soon as it can no longer hold.
  package init?(
    _ remedy: Remedy, of plan: MeetingPlan, seed: UInt64, viewer: Int, source: Int,
    requested: VideoFormat, at moment: SimTime, baseline: ArraySlice<[[ReplayedPicture]]>
  ) {
    guard let changed = remedy.applied(to: plan, viewer: viewer) else { return nil }
    self.remedy = remedy
    losses = baseline.first?.map { $0.map { _ in 0 } } ?? []
    for repetition in baseline.indices {
      let before = baseline[repetition]
      let after = MeetingReplay.pictures(
        in: changed, seed: seed, repetition: repetition, watching: (viewer, source), at: moment)
      repetitions += 1
      let (own, old) = (after[viewer][source], before[viewer][source])
      if own.cut(to: requested).isMore(than: old.cut(to: requested)) { agreeing += 1 }
      if (repetitions - agreeing) * 10 > baseline.count { return }
      for viewer in after.indices {
        for source in after[viewer].indices
        where before[viewer][source].isMore(than: after[viewer][source]) {
          losses[viewer][source] += 1
        }
      }
    }
  }

  /// Whether it holds in nine of ten repetitions at least.
  package var holds: Bool { agreeing * 10 >= repetitions * 9 }

  /// Adds the same remedy's trial in further repetitions.
  package mutating func add(_ further: RemedyTrial) {
    agreeing += further.agreeing
    repetitions += further.repetitions
    for viewer in losses.indices {
      for source in losses[viewer].indices { losses[viewer][source] += further.losses[viewer][source] }
    }
  }

  /// Tiles that lose a layer in half of the repetitions at least.
  package var losers: [(viewer: Int, source: Int)] {
    losses.indices.flatMap { viewer in
      losses[viewer].indices.filter { losses[viewer][$0] * 2 >= repetitions }.map { (viewer, $0) }
    }
  }
}

/// What a viewer gets of a source at a moment.
package struct ReplayedPicture: Equatable, Sendable {
  /// What the encoder makes of the given layer; `nil` where nothing is given.
  package var format: VideoFormat?
  /// Whether fewer than half of its frames came in the last interval, as for nothing, of a tile that is watched.
  package var isBroken = false
  /// Whether none of its frames came.
  package var isDark = false

  package init(format: VideoFormat?, isBroken: Bool = false, isDark: Bool = false) {
    self.format = format
    self.isBroken = isBroken
    self.isDark = isDark
  }

  /// The same without lines and frames beyond a request; 0 stands for any number.
  package func cut(to requested: VideoFormat) -> ReplayedPicture {
    guard var format else { return self }
    let (lines, rate) = (requested.resolution.lines, requested.milliFramesPerSecond)
    if lines > 0, format.resolution.lines > lines { format.resolution = requested.resolution }
    if rate > 0 { format.milliFramesPerSecond = min(format.milliFramesPerSecond, rate) }
    return ReplayedPicture(format: format, isBroken: isBroken, isDark: isDark)
  }

  /// By lines, then by frame rate, as the ladders may differ, then by whether the frames come. What stays dark is no more
  /// than anything: a larger picture does not help where the downlink loses all of it, nor where it loses most of it and
  /// the smaller one came.
  package func isMore(than other: ReplayedPicture) -> Bool {
    guard let format, !isDark else { return false }
    guard let old = other.format else { return true }
    guard !isBroken || other.isBroken else { return false }
    let (lines, before) = (format.resolution.lines, old.resolution.lines)
    guard lines == before else { return lines > before }
    guard format.milliFramesPerSecond == old.milliFramesPerSecond else {
      return format.milliFramesPerSecond > old.milliFramesPerSecond
    }
    return other.isBroken && !isBroken
  }
}
