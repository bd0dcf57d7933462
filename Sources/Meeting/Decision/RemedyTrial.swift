package import Ladder
import Plan
package import Quantity
import SimulationKernel

/// Trial of a remedy in other repetitions of a meeting, counting the improvements of a tile and the losses of others.
package struct RemedyTrial: Sendable {
  /// Repetitions in which a remedy could improve the tile.
  package struct Count: Sendable {
    /// Number of repetitions.
    package fileprivate(set) var repetitions = 0
    /// Number of these in which the tile improves at the given moment.
    package fileprivate(set) var agreeing = 0
    /// Number of these in which lines and frames are the same, and only the freezes are shorter.
    package fileprivate(set) var smoother = 0

    fileprivate mutating func add(_ after: ReplayedPicture, _ before: ReplayedPicture) {
      repetitions += 1
      if after.isMore(than: before) { agreeing += 1 }
      if after.isSmoother(than: before) { smoother += 1 }
    }

    fileprivate mutating func add(_ further: Count) {
      repetitions += further.repetitions
      agreeing += further.agreeing
      smoother += further.smoother
    }

    /// Checks whether at least `share` of the repetitions agree, if they are enough of all.
    fileprivate func holds(
      _ share: (of: Int, per: Int), if enough: (of: Int, per: Int) = (1, 2), tried: Int
    ) -> Bool {
      repetitions * enough.per >= tried * enough.of && agreeing * share.per >= repetitions * share.of
    }
  }

  /// Repetitions that lack anything of what was requested.
  private var lacking = Count()
  /// Those whose picture without the remedy is no better than the explained one.
  private var alike = Count()
  /// Number of all repetitions.
  package private(set) var tried = 0
  /// Numbers of repetitions in which a tile gets a lower or a higher layer, by viewer and source.
  private var losses: [[Int]]
  private var gains: [[Int]]
  /// Number of repetitions that were run with the remedy.
  private var compared = 0

  /// Runs the trial.
  ///
  /// - Parameters:
  ///   - requested: the request without the remedy; lines and frames beyond it do not count as an improvement.
  ///   - explained: the tile's picture in the run that is explained.
  ///   - baseline: all viewers' pictures at the moment without the remedy, for the same repetitions.
  /// - Returns: `nil` if the remedy changes nothing; the trial stops as soon as the remedy cannot help in three of four
  ///   repetitions.
  package init?(
    _ remedy: Remedy, of replay: MeetingReplay, on tile: TilePlace, requested: VideoFormat,
    explained: ReplayedPicture, at moment: SimTime, baseline: ArraySlice<[[ReplayedPicture]]>
  ) {
    guard let plan = remedy.applied(to: replay.plan, viewer: tile.viewer) else { return nil }
    let changed = MeetingReplay(plan, seed: replay.seed, jobs: replay.jobs)
    losses = baseline.first?.map { $0.map { _ in 0 } } ?? []
    gains = losses
    func isLost(_ count: Count) -> Bool { (count.repetitions - count.agreeing) * 4 > baseline.count }
    /// Checks whether a repetition lacks anything, and still counts.
    func isNeeded(_ repetition: Int, _ lacking: Count) -> Bool {
      let old = baseline[repetition][tile.viewer][tile.source].cut(to: requested)
      return !old.meets(requested) && (!old.hasLess(toMendThan: explained, of: requested) || !isLost(lacking))
    }
    var begin = baseline.startIndex
    while begin < baseline.endIndex {
      // Repetitions count in their order, so the outcome does not depend on how many run at a time.
      let next = begin..<min(begin + replay.jobs, baseline.endIndex)
      let needed = next.filter { isNeeded($0, lacking) }
      let pictures = changed.pictures(watching: tile, repetitions: needed, at: moment)
      for repetition in next {
        tried += 1
        guard isNeeded(repetition, lacking), let place = needed.firstIndex(of: repetition) else { continue }
        let (before, after) = (baseline[repetition], pictures[place])
        let old = before[tile.viewer][tile.source].cut(to: requested)
        let own = after[tile.viewer][tile.source].cut(to: requested)
        lacking.add(own, old)
        if !old.hasLess(toMendThan: explained, of: requested) { alike.add(own, old) }
        if isLost(alike) { return }
        compare(before, after)
      }
      begin = next.upperBound
    }
  }

  private mutating func compare(_ before: [[ReplayedPicture]], _ after: [[ReplayedPicture]]) {
    compared += 1
    for viewer in after.indices {
      for source in after[viewer].indices {
        if before[viewer][source].isMore(than: after[viewer][source]) { losses[viewer][source] += 1 }
        if after[viewer][source].isMore(than: before[viewer][source]) { gains[viewer][source] += 1 }
      }
    }
  }

  /// Repetitions by which the remedy is judged: all that lack anything, or, if it does not help these reliably, those that
  /// are no better than the explained one, of which there may be others with causes of their own.
  package var judged: Count {
    lacking.holds((19, 20), tried: tried) || !holdsAlike((19, 20)) ? lacking : alike
  }

  /// Set if ``judged`` leaves out repetitions that lack something, too.
  package var isOfThoseAlike: Bool { judged.repetitions < lacking.repetitions }

  /// Indicates whether the remedy helps in at least nine of ten repetitions that lack anything, if half of all do, or of
  /// those that are no better, if three of four are.
  package var holds: Bool { lacking.holds((9, 10), tried: tried) || holdsAlike((9, 10)) }

  /// Indicates whether the remedy helps in at least nineteen of twenty of these.
  package var isConfirmed: Bool { lacking.holds((19, 20), tried: tried) || holdsAlike((19, 20)) }

  /// Checks the repetitions that are no better, if three of four are: where the explained run is an exception, a change
  /// helps by being another run.
  private func holdsAlike(_ share: (of: Int, per: Int)) -> Bool {
    alike.holds(share, if: (3, 4), tried: tried)
  }

  /// Indicates whether the remedy helps in at least three of four.
  package var isFrequent: Bool { lacking.holds((3, 4), tried: tried) }

  /// Adds a trial of the same remedy over further repetitions.
  package mutating func add(_ further: RemedyTrial) {
    lacking.add(further.lacking)
    alike.add(further.alike)
    tried += further.tried
    compared += further.compared
    for viewer in losses.indices {
      for source in losses[viewer].indices {
        losses[viewer][source] += further.losses[viewer][source]
        gains[viewer][source] += further.gains[viewer][source]
      }
    }
  }

  /// Tiles that lose a layer in at least half of the repetitions, and gain one in at most a third as many: where the
  /// meeting takes another course, a tile may have less by chance [our model].
  package var losers: [TilePlace] {
    losses.indices.flatMap { viewer in
      losses[viewer].indices.filter {
        losses[viewer][$0] * 2 >= compared && gains[viewer][$0] * 3 <= losses[viewer][$0]
      }.map { TilePlace(viewer: viewer, source: $0) }
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
  /// Set if more than a tenth of the frames of a watched tile are missing, as where its key frame came late [our model].
  package var isShort = false
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
    guard let format, !isDark, !isBroken, !isShort, frozen == .zero else { return false }
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
    return other.isBroken && !isBroken || other.isShort && !isShort || isSmoother(than: other)
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
