/// How late packets are against the fastest of them, and the delay that 95 % of them stay below (libwebrtc
/// `neteq/histogram.cc`, `underrun_optimizer.cc`): the largest lateness of every 500 ms goes into buckets of 20 ms, which
/// forget by 0.983 a time, faster at first.
///
/// Instead of all buckets shrinking, what is added grows, so that an update touches one of them.
/// The part of libwebrtc that adds delay for packets out of order is left out: 20 ms for each percent of them.
struct DelayHistogram: BitwiseCopyable {
  private static let bucket: Int64 = 20_000_000
  private static let interval: Int64 = 500_000_000
  private static let count = 100
  private static let forget: Float = 0.983
  /// libwebrtc's `start_forget_weight`.
  private static let startWeight: Float = 2
  /// Share of the packets that may be later than the target.
  private static let above: Float = 0.05
  /// Before anything is known [ns].
  private static let start: Int64 = 80_000_000
  /// Sums are brought back to 1 beyond this.
  private static let largestSum: Float = 1e30

  /// 20 ms to 2 s [ns].
  private(set) var target = DelayHistogram.start
  private var intervalEnd: Int64 = -1
  private var largest: Int64 = 0
  private var samples: Float = 0
  private var lastIndex = 0
  private var sum: Float = 0
  private var buckets = InlineArray<100, Float>(repeating: 0)

  init() {}

  /// Takes a packet's lateness, 0 or more [ns].
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
