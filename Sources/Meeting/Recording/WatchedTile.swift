import Allocation
import Ladder
import Quantity
import Serving
import SimulationKernel
import Viewing

/// State of one tile in its last row, for a repeated run.
struct WatchedTile {
  let track: Int
  private(set) var last: Row?

  /// A row of `streams.csv`.
  struct Row {
    let at: SimTime
    let limitation: Limitation
    /// Decoded format in the interval; `nil` for none.
    let shown: VideoFormat?
    /// Set if fewer than half of the requested and allocated frames arrived.
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
