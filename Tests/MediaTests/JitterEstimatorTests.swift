import Media
import Testing

/// Expectations of libwebrtc's `jitter_estimator_unittest.cc`.
@Suite("Jitter estimate")
struct JitterEstimatorTests {
  /// A sawtooth of delays from -50 to 50 ms; sizes follow it by one byte for every 5 ms.
  private struct Sawtooth {
    var estimator = JitterEstimator()
    var frames = 0
    var now: Int64 = 0

    var delay: Double { Double(frames % 11 - 5) * 10 }
    var size: Double { 1000 + (delay / 5).rounded(.towardZero) }

    mutating func run(seconds: Int) {
      for _ in 0..<(seconds * 30) {
        estimator.update(delayVariation: delay, bytes: size, at: now)
        now += 33_333_000
        frames += 1
      }
    }
  }

  /// SteadyStateConvergence.
  @Test func itConverges() {
    var sawtooth = Sawtooth()
    sawtooth.run(seconds: 60)
    #expect(sawtooth.estimator.delay.rounded() == 54, "\(sawtooth.estimator.delay)")
  }

  /// SizeOutlierIsNotRejectedAndIncreasesJitterEstimate, Single2xFrameSizeImpactsJitterEstimate,
  /// CongestedFrameImpactsJitterEstimate: one frame after the sawtooth, relative to its delay and size.
  @Test(arguments: [(60, 1, 10, 1.25), (60, 1, 2, 1), (10, -10, 0.1, 1)])
  func oneFrameLengthensIt(seconds: Int, delay: Double, size: Double, factor: Double) {
    var sawtooth = Sawtooth()
    sawtooth.run(seconds: seconds)
    let steady = sawtooth.estimator.delay
    sawtooth.estimator.update(
      delayVariation: delay * sawtooth.delay, bytes: size * sawtooth.size, at: sawtooth.now)
    #expect(sawtooth.estimator.delay.rounded() > factor * steady.rounded(), "\(steady)")
  }

  /// Ten frames without any variation: 1 ms, plus 10 ms for the operating system.
  @Test func perfectFramesNeedElevenMilliseconds() {
    var estimator = JitterEstimator()
    for frame in Int64(0)..<10 {
      estimator.update(delayVariation: 0, bytes: 1000, at: frame * 33_333_000)
    }
    #expect(estimator.delay.rounded() == 11)
  }
}
