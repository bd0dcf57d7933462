package import Quantity

/// Summary of one viewer's tile of one source over a whole run, in constant memory.
package struct TileSummary: Sendable {
  /// Number of intervals in which the tile was requested.
  package private(set) var intervals = 0
  /// Length of the intervals in which the tile was off the screen, while viewer and source were in the meeting.
  package private(set) var timeOffScreen = SimDuration.zero
  /// Bytes received while the tile was requested, whether on or off the screen.
  package private(set) var bytes: Int64 = 0
  /// Summary of the intervals in which the tile was on the screen and not muted.
  package private(set) var visible = VisibleSummary()

  package init() {}

  /// Adds an interval in which viewer and source were in the meeting.
  ///
  /// - Parameters:
  ///   - captureRate: frame rate of the source's capture, as planned [1/1000 Hz].
  ///   - bins: bins of a ``DeliveryCourse`` that the interval covers.
  /// - Returns: the pixels of the tile on the screen; `nil` if it was not visible.
  mutating func add(
    _ row: StreamRow, captureRate: Int, length: SimDuration, bins: Range<Int>
  ) -> PixelShortfall? {
    if row.limitation == "off-screen" { timeOffScreen += length }
    guard row.requestedHeight != nil else { return nil }
    intervals += 1
    bytes += row.bytes
    return visible.add(row, captureRate: captureRate, length: length, bins: bins)
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
  /// Frame rates of the sources' captures, as planned [1/1000 Hz].
  private let captureRates: [Int]
  private let duration: SimDuration

  package init(tileCount: Int, viewerCount: Int, captureRates: [Int], duration: SimDuration) {
    tiles = Array(repeating: TileSummary(), count: tileCount)
    viewerCourses = Array(repeating: DeliveryCourse(), count: viewerCount)
    sourceCourses = Array(repeating: DeliveryCourse(), count: captureRates.count)
    self.captureRates = captureRates
    self.duration = duration
  }

  /// Adds the interval that ends now to a tile.
  package mutating func add(_ row: StreamRow, tile: Int, at now: SimTime, interval: SimDuration) {
    let whole = Double(max(1, duration.nanoseconds))
    let bins = DeliveryCourse.bins(
      from: Double((now - interval).nanoseconds) / whole, to: Double(now.nanoseconds) / whole)
    let rate = captureRates[row.source]
    guard let pixels = tiles[tile].add(row, captureRate: rate, length: interval, bins: bins) else { return }
    viewerCourses[row.viewer].add(pixels, to: bins)
    sourceCourses[row.source].add(pixels, to: bins)
  }
}
