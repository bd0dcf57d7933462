package import Quantity

/// Requested and shown pixels of a tile over the intervals in which it was requested, on the screen and not muted; in
/// constant memory.
package struct VisibleSummary: Sendable {
  /// Length of the intervals in which the tile was requested, on the screen and not muted.
  package private(set) var time = SimDuration.zero
  /// Length of the intervals in which both the requested height and frame rate were shown.
  private var timeAsAsked = SimDuration.zero
  /// Distinct requests, in order of first occurrence.
  package private(set) var requests: [Request] = []
  package private(set) var bytes: Int64 = 0
  package private(set) var freezeCount: Int64 = 0
  package private(set) var freezesDuration = SimDuration.zero
  /// Requested pixels, in units that cancel out [px² x 1/1000 Hz x ns].
  package private(set) var wanted: Int128 = 0
  /// Shown pixels of those requested, in the unit of ``wanted``.
  package private(set) var delivered: Int128 = 0
  /// Missing pixels by the limitation that the interval's row states.
  package private(set) var missing: [(limitation: String, pixels: Int128)] = []
  package private(set) var course = DeliveryCourse()

  package init() {}

  /// A requested height and frame rate, with what was shown while it held.
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

  /// Request that held for the longest time.
  package var mainRequest: Request? { requests.max { $0.time < $1.time } }

  /// Adds an interval if the tile was visible in it.
  ///
  /// - Parameter bins: bins of the course that the interval covers.
  /// - Returns: the requested and the shown pixels; `nil` if the tile was not visible.
  mutating func add(
    _ row: StreamRow, length: SimDuration, bins: Range<Int>
  ) -> (wanted: Int128, delivered: Int128)? {
    guard row.isVisible, let requestedHeight = row.requestedHeight else { return nil }
    let height = row.frame?.height ?? 0
    let milliFrames = row.requestedMilliFrames ?? 0
    let pixels = PixelShortfall(
      requestedHeight: requestedHeight, requestedMilliFrames: milliFrames, height: height, frames: row.frames,
      over: length)
    time += length
    if pixels.missing == 0 { timeAsAsked += length }
    let place = place(of: requestedHeight, milliFrames)
    requests[place].time += length
    requests[place].frames += Int64(row.frames)
    requests[place].heights.add(height, for: length)
    bytes += row.bytes
    freezeCount += Int64(row.freezeCount)
    freezesDuration += row.freezesDuration
    wanted += pixels.wanted
    delivered += pixels.shown
    if pixels.missing > 0 { note(pixels.missing, missingBy: row.limitation) }
    course.add(wanted: pixels.wanted, delivered: pixels.shown, to: bins)
    return (pixels.wanted, pixels.shown)
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

  /// Fraction of the visible time at the requested height and frame rate [1/1000].
  package var thousandthsAsAsked: Int {
    time > .zero ? Int(Int128(timeAsAsked.nanoseconds) * 1000 / Int128(time.nanoseconds)) : 0
  }
}

extension StreamRow {
  /// `true` if the viewer would see the tile if it arrived: it is requested, on the screen and not muted.
  var isVisible: Bool {
    (requestedHeight ?? 0) > 0 && state != .hidden && state != .muted
      && limitation != "off-screen" && limitation != "muted"
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
