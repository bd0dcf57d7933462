package import Quantity

/// Summary of one viewer's tile of one source over a whole run, in constant memory.
package struct TileSummary: Sendable {
  /// Number of intervals in which the client's subscriptions had the source.
  package private(set) var intervals = 0
  /// Length of the intervals in which the tile was off the screen, while viewer and source were in the meeting.
  package private(set) var timeOffScreen = SimDuration.zero
  /// Time from the first moment at which the tile could be seen to its first frame; `nil` before that.
  package var firstFrameDelay: SimDuration?
  /// Longest time from a coming on the screen to the first frame from then on, or without one; `nil` if there was none.
  package private(set) var longestPictureDelay: SimDuration?
  /// Bytes received, whether the tile was on or off the screen.
  package private(set) var bytes: Int64 = 0
  /// Summary of the intervals in which the tile was on the screen and not muted.
  package private(set) var visible = VisibleSummary()

  /// Part of a second on the screen that the next interval may continue.
  private var open: Stretch?

  package init() {}

  /// Time on the screen that is judged as a whole: an interval, or a second of shorter ones.
  package struct Stretch: Sendable {
    var row: StreamRow
    var length: SimDuration
    /// Bins of a ``DeliveryCourse`` that it covers.
    var bins: Range<Int>

    /// Length at which it is complete. In less a frame rate cannot be judged, whatever the interval of the tables.
    static let whole = SimDuration.seconds(1)

    /// Checks whether the next interval of the same tile can continue it.
    fileprivate func takes(_ next: Stretch) -> Bool {
      next.row.isVisible && row.isAlike(next.row) && length + next.length <= Self.whole
    }

    fileprivate mutating func append(_ next: Stretch) {
      row.append(next.row)
      row.hundredthsOfMOS = nil
      length += next.length
      bins = min(bins.lowerBound, next.bins.lowerBound)..<max(bins.upperBound, next.bins.upperBound)
    }
  }

  /// Notes an interval in which viewer and source were in the meeting, whether or not the tile was on the screen.
  mutating func note(_ next: Stretch) {
    if next.row.limitation == "off-screen" { timeOffScreen += next.length }
    bytes += next.row.bytes
    if next.row.isSubscribed { intervals += 1 }
  }

  /// Notes that a tile that was off the screen comes on it in an interval, of which it was off it for a time.
  package mutating func comeOnScreen(after time: SimDuration) {
    // A client's first layout takes a moment, in which nothing is off its screen.
    if timeOffScreen > .zero { timeOffScreen += time }
  }

  package mutating func notePicture(after delay: SimDuration) {
    longestPictureDelay = max(longestPictureDelay ?? .zero, delay)
  }

  /// Returns the open stretch, if any, unless the next interval continues it.
  mutating func takeEnded(by next: Stretch) -> Stretch? {
    open.map { $0.takes(next) } ?? false ? nil : takeOpen()
  }

  /// Continues the open stretch with an interval, or begins with it; one off the screen ends the visit.
  mutating func follow(_ next: Stretch) {
    guard next.row.isVisible else { return visible.leaveScreen() }
    visible.noteFreezes(of: next.row, for: next.length)
    if open == nil { open = next } else { open?.append(next) }
  }

  /// Returns the open stretch if it is complete.
  mutating func takeComplete() -> Stretch? {
    open.map { $0.length >= Stretch.whole } ?? false ? takeOpen() : nil
  }

  /// Returns the open stretch, if any, and begins anew.
  mutating func takeOpen() -> Stretch? {
    defer { open = nil }
    return open
  }

  /// Adds a stretch on the screen.
  ///
  /// - Parameter captureRate: frame rate of the source's capture, as planned [1/1000 Hz].
  /// - Returns: the pixels of the tile on the screen; `nil` if it was not visible.
  mutating func count(_ stretch: Stretch, captureRate: Int) -> PixelShortfall? {
    visible.add(stretch.row, captureRate: captureRate, length: stretch.length, bins: stretch.bins)
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
  ///
  /// - Parameter interval: its length, or the part of it in which the tile could be seen.
  package mutating func add(_ row: StreamRow, tile: Int, at now: SimTime, interval: SimDuration) {
    let whole = Double(max(1, duration.nanoseconds))
    let bins = DeliveryCourse.bins(
      from: Double((now - interval).nanoseconds) / whole, to: Double(now.nanoseconds) / whole)
    let next = TileSummary.Stretch(row: row, length: interval, bins: bins)
    tiles[tile].note(next)
    if let ended = tiles[tile].takeEnded(by: next) { count(ended, tile: tile) }
    tiles[tile].follow(next)
    if let complete = tiles[tile].takeComplete() { count(complete, tile: tile) }
  }

  /// Adds the stretches that are still open at the end of the meeting.
  package mutating func finish() {
    for tile in tiles.indices {
      if let open = tiles[tile].takeOpen() { count(open, tile: tile) }
    }
  }

  private mutating func count(_ stretch: TileSummary.Stretch, tile: Int) {
    let rate = captureRates[stretch.row.source]
    guard let pixels = tiles[tile].count(stretch, captureRate: rate) else { return }
    viewerCourses[stretch.row.viewer].add(pixels, to: stretch.bins)
    sourceCourses[stretch.row.source].add(pixels, to: stretch.bins)
  }
}
