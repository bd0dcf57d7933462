import Allocation
import Ladder
import Quantity
import SimulationKernel

/// What one tile showed by its last row, for whoever repeats a run.
struct WatchedTile {
  let track: Int
  private(set) var last: Row?

  /// A row of `streams.csv`.
  struct Row {
    let at: SimTime
    let limitation: Limitation
    /// What was decoded in the interval; `nil` for nothing.
    let shown: VideoFormat?
    /// Whether fewer than half of the frames came that were asked for and given.
    let isBroken: Bool
  }

  init(track: Int) { self.track = track }

  mutating func note(_ tile: Recording.Tile, at now: SimTime, interval: SimDuration) {
    guard tile.track == track else { return }
    let rate = Int((Double(tile.reception.interval.frames) / interval.seconds * 1000).rounded())
    let asked = tile.asked?.requested.milliFramesPerSecond ?? 0
    let expected = min(asked, tile.grant?.layer?.format.milliFramesPerSecond ?? asked)
    last = Row(
      at: now, limitation: tile.limitation,
      shown: tile.frame.map { VideoFormat($0, milliFramesPerSecond: rate) },
      isBroken: rate * 2 < expected)
  }
}
