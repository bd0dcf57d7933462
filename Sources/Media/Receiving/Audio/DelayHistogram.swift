/// Histogram of the relative packet delay, and its 95th percentile as the target delay (libwebrtc `neteq/histogram.cc`,
/// `underrun_optimizer.cc`): the maximum delay of every 500 ms goes into buckets of 20 ms, with a forget factor of
/// 0.983, smaller at first.
///
/// Instead of scaling down all buckets, the added weight grows, so that an update touches one of them. libwebrtc's
/// additional delay for reordered packets, 20 ms per percent of them, is not modelled.
struct DelayHistogram: BitwiseCopyable {
  private static let bucket: Int64 = 20_000_000
  private static let interval: Int64 = 500_000_000
  private static let count = 100
  private static let forget: Float = 0.983
  /// libwebrtc's `start_forget_weight`.
  private static let startWeight: Float = 2
  /// Fraction of delays that may exceed the target.
  private static let above: Float = 0.05
  /// Initial target [ns].
  private static let start: Int64 = 80_000_000
  /// Sum beyond which the weights are renormalised to 1.
  private static let largestSum: Float = 1e30

  /// Target delay, 20 ms to 2 s [ns].
  private(set) var target = DelayHistogram.start
  private var intervalEnd: Int64 = -1
  private var largest: Int64 = 0
  private var samples: Float = 0
  private var lastIndex = 0
  private var sum: Float = 0
  private var buckets = InlineArray<100, Float>(repeating: 0)

  init() {}

  /// Adds a packet's relative delay, 0 or more [ns].
  @inline(__always)
  mutating func add(_ lateness: Int64, at now: Int64) {
    if now > intervalEnd { close(at: now) }
    if lateness > largest { largest = lateness }
  }

  @inline(never)
  private mutating func close(at now: Int64) {
    if intervalEnd >= 0 {
      let index = Int(largest / Self.bucket)
      if index < Self.count { weigh(index) }
      findTarget()
    }
    intervalEnd = now + Self.interval
    largest = 0
  }

  private mutating func weigh(_ index: Int) {
    let weight = min(Self.forget, max(1 - Self.startWeight / (samples + 1), 0))
    if weight == 0 {
      buckets[lastIndex] = 0
      buckets[index] = 1
      sum = 1
    } else {
      let added = sum * (1 - weight) / weight
      buckets[index] += added
      sum += added
    }
    lastIndex = index
    samples += 1
    if sum > Self.largestSum {
      for each in 0..<Self.count { buckets[each] /= sum }
      sum = 1
    }
  }

  private mutating func findTarget() {
    guard sum > 0 else { return }
    var quantile = 0
    var rest = sum - buckets[0]
    while rest > Self.above * sum, quantile < Self.count - 1 {
      quantile += 1
      rest -= buckets[quantile]
    }
    target = Int64(quantile + 1) * Self.bucket
  }
}
