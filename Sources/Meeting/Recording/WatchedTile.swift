import Allocation
import Ladder
import Metrics
import Quantity
import Serving
import SimulationKernel
import Viewing

/// State of one tile in its last row, in a repeated run, and what arrived of all others in theirs and on its viewer's
/// downlink.
struct WatchedTile {
  /// What arrived of a tile in an interval.
  struct Arrival: BitwiseCopyable {
    /// Set if fewer than a tenth of them arrived, or none [our model].
    var isDark = false
    /// Set if fewer than half of the frames requested and allocated arrived.
    var isBroken = false
  }

  let track: Int
  private let viewer: Int
  private(set) var last: Row?
  /// What arrived on the viewer's downlink in its last row; `nil` before the first.
  private(set) var downlink: Downlink?
  /// Arrivals in the last row of each tile, by track.
  private(set) var arrivals: [Arrival]

  /// A row of `streams.csv`.
  struct Row {
    let at: SimTime
    let limitation: Limitation
    /// Decoded format in the interval; `nil` for none.
    let shown: VideoFormat?
    /// Number of frames decoded in the interval.
    let frames: Int
    /// Set if more than a tenth of those that were requested and allocated are missing.
    let isShort: Bool
    /// Part of the interval in which the tile could be seen.
    let seen: SimDuration
    /// Set if that is not the whole interval.
    let isPartial: Bool
    /// Rate that arrived in the interval.
    let bitrate: BitRate
    /// Percentage of that rate in spatial layers that the shown one is not predicted from.
    let unusedPercent: Int
    /// Time in freezes of at least 200 ms that ended in the interval.
    let frozen: SimDuration
  }

  /// A part of a row of `participants.csv`.
  struct Downlink {
    /// Rate of everything that arrived.
    let total: BitRate
    /// Rate of the voices in it.
    let voices: BitRate
  }

  init(track: Int, viewer: Int, of tracks: Int) {
    self.track = track
    self.viewer = viewer
    arrivals = Array(repeating: Arrival(), count: tracks)
  }

  mutating func note(_ tile: Recording.Tile, at now: SimTime, interval: SimDuration) {
    let frames = Int(tile.reception.interval.frames)
    let asked = tile.asked?.requested.milliFramesPerSecond ?? 0
    let expected = min(asked, tile.grant?.layer?.format.milliFramesPerSecond ?? asked)
    let due = Double(expected) / 1000 * tile.seen.seconds
    arrivals[tile.track] = Arrival(
      isDark: tile.frame == nil || Double(frames) < due / 10, isBroken: Double(frames) < due / 2)
    guard tile.track == track else { return }
    let rate = Int((Double(frames) / interval.seconds * 1000).rounded())
    let bytes = tile.reception.interval.bytes
    let frozen = tile.reception.freezeTimeInInterval
    last = Row(
      at: now, limitation: tile.limitation,
      shown: tile.frame.map { VideoFormat($0, milliFramesPerSecond: rate) }, frames: frames,
      isShort: Double(frames) * 10 < due * 9, seen: tile.seen,
      isPartial: tile.seen < interval,
      bitrate: BitRate(bytes: bytes, in: interval),
      unusedPercent: Int(tile.reception.interval.unusedBytes * 100 / max(bytes, 1)),
      frozen: frozen >= FrameCourse.least ? frozen : .zero)
  }

  mutating func note(_ row: ParticipantRow, interval: SimDuration) {
    guard row.participant == viewer else { return }
    downlink = Downlink(
      total: BitRate(bytes: row.down.bytes, in: interval),
      voices: BitRate(bytes: row.audioBytes, in: interval))
  }
}
