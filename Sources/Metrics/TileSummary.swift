package import Quantity

/// Summary of one viewer's tile of one source over a whole run, in constant memory.
package struct TileSummary: Sendable {
  /// Intervals in which the tile was requested.
  package private(set) var intervals = 0
  /// Their length, and that of those among them in which the requested height was shown.
  package private(set) var requestedTime = SimDuration.zero
  private var timeAsAsked = SimDuration.zero
  package private(set) var bytes: Int64 = 0
  package private(set) var frames: Int64 = 0
  package private(set) var packetsLost: Int64 = 0
  package private(set) var freezeCount: Int64 = 0
  package private(set) var freezesDuration = SimDuration.zero
  /// Sum of scores times the lengths of their intervals [1/100 x ns], and the sum of these lengths.
  private var scoreSum = Int128(0)
  private var scoredTime = SimDuration.zero
  /// The last request.
  package private(set) var requestedHeight = 0
  package private(set) var requestedMilliFrames = 0
  package var firstFrameDelay: SimDuration?
  package var frameDelaySum: Int64 = 0
  package var frameDelayMaximum: Int64 = 0

  /// Frame heights with the time for which they were shown; few, as they come from a ladder.
  private var heights: [(height: Int, time: SimDuration)] = []
  /// Last height in each of ``TileSummary/bins`` equal parts of the run; -1 where the tile was not requested.
  package private(set) var course = [Int16](repeating: -1, count: TileSummary.bins)
  package static let bins = 40

  package init() {}

  /// Adds an interval in which the tile was requested; `start` and `end` are fractions of the run, 0 to 1.
  package mutating func add(
    _ row: StreamRow, length: SimDuration, from start: Double, to end: Double
  ) {
    intervals += 1
    requestedTime += length
    let height = row.frame?.height ?? 0
    if let place = heights.firstIndex(where: { $0.height == height }) {
      heights[place].time += length
    } else {
      heights.append((height, length))
    }
    requestedHeight = row.requestedHeight ?? 0
    requestedMilliFrames = row.requestedMilliFrames ?? 0
    if height > 0, height >= requestedHeight { timeAsAsked += length }
    bytes += row.bytes
    frames += Int64(row.frames)
    packetsLost += Int64(row.packetsLost)
    freezeCount += Int64(row.freezeCount)
    freezesDuration += row.freezesDuration
    if let score = row.hundredthsOfMOS {
      scoreSum += Int128(score) * Int128(length.nanoseconds)
      scoredTime += length
    }
    let last = TileSummary.bins - 1
    let first = min(last, Int(start * Double(TileSummary.bins) + 0.5))
    for bin in first...max(first, min(last, Int(end * Double(TileSummary.bins) + 0.5) - 1)) {
      course[bin] = Int16(height)
    }
  }

  /// Mean score [1/100]; `nil` without any.
  package var meanScore: Int64? {
    scoredTime > .zero ? Int64(scoreSum / Int128(scoredTime.nanoseconds)) : nil
  }

  /// Lower median of the height over the requested time.
  package var medianHeight: Int {
    var seen = SimDuration.zero
    for entry in heights.sorted(by: { $0.height < $1.height }) {
      seen += entry.time
      if seen * 2 >= requestedTime { return entry.height }
    }
    return 0
  }

  /// Fraction of the requested time at the requested height [1/1000].
  package var thousandthsAsAsked: Int {
    requestedTime > .zero ? Int(timeAsAsked.nanoseconds * 1000 / requestedTime.nanoseconds) : 0
  }
}

/// Summaries of all tiles, by track number.
package struct TileSummaries: Sendable {
  package var tiles: [TileSummary?]
  private let duration: SimDuration

  package init(tileCount: Int, duration: SimDuration) {
    tiles = Array(repeating: nil, count: tileCount)
    self.duration = duration
  }

  /// Adds the interval that ends now to a tile.
  package mutating func add(_ row: StreamRow, tile: Int, at now: SimTime, interval: SimDuration) {
    if tiles[tile] == nil { tiles[tile] = TileSummary() }
    let whole = Double(max(1, duration.nanoseconds))
    tiles[tile]?.add(
      row, length: interval, from: Double((now - interval).nanoseconds) / whole,
      to: Double(now.nanoseconds) / whole)
  }
}
