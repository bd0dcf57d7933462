/// Minimum and maximum transit time of packets in the last two seconds (libwebrtc `packet_arrival_history.cc`).
///
/// libwebrtc keeps every packet; this keeps eight buckets of 250 ms, the last one being filled, so that the window is
/// 1.75 to 2 s long.
struct ArrivalHistory: BitwiseCopyable {
  private static let bucket: Int64 = 250_000_000
  private static let none = Int32.max

  private var first: Int64 = 0
  private var bucketEnd: Int64 = -1
  /// Minimum transit time over the window, relative to the first packet's [1024 ns].
  private var windowMinimum = ArrivalHistory.none
  /// Maximum transit time over the window, relative to the first packet's [1024 ns].
  private var windowMaximum = -ArrivalHistory.none
  /// Minimum transit time over the current bucket, relative to the first packet's [1024 ns].
  private var bucketMinimum = ArrivalHistory.none
  /// Maximum transit time over the current bucket, relative to the first packet's [1024 ns].
  private var bucketMaximum = -ArrivalHistory.none
  /// Minima of the earlier buckets, the oldest at `next`.
  private var minima = InlineArray<7, Int32>(repeating: ArrivalHistory.none)
  /// Maxima of the earlier buckets, the oldest at `next`.
  private var maxima = InlineArray<7, Int32>(repeating: -ArrivalHistory.none)
  private var next = 0

  init() {}

  /// Adds a packet's transit time [ns].
  @inline(__always)
  mutating func add(transit: Int64, at now: Int64) {
    if now >= bucketEnd { advance(to: now, transit: transit) }
    let relative = Int32(clamping: (transit - first) >> 10)
    if relative < bucketMinimum {
      bucketMinimum = relative
      if relative < windowMinimum { windowMinimum = relative }
    }
    if relative > bucketMaximum {
      bucketMaximum = relative
      if relative > windowMaximum { windowMaximum = relative }
    }
  }

  @inline(never)
  private mutating func advance(to now: Int64, transit: Int64) {
    if bucketEnd < 0 {
      first = transit
      bucketEnd = now
    }
    let buckets = (now - bucketEnd) / Self.bucket + 1
    bucketEnd += buckets * Self.bucket
    for _ in 0..<min(buckets, 8) {
      minima[next] = bucketMinimum
      maxima[next] = bucketMaximum
      next = next == 6 ? 0 : next + 1
      bucketMinimum = Self.none
      bucketMaximum = -Self.none
    }
    windowMinimum = Self.none
    windowMaximum = -Self.none
    for index in 0..<7 {
      windowMinimum = min(windowMinimum, minima[index])
      windowMaximum = max(windowMaximum, maxima[index])
    }
  }

  /// Minimum transit time in the window [ns].
  @inline(__always)
  var minimumTransit: Int64 { first + Int64(windowMinimum) << 10 }

  /// Maximum minus minimum transit time [ns].
  @inline(__always)
  var spread: Int64 { (Int64(windowMaximum) - Int64(windowMinimum)) << 10 }
}
