import Allocation
package import Quantity

/// Summary, in constant memory, of the intervals in which a tile was requested, on the screen and not muted: the
/// experience of the person in front of the screen.
package struct VisibleSummary: Sendable {
  /// Length of the intervals.
  package private(set) var time = SimDuration.zero
  /// Length of the intervals in which both the requested height and frame rate were shown.
  private var timeAsAsked = SimDuration.zero
  /// Length of the intervals in which the requested height was shown.
  private var timeAtHeight = SimDuration.zero
  /// Distinct requests, in order of first occurrence.
  package private(set) var requests: [Request] = []
  private var heights = HeightTimes()
  package private(set) var bytes: Int64 = 0
  /// Bytes of the decoded frames, without repairs.
  package private(set) var decodedBytes: Int64 = 0
  package private(set) var frames: Int64 = 0
  package private(set) var keyFrames: Int64 = 0
  package private(set) var packetsLost: Int64 = 0
  private var freezes = FreezeTotal()
  /// Length of the intervals without a frame, unless it is the source that produces none.
  package private(set) var timeWithoutFrames = SimDuration.zero
  /// Sum of scores times the lengths of their intervals [1/100 x ns].
  private var scoreSum = Int128(0)
  package private(set) var frameTimes = FrameTimes()
  /// Pixels relative to those of the tile on the screen.
  package private(set) var ofScreen = PixelSum()
  /// Pixels relative to those requested.
  package private(set) var ofRequest = PixelSum()
  /// Pixels missing from the tile on the screen, by the limitation in the interval's row; `request` if everything
  /// requested was shown.
  package private(set) var missing: [(limitation: String, pixels: Int128)] = []
  package private(set) var course = DeliveryCourse()

  package init() {}

  /// A requested height and frame rate, with what was shown while it was active.
  package struct Request: Sendable {
    package let height: Int
    /// Frame rate [1/1000 Hz]; 0 if none was stated.
    package let milliFrames: Int
    package fileprivate(set) var time = SimDuration.zero
    package fileprivate(set) var frames: Int64 = 0
    fileprivate var heights = HeightTimes()

    /// Lower median of the height over the time of the request.
    package var medianHeight: Int { heights.median }
  }

  /// Request that was active for the longest time.
  package var mainRequest: Request? { requests.max { $0.time < $1.time } }

  /// Score of an interval without a picture: the minimum of the scale [1/100].
  private static let darkScore = 100

  /// Adds the freezes of an interval on the screen: these count by intervals, while frame rates are judged by seconds.
  mutating func noteFreezes(of row: StreamRow, for length: SimDuration) {
    if row.requestedHeight != nil { freezes.add(row, for: length) }
  }

  /// Notes that the tile is off the screen, or muted.
  mutating func leaveScreen() { freezes.leaveScreen() }

  /// Adds an interval in which the tile was visible.
  ///
  /// - Parameters:
  ///   - captureRate: frame rate of the source's capture, as planned [1/1000 Hz].
  ///   - bins: bins of the course that the interval covers.
  /// - Returns: the pixels of the tile on the screen; `nil` if it was not requested.
  mutating func add(
    _ row: StreamRow, captureRate: Int, length: SimDuration, bins: Range<Int>
  ) -> PixelShortfall? {
    guard let requestedHeight = row.requestedHeight else { return nil }
    let height = row.frame?.height ?? 0
    let milliFrames = row.requestedMilliFrames ?? 0
    let requested = PixelShortfall(
      requestedHeight: requestedHeight, requestedMilliFrames: milliFrames, height: height, frames: row.frames,
      over: length)
    let onScreen = row.pixelsOfScreen(captureRate, over: length) ?? requested
    time += length
    if requested.missing == 0 { timeAsAsked += length }
    if height >= requestedHeight { timeAtHeight += length }
    let place = place(of: requestedHeight, milliFrames)
    requests[place].time += length
    requests[place].frames += Int64(row.frames)
    requests[place].heights.add(height, for: length)
    heights.add(height, for: length)
    bytes += row.bytes
    decodedBytes += row.decodedBytes
    frames += Int64(row.frames)
    if row.frames == 0, row.limitation != Limitation.sender.rawValue { timeWithoutFrames += length }
    keyFrames += Int64(row.keyFramesDecoded)
    packetsLost += Int64(row.packetsLost)
    let score = row.hundredthsOfMOS ?? row.score(over: length).map { Int(($0 * 100).rounded()) }
    scoreSum += Int128(score ?? Self.darkScore) * Int128(length.nanoseconds)
    frameTimes.add(row.frameTimes)
    ofScreen.add(onScreen)
    ofRequest.add(requested)
    if onScreen.missing > 0 {
      note(onScreen.missing, missingBy: requested.missing > 0 ? row.limitation : "request")
    }
    course.add(onScreen, to: bins)
    return onScreen
  }

  private mutating func place(of height: Int, _ milliFrames: Int) -> Int {
    if let place = requests.firstIndex(where: { $0.height == height && $0.milliFrames == milliFrames }) {
      return place
    }
    requests.append(Request(height: height, milliFrames: milliFrames))
    return requests.count - 1
  }

  private mutating func note(_ pixels: Int128, missingBy limitation: String) {
    if let place = missing.firstIndex(where: { $0.limitation == limitation }) {
      missing[place].pixels += pixels
    } else {
      missing.append((limitation, pixels))
    }
  }

  // MARK: Freezes

  /// Number of freezes, including one that has not ended.
  package var freezeCount: Int64 { freezes.count }
  /// Time in freezes, including one that has not ended.
  package var freezesDuration: SimDuration { freezes.duration }

  // MARK: Means

  /// Fraction of the visible time at the requested height and frame rate [1/1000].
  package var thousandthsAsAsked: Int { thousandths(timeAsAsked) }

  /// Fraction of the visible time at the requested height [1/1000].
  package var thousandthsAtHeight: Int { thousandths(timeAtHeight) }

  private func thousandths(_ part: SimDuration) -> Int {
    time > .zero ? Int(Int128(part.nanoseconds) * 1000 / Int128(time.nanoseconds)) : 0
  }

  /// Lower median of the height over the visible time.
  package var medianHeight: Int { heights.median }

  /// Mean score [1/100]; `nil` for a tile that was never visible.
  package var meanScore: Int64? {
    let nanoseconds = Int128(time.nanoseconds)
    return nanoseconds > 0 ? Int64((scoreSum + nanoseconds / 2) / nanoseconds) : nil
  }
}

extension StreamRow {
  /// Indicates whether the viewer would see the tile if it arrived: it is requested, on the screen and not muted.
  var isVisible: Bool {
    (requestedHeight ?? 0) > 0
      && Self.isOnScreen(state: state.rawValue.utf8, limitation: limitation.utf8)
  }

  /// Checks whether these column values mean that a tile is on the screen and its source not muted.
  package static func isOnScreen(
    state: some Sequence<UInt8>, limitation: some Sequence<UInt8>
  ) -> Bool {
    !unseenStates.contains { state.elementsEqual($0.rawValue.utf8) }
      && !unseenLimitations.contains { limitation.elementsEqual($0.rawValue.utf8) }
  }

  private static let unseenStates = [TileState.hidden, .muted]
  private static let unseenLimitations = [Limitation.offScreen, .muted]

  /// Frame rate from which ITU-T P.1203.1 has no degradation [1/1000 Hz].
  private static let fluentMilliFrames = 24_000

  /// Pixels relative to those of the tile at 24 frames per second, or at the capture's rate if that is lower, which is
  /// the same in every system [our model]; `nil` for a view without tiles, in which requests represent the screen.
  fileprivate func pixelsOfScreen(_ captureRate: Int, over length: SimDuration) -> PixelShortfall? {
    tile.map {
      PixelShortfall(
        pixels: $0.width * $0.height, milliFrames: min(captureRate, Self.fluentMilliFrames),
        shown: (frame?.width ?? 0) * (frame?.height ?? 0), frames: frames, over: length)
    }
  }
}

/// Sums of wanted and shown pixels.
package struct PixelSum: Hashable, Sendable {
  package private(set) var wanted: Int128 = 0
  package private(set) var shown: Int128 = 0

  package init() {}

  package mutating func add(_ pixels: PixelShortfall) {
    wanted += pixels.wanted
    shown += pixels.shown
  }

  package mutating func add(_ other: PixelSum) {
    wanted += other.wanted
    shown += other.shown
  }

  /// Shown share, rounded down [1/1000]; 0 if nothing was wanted.
  package var thousandths: Int { wanted > 0 ? Int(shown * 1000 / wanted) : 0 }
}

/// Delays of decoded frames, numbers of frames dropped or late, and pauses.
package struct FrameTimes: Hashable, Sendable {
  /// Sum of the delays from capture to display [ns].
  package var delays: Int64 = 0
  /// Longest delay from capture to display [ns].
  package var longestDelay: Int64 = 0
  /// Sum of the times in the jitter buffer.
  package var jitterBufferDelay = SimDuration.zero
  package var framesDropped: Int64 = 0
  package var framesLate: Int64 = 0
  /// Duration of the pauses that ended: frames after which the stream became inactive, which the browser does not count
  /// as freezes.
  package var pauses = SimDuration.zero

  package init() {}

  mutating func add(_ other: FrameTimes) {
    delays += other.delays
    longestDelay = max(longestDelay, other.longestDelay)
    jitterBufferDelay += other.jitterBufferDelay
    framesDropped += other.framesDropped
    framesLate += other.framesLate
    pauses += other.pauses
  }
}

/// Heights with the time for which each was shown; few, since they come from a ladder.
struct HeightTimes: Sendable {
  private var entries: [(height: Int, time: SimDuration)] = []

  mutating func add(_ height: Int, for length: SimDuration) {
    if let place = entries.firstIndex(where: { $0.height == height }) {
      entries[place].time += length
    } else {
      entries.append((height, length))
    }
  }

  /// Lower median over time; 0 if there are no heights.
  var median: Int {
    let whole = entries.reduce(SimDuration.zero) { $0 + $1.time }
    var seen = SimDuration.zero
    for entry in entries.sorted(by: { $0.height < $1.height }) {
      seen += entry.time
      if seen * 2 >= whole { return entry.height }
    }
    return 0
  }
}
