import Quantity

/// Estimator of the delay that a video jitter buffer needs, from frame sizes and arrival times.
///
/// libwebrtc `modules/video_coding/timing/jitter_estimator.cc` and `frame_delay_variation_kalman_filter.cc`: a Kalman
/// filter estimates the delay variation per byte of frame size difference; the residual is noise. The delay covers the
/// largest frame and 99 % of the noise.
package struct JitterEstimator: BitwiseCopyable {
  private static let meanWeight = 0.97
  private static let largestDecay = 0.9999
  private static let outlier = 15.0
  private static let sizeOutlier = 3.0
  private static let deviationLimit = 3.5
  private static let noiseQuantile = 2.33
  private static let noiseOffset = 30.0
  private static let systemJitter = 10.0
  private static let noiseSamples = 400.0
  /// Number of frames used to initialise the mean size.
  private static let sizeFrames = 5
  /// Number of frames until the frame rate has full weight.
  private static let rateFrames = 30.0
  /// Number of frames with retransmissions, each within ``repairMemory`` of the next, that add the retransmission
  /// delay.
  private static let repairLimit = 3
  /// Maximum time between frames with retransmissions that count together: 60 s [ns].
  private static let repairMemory: Int64 = 60_000_000_000

  // Kalman filter state: delay per byte [ms/byte] and offset [ms]. libwebrtc starts with a thousandth of the slope at
  // 512 kbps, which its tests pin.
  private var slope = 1.0 / (512e3 / 8)
  private var offset = 0.0
  private var covariance00 = 1e-4
  private var covariance01 = 0.0
  private var covariance10 = 0.0
  private var covariance11 = 1e2

  private var meanSize = 500.0
  private var sizeVariance = 100.0
  private var largestSize = 500.0
  private var previousSize = 0.0
  private var meanNoise = 0.0
  private var noiseVariance = 4.0
  private var noiseDeviation = 2.0
  private var noiseCount = 1.0
  private var frames = 0
  private var sizeSum = 0.0
  /// Number of known intervals between the last updates of the noise.
  private var knownIntervals = 0
  /// Sum of the ``knownIntervals`` [ns].
  private var intervalSum: Int64 = 0
  /// Current estimate [ms], 11 to 10,010, including 10 ms of operating system jitter.
  package private(set) var delay = 1 + Self.systemJitter

  /// Number of recent frames with retransmissions, at most ``repairLimit``.
  private var repairs = 0
  /// Time of the last frame with retransmissions [ns].
  private var lastRepair: Int64 = 0
  private var times = RecentTimes()

  package init() {}

  /// Updates the estimate with a complete frame.
  ///
  /// - Parameters:
  ///   - delayVariation: time since the previous frame's arrival minus time since its capture [ms].
  ///   - bytes: frame size [byte].
  ///   - now: current time [ns].
  package mutating func update(delayVariation: Double, bytes: Double, at now: Int64) {
    let sizeVariation = bytes - previousSize
    if frames < Self.sizeFrames {
      sizeSum += bytes
    } else if frames == Self.sizeFrames {
      meanSize = sizeSum / Double(Self.sizeFrames)
    }
    frames += 1
    let mean = Self.meanWeight * meanSize + (1 - Self.meanWeight) * bytes
    // Compares squares to avoid square roots.
    let before = bytes - meanSize
    if before < 0 || before * before < 4 * sizeVariance { meanSize = mean }
    let distance = bytes - mean
    sizeVariance = max(
      Self.meanWeight * sizeVariance + (1 - Self.meanWeight) * distance * distance, 1)
    largestSize = max(Self.largestDecay * largestSize, bytes)
    defer { previousSize = bytes }
    guard previousSize > 0 else { return }

    let limit = Self.deviationLimit * noiseDeviation + 0.5
    let variation = min(max(delayVariation, -limit), limit)
    let deviation = variation - (slope * sizeVariation + offset)
    let excess = bytes - meanSize
    let isLarge = excess > 0 && excess * excess > Self.sizeOutlier * Self.sizeOutlier * sizeVariance
    let outlier = Self.outlier * noiseDeviation
    let isUsual = abs(deviation) < outlier || isLarge
    addNoise(isUsual ? deviation : deviation >= 0 ? outlier : -outlier, at: now)
    // A small frame after a key frame catches up on any path: it reveals nothing about the slope.
    if isUsual, sizeVariation > -0.25 * largestSize { filter(variation, sizeVariation) }
    let noise = max(Self.noiseQuantile * noiseDeviation - Self.noiseOffset, 1)
    delay = min(max(slope * (largestSize - meanSize) + noise, 1), 10_000) + Self.systemJitter
  }

  /// Recent frame rate [fps]; `nil` before the second frame.
  private var frameRate: Double? {
    intervalSum > 0 ? Double(knownIntervals) * 1e9 / Double(intervalSum) : nil
  }

  /// Frame rate if below 10: slow streams are delayed less.
  var slowRate: Double? {
    // It rarely is, and a multiplication tests that without a division.
    intervalSum > Int64(knownIntervals) * 100_000_000 ? frameRate : nil
  }

  /// Records a frame that needed retransmissions.
  package mutating func recordRetransmission(at now: Int64) {
    repairs = min(repairs + 1, Self.repairLimit)
    lastRepair = now
  }

  var hasRepairs: Bool { repairs > 0 }

  /// Returns the additional delay while retransmissions recur [ms]: most of a round trip, so that they arrive in time.
  mutating func repairDelay(roundTrip: SimDuration, at now: Int64) -> Double {
    if now - lastRepair > Self.repairMemory { repairs = 0 }
    return repairs < Self.repairLimit ? 0 : min(0.9 * roundTrip.seconds * 1000, 200)
  }

  @inline(__always)
  private mutating func addNoise(_ deviation: Double, at now: Int64) {
    (knownIntervals, intervalSum) = times.append(now)
    let kept = (noiseCount - 1) / noiseCount
    noiseCount = min(noiseCount + 1, Self.noiseSamples)
    let weight = Self.power(kept, rateScale)
    let distance = deviation - meanNoise
    meanNoise = weight * meanNoise + (1 - weight) * deviation
    noiseVariance = max(weight * noiseVariance + (1 - weight) * distance * distance, 1)
    noiseDeviation = noiseVariance.squareRoot()
  }

  /// Number of frames of a 30 fps stream per frame; initially one.
  private var rateScale: Double {
    guard let frameRate else { return 1 }
    let scale = 30 / min(frameRate, 200)
    guard noiseCount < Self.rateFrames else { return scale }
    return (noiseCount * scale + Self.rateFrames - noiseCount) / Self.rateFrames
  }

  /// Raises a base from 0 to 1 to a power; linear between integer exponents, which is accurate for bases near 1.
  @inline(__always)
  private static func power(_ base: Double, _ exponent: Double) -> Double {
    var result = 1.0
    var rest = min(exponent, 60)
    // Selects instead of branches: the exponent of a steady stream alternates around a whole number.
    for _ in 0..<3 {
      let isWhole = rest >= 1
      result = isWhole ? result * base : result
      rest = isWhole ? rest - 1 : rest
    }
    while rest >= 1 {
      result *= base
      rest -= 1
    }
    return result * (1 - rest * (1 - base))
  }

  private mutating func filter(_ variation: Double, _ size: Double) {
    covariance00 += 2.5e-10
    covariance11 += 1e-10
    let innovation = variation - (slope * size + offset)
    let observed0 = covariance00 * size + covariance01
    let observed1 = covariance10 * size + covariance11
    // Approximates libwebrtc's exp(-x) for x from 0 to 1, to within 2 %.
    let x = abs(size)
    let largest = largestSize
    let cubed = largest * largest * largest
    let share = cubed / (cubed + x * (largest * largest + x * (0.5 * largest + x * (1 / 6))))
    let deviation = max((300 * share + 1) * noiseDeviation, 1)
    let total = deviation + size * observed0 + observed1
    guard abs(total) > 1e-9 else { return }
    let inverse = 1 / total
    let gain0 = observed0 * inverse
    let gain1 = observed1 * inverse
    slope = max(slope + gain0 * innovation, 1e-6)
    offset += gain1 * innovation
    let (old00, old01) = (covariance00, covariance01)
    covariance00 = (1 - gain0 * size) * old00 - gain0 * covariance10
    covariance01 = (1 - gain0 * size) * old01 - gain0 * covariance11
    covariance10 = covariance10 * (1 - gain1) - gain1 * size * old00
    covariance11 = covariance11 * (1 - gain1) - gain1 * size * old01
  }
}
