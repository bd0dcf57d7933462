/// Reception of each tile of one viewer, second by second, recorded or simulated.
package struct TileCourse: Equatable, Sendable {
  /// Cumulative counters of a tile's receiver, and its current height.
  package struct Counters: Equatable, Sendable {
    /// W3C `bytesReceived` + `headerBytesReceived`: payload, RTP headers and padding, repairs included [byte].
    package var bytes: Double
    /// W3C `packetsLost`.
    package var lost: Double
    /// W3C `framesDecoded`.
    package var frames: Double
    /// Current W3C `frameHeight` [px].
    package var height: Double
    /// W3C `totalFreezesDuration` [s].
    package var frozen: Double
    /// W3C `keyFramesDecoded`.
    package var keyFrames: Double

    package init(
      bytes: Double, lost: Double, frames: Double, height: Double, frozen: Double, keyFrames: Double = 0
    ) {
      self.keyFrames = keyFrames
      self.bytes = bytes
      self.lost = lost
      self.frames = frames
      self.height = height
      self.frozen = frozen
    }
  }

  /// Increments since the tile's previous row.
  package struct Row: Equatable, Sendable {
    /// Time since the viewer joined [s].
    package var time: Double
    package var tile: Int
    package var bits: Double
    package var frames: Double
    /// Height [px]; 0 if no frame was decoded.
    package var height: Double
    package var lost: Double
    package var frozen: Double
    package var keyFrames = 0.0
  }

  /// Rates of the sender's spatial layers; empty if unknown.
  package var layers = LayerCourse()
  package private(set) var rows: [Row] = []
  private var last: [Counters?] = []

  package init() {}

  /// Number of tiles with any row.
  package var tileCount: Int { last.count { $0 != nil } }
  /// Time of the last row [s]; 0 without any.
  package var end: Double { rows.last?.time ?? 0 }

  /// Adds a tile's counters, which are zero before its first row.
  ///
  /// A falling frame count adds none; other counters may fall, as `packetsLost` does when late packets arrive.
  package mutating func add(_ counters: Counters, of tile: Int, at time: Double) {
    while last.count <= tile { last.append(nil) }
    let before = last[tile] ?? Counters(bytes: 0, lost: 0, frames: 0, height: 0, frozen: 0)
    let frames = max(counters.frames - before.frames, 0)
    rows.append(
      Row(
        time: time, tile: tile, bits: (counters.bytes - before.bytes) * 8, frames: frames,
        height: frames > 0 ? counters.height : 0, lost: counters.lost - before.lost,
        frozen: counters.frozen - before.frozen, keyFrames: counters.keyFrames - before.keyFrames))
    last[tile] = counters
  }

  /// Time at which the last tile showed its first frame [s]; 99 if one never did.
  package var allShown: Double {
    var first = [Double?](repeating: nil, count: last.count)
    for row in rows where row.frames > 0 && first[row.tile] == nil { first[row.tile] = row.time }
    let shown = first.compactMap { $0 }
    return shown.count == tileCount ? shown.max() ?? Self.never : Self.never
  }

  package static let never = 99.0
}
