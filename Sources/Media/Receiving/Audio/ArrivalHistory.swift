/// The shortest and the longest way that packets had in the last two seconds (libwebrtc `packet_arrival_history.cc`).
///
/// libwebrtc looks at every packet; we at eight blocks of 250 ms, the last of which is growing, so that the window is
/// 1.75 to 2 s long.
struct ArrivalHistory: BitwiseCopyable {
  private static let block: Int64 = 250_000_000
  private static let none = Int32.max

  private var first: Int64 = 0
  private var blockEnd: Int64 = -1
  // [1024 ns], against the first packet's way: of the whole window, and of the block that is growing.
  private var windowShortest = ArrivalHistory.none
  private var windowLongest = -ArrivalHistory.none
  private var blockShortest = ArrivalHistory.none
  private var blockLongest = -ArrivalHistory.none
  /// The blocks before, the oldest at `next`.
  private var shortest = InlineArray<7, Int32>(repeating: ArrivalHistory.none)
  private var longest = InlineArray<7, Int32>(repeating: -ArrivalHistory.none)
  private var next = 0

  init() {}

  /// Takes a packet; the way is [ns].
  @inline(__always)
  mutating func add(way: Int64, at now: Int64) {
    if now >= blockEnd { turn(to: now, way: way) }
    let relative = Int32(clamping: (way - first) >> 10)
    if relative < blockShortest {
      blockShortest = relative
      if relative < windowShortest { windowShortest = relative }
    }
    if relative > blockLongest {
      blockLongest = relative
      if relative > windowLongest { windowLongest = relative }
    }
  }

  @inline(never)
  private mutating func turn(to now: Int64, way: Int64) {
    if blockEnd < 0 {
      first = way
      blockEnd = now
    }
    let turns = (now - blockEnd) / Self.block + 1
    blockEnd += turns * Self.block
    for _ in 0..<min(turns, 8) {
      shortest[next] = blockShortest
      longest[next] = blockLongest
      next = next == 6 ? 0 : next + 1
      blockShortest = Self.none
      blockLongest = -Self.none
    }
    windowShortest = Self.none
    windowLongest = -Self.none
    for index in 0..<7 {
      windowShortest = min(windowShortest, shortest[index])
      windowLongest = max(windowLongest, longest[index])
    }
  }

  /// The shortest way in the window [ns].
  @inline(__always)
  var shortestWay: Int64 { first + Int64(windowShortest) << 10 }

  /// How much longer than that the longest was [ns].
  @inline(__always)
  var spread: Int64 { (Int64(windowLongest) - Int64(windowShortest)) << 10 }
}
