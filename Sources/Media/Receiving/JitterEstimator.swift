import Quantity

/// How long a video jitter buffer has to hold frames back, from the sizes and arrivals of frames.
///
/// libwebrtc `modules/video_coding/timing/jitter_estimator.cc` and `frame_delay_variation_kalman_filter.cc`: a Kalman
/// filter finds how much later a frame comes for every byte that it is larger; what is left is noise. The delay covers
/// the largest frame and 99 % of the noise.
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
  /// Frames until the mean size is that of the first ones, and until the frame rate counts in full.
  private static let sizeFrames = 5
  private static let rateFrames = 30.0
  /// Three repaired frames, each within 60 s of the next, lengthen the delay.
  private static let repairLimit = 3
  private static let repairMemory: Int64 = 60_000_000_000

  // Kalman filter: milliseconds for each byte, and an offset [ms]. libwebrtc begins with a thousandth of the slope of
  // 512 kbps, and its tests hold to it.
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
  /// Times between the last frames [ns].
  private var intervals = InlineArray<30, Int64>(repeating: 0)
  private var knownIntervals = 0
  private var nextInterval = 0
  private var intervalSum: Int64 = 0
  private var updatedAt: Int64 = -1
  /// The delay for now [ms], 11 to 10,010; the operating system's 10 ms are part of it.
  package private(set) var delay = 1 + Self.systemJitter

  /// Frames that needed a repair, as far as they count, and when the last one did [ns].
  private var repairs = 0
  private var lastRepair: Int64 = 0

  package init() {}

  /// Takes a complete frame: how much later than its predecessor it came than it was captured [ms], and its size.
  ///
  /// - Parameter now: [ns]
  package mutating func update(delayVariation: Double, bytes: Double, at now: Int64) {
    let sizeVariation = bytes - previousSize
    if frames < Self.sizeFrames {
      sizeSum += bytes
    } else if frames == Self.sizeFrames {
      meanSize = sizeSum / Double(Self.sizeFrames)
    }
    frames += 1
    let mean = Self.meanWeight * meanSize + (1 - Self.meanWeight) * bytes
    // Roots are dear: deviations are compared by their squares.
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
    if abs(deviation) < Self.outlier * noiseDeviation || isLarge {
      addNoise(deviation, at: now)
      // After a key frame a small frame catches up whatever the path: it says nothing of the slope.
      if sizeVariation > -0.25 * largestSize { filter(variation, sizeVariation) }
    } else {
      addNoise(deviation >= 0 ? Self.outlier * noiseDeviation : -Self.outlier * noiseDeviation, at: now)
    }
    let noise = max(Self.noiseQuantile * noiseDeviation - Self.noiseOffset, 1)
    delay = min(max(slope * (largestSize - meanSize) + noise, 1), 10_000) + Self.systemJitter
  }

  /// Frames a second of late; `nil` before the second one.
  private var frameRate: Double? {
    intervalSum > 0 ? Double(knownIntervals) * 1e9 / Double(intervalSum) : nil
  }

  /// That rate where it is below 10: slow streams are held less.
  var slowRate: Double? { frameRate.flatMap { $0 < 10 ? $0 : nil } }

  /// A frame needed packets to be sent again.
  package mutating func noteRepair(at now: Int64) {
    repairs = min(repairs + 1, Self.repairLimit)
    lastRepair = now
  }

  var hasRepairs: Bool { repairs > 0 }

  /// What is added while repairs keep being needed [ms]: most of a round trip, so that they come in time.
  mutating func repairDelay(roundTrip: SimDuration, at now: Int64) -> Double {
    if now - lastRepair > Self.repairMemory { repairs = 0 }
    return repairs < Self.repairLimit ? 0 : min(0.9 * roundTrip.seconds * 1000, 200)
  }

  private mutating func addNoise(_ deviation: Double, at now: Int64) {
    if updatedAt >= 0 { addInterval(now - updatedAt) }
    updatedAt = now
    let kept = (noiseCount - 1) / noiseCount
    noiseCount = min(noiseCount + 1, Self.noiseSamples)
    let weight = Self.power(kept, rateScale)
    let distance = deviation - meanNoise
    meanNoise = weight * meanNoise + (1 - weight) * deviation
    noiseVariance = max(weight * noiseVariance + (1 - weight) * distance * distance, 1)
    noiseDeviation = noiseVariance.squareRoot()
  }

  private mutating func addInterval(_ interval: Int64) {
    if knownIntervals == 30 { intervalSum -= intervals[nextInterval] } else { knownIntervals += 1 }
    intervals[nextInterval] = interval
    intervalSum += interval
    nextInterval = nextInterval == 29 ? 0 : nextInterval + 1
  }

  /// How many frames of a 30 Hz stream a frame stands for; at first one.
  private var rateScale: Double {
    guard let frameRate else { return 1 }
    let scale = 30 / min(frameRate, 200)
    guard noiseCount < Self.rateFrames else { return scale }
    return (noiseCount * scale + Self.rateFrames - noiseCount) / Self.rateFrames
  }

  /// A base from 0 to 1 to a power; between whole ones on a straight line, which for bases near 1 is the power itself.
  private static func power(_ base: Double, _ exponent: Double) -> Double {
    var result = 1.0
    var rest = min(exponent, 60)
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
    // libwebrtc has exp(-x), x from 0 to 1; the quotient is within 2 % of it.
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
