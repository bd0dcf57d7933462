#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
  private static let startupFrames = 30

  // Kalman filter: milliseconds for each byte, and an offset [ms].
  private var slope = 8.0 / 512
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
  private var noiseCount = 1.0
  private var frames = 0

  package init() {}

  /// Takes a complete frame: how much later than its predecessor it came than it was captured [ms], and its size.
  package mutating func update(delayVariation: Double, bytes: Double) {
    let sizeVariation = bytes - previousSize
    if bytes < meanSize + 2 * sizeVariance.squareRoot() {
      meanSize = Self.meanWeight * meanSize + (1 - Self.meanWeight) * bytes
    }
    let distance = bytes - meanSize
    sizeVariance = max(
      Self.meanWeight * sizeVariance + (1 - Self.meanWeight) * distance * distance, 1)
    largestSize = max(Self.largestDecay * largestSize, bytes)
    defer { previousSize = bytes }
    guard previousSize > 0 else { return }
    frames += 1

    let noise = noiseVariance.squareRoot()
    let limit = Self.deviationLimit * noise + 0.5
    let variation = min(max(delayVariation, -limit), limit)
    let deviation = variation - (slope * sizeVariation + offset)
    if abs(deviation) < Self.outlier * noise
      || bytes > meanSize + Self.sizeOutlier * sizeVariance.squareRoot()
    {
      addNoise(deviation)
      // After a key frame a small frame catches up whatever the path: it says nothing of the slope.
      if sizeVariation > -0.25 * largestSize { filter(variation, sizeVariation) }
    } else {
      addNoise(deviation >= 0 ? Self.outlier * noise : -Self.outlier * noise)
    }
  }

  private mutating func addNoise(_ deviation: Double) {
    noiseCount = min(noiseCount + 1, Self.noiseSamples)
    let weight = (noiseCount - 1) / noiseCount
    meanNoise = weight * meanNoise + (1 - weight) * deviation
    let distance = deviation - meanNoise
    noiseVariance = max(weight * noiseVariance + (1 - weight) * distance * distance, 1)
  }

  private mutating func filter(_ variation: Double, _ size: Double) {
    covariance00 += 2.5e-10
    covariance11 += 1e-10
    let innovation = variation - (slope * size + offset)
    let observed0 = covariance00 * size + covariance01
    let observed1 = covariance10 * size + covariance11
    let deviation = max((300 * exp(-abs(size) / largestSize) + 1) * noiseVariance.squareRoot(), 1)
    let total = deviation + size * observed0 + observed1
    guard abs(total) > 1e-9 else { return }
    let gain0 = observed0 / total
    let gain1 = observed1 / total
    slope = max(slope + gain0 * innovation, 1e-6)
    offset += gain1 * innovation
    let (old00, old01) = (covariance00, covariance01)
    covariance00 = (1 - gain0 * size) * old00 - gain0 * covariance10
    covariance01 = (1 - gain0 * size) * old01 - gain0 * covariance11
    covariance10 = covariance10 * (1 - gain1) - gain1 * size * old00
    covariance11 = covariance11 * (1 - gain1) - gain1 * size * old01
  }

  /// The delay for now [ms], at least 10 and at most 10,000; the operating system's 10 ms are part of it.
  package var delay: Double {
    let noise = max(Self.noiseQuantile * noiseVariance.squareRoot() - Self.noiseOffset, 1)
    let estimate = frames < Self.startupFrames ? 1 : slope * (largestSize - meanSize) + noise
    return min(max(estimate, 1), 10_000) + Self.systemJitter
  }
}
