package import Quantity

/// Summary of one viewer's tile of one source over a whole run, in constant memory.
package struct TileSummary: Sendable {
  /// Intervals in which the tile was requested.
  package private(set) var intervals = 0
  /// Length of the intervals in which the tile was requested.
  package private(set) var requestedTime = SimDuration.zero
  /// Length of the intervals in which the requested height was shown.
  private var timeAsAsked = SimDuration.zero
  package private(set) var bytes: Int64 = 0
  /// Bytes of the decoded frames, without repairs.
  package private(set) var decodedBytes: Int64 = 0
  package private(set) var frames: Int64 = 0
  package private(set) var packetsLost: Int64 = 0
  package private(set) var freezeCount: Int64 = 0
  package private(set) var freezesDuration = SimDuration.zero
  /// Sum of scores times the lengths of their intervals [1/100 x ns].
  private var scoreSum = Int128(0)
  /// Length of the intervals that have a score.
  private var scoredTime = SimDuration.zero
  /// Height of the last request [px].
  package private(set) var requestedHeight = 0
  /// Frame rate of the last request [1/1000 Hz].
  package private(set) var requestedMilliFrames = 0
  package var firstFrameDelay: SimDuration?
  package var frameDelaySum: Int64 = 0
  package var frameDelayMaximum: Int64 = 0

  private var heights = HeightTimes()
  /// Summary of the intervals in which the tile was on the screen and not muted.
  package private(set) var visible = VisibleSummary()

  package init() {}

  /// Adds an interval in which the tile was requested.
  ///
  /// - Parameter bins: bins of a ``DeliveryCourse`` that the interval covers.
  /// - Returns: the requested and the shown pixels; `nil` if the tile was not visible.
  @discardableResult
  mutating func add(
    _ row: StreamRow, length: SimDuration, bins: Range<Int>
  ) -> (wanted: Int128, delivered: Int128)? {
    intervals += 1
    requestedTime += length
    let height = row.frame?.height ?? 0
    heights.add(height, for: length)
    requestedHeight = row.requestedHeight ?? 0
    requestedMilliFrames = row.requestedMilliFrames ?? 0
    if height > 0, height >= requestedHeight { timeAsAsked += length }
    bytes += row.bytes
    decodedBytes += row.decodedBytes
    frames += Int64(row.frames)
    packetsLost += Int64(row.packetsLost)
    freezeCount += Int64(row.freezeCount)
    freezesDuration += row.freezesDuration
    if let score = row.hundredthsOfMOS {
      scoreSum += Int128(score) * Int128(length.nanoseconds)
      scoredTime += length
    }
    return visible.add(row, length: length, bins: bins)
  }

  /// Mean score [1/100]; `nil` if there are no scores.
  package var meanScore: Int64? {
    scoredTime > .zero ? Int64(scoreSum / Int128(scoredTime.nanoseconds)) : nil
  }

  /// Lower median of the height over the requested time.
  package var medianHeight: Int { heights.median }

  /// Fraction of the requested time at the requested height [1/1000].
  package var thousandthsAsAsked: Int {
    requestedTime > .zero ? Int(timeAsAsked.nanoseconds * 1000 / requestedTime.nanoseconds) : 0
  }
}

/// Summaries of all tiles, by track number.
package struct TileSummaries: Sendable {
  /// Summaries; a tile that was never requested has no intervals.
  package var tiles: [TileSummary]
  /// Delivery over time to each viewer.
  package private(set) var viewerCourses: [DeliveryCourse]
  /// Delivery over time of each source to its viewers.
  package private(set) var sourceCourses: [DeliveryCourse]
  private let duration: SimDuration

  package init(tileCount: Int, viewerCount: Int, sourceCount: Int, duration: SimDuration) {
    tiles = Array(repeating: TileSummary(), count: tileCount)
    viewerCourses = Array(repeating: DeliveryCourse(), count: viewerCount)
    sourceCourses = Array(repeating: DeliveryCourse(), count: sourceCount)
    self.duration = duration
  }

  /// Adds the interval that ends now to a tile.
  package mutating func add(_ row: StreamRow, tile: Int, at now: SimTime, interval: SimDuration) {
    let whole = Double(max(1, duration.nanoseconds))
    let bins = DeliveryCourse.bins(
      from: Double((now - interval).nanoseconds) / whole, to: Double(now.nanoseconds) / whole)
    guard let pixels = tiles[tile].add(row, length: interval, bins: bins) else { return }
    viewerCourses[row.viewer].add(wanted: pixels.wanted, delivered: pixels.delivered, to: bins)
    sourceCourses[row.source].add(wanted: pixels.wanted, delivered: pixels.delivered, to: bins)
  }
}
