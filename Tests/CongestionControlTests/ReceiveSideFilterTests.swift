import CongestionControl
import Quantity
import Testing

/// The numbers were computed independently from the filter's equations in matrix form.
@Suite("Delay offset filter of the receive side")
struct ReceiveSideFilterTests {
  private func near(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 1e-10 * max(1, abs(b)) }

  /// A residual of 5 ms over 10 ms: 0.99^0.3 of the noise is kept, then a gain of 0.101 / (49.92 + 0.101).
  @Test func oneGroupOfTheSameSizeMovesTheOffsetAlone() {
    var filter = DelayOffsetFilter()
    filter.update(received: 15, sent: 10, size: 0, usage: .normal)
    #expect(filter.slope == 0.015625)
    #expect(near(filter.offset, 0.0100948953120686))
    #expect(near(filter.noiseVariance, 49.9242835109906))
    #expect(filter.samples == 1)
  }

  @Test func groupsOfOtherSizesMoveTheSlope() {
    var filter = DelayOffsetFilter()
    filter.update(received: 40, sent: 33, size: 600, usage: .normal)
    #expect(near(filter.slope, 0.0116666721270392))
    #expect(near(filter.offset, -6.66318525281732e-09))
    filter.update(received: 36, sent: 33, size: -600, usage: .normal)
    #expect(near(filter.slope, 0.00337379213532262))
    #expect(near(filter.offset, 0.0202981961329041))
    #expect(near(filter.noiseVariance, 50.0441669575987))
  }

  /// A residual of 100 ms counts as 3 x 7.07 in the noise, but in full in the offset.
  @Test func outliersAreLimitedInTheNoiseAlone() {
    var filter = DelayOffsetFilter()
    filter.update(received: 110, sent: 10, size: 0, usage: .normal)
    #expect(near(filter.noiseVariance, 51.1960791167578))
    #expect(near(filter.offset, 0.196892302133057))
  }

  @Test func theNoiseIsLearntInTheNormalStateAlone() {
    for usage in [BandwidthUsage.overused, .underused] {
      var filter = DelayOffsetFilter()
      filter.update(received: 15, sent: 10, size: 0, usage: usage)
      #expect(filter.noiseVariance == 50)
    }
  }

  /// The third sample gets 0.01 more process noise because the offset fell during overuse or rose during underuse.
  @Test(arguments: [(BandwidthUsage.overused, Int64(1)), (.underused, -1)])
  func anOffsetThatReturnsFollowsFaster(usage: BandwidthUsage, sign: Int64) {
    var filter = DelayOffsetFilter()
    let expected = [0.0100796391289595, 0.00599557691550176, 0.00148864231285591]
    for (residual, offset) in zip([5, -2, -2] as [Int64], expected) {
      filter.update(received: 10 + sign * residual, sent: 10, size: 0, usage: usage)
      #expect(near(filter.offset, Double(sign) * offset))
    }
  }

  @Test func theOppositeStatesDoNot() {
    for usage in [BandwidthUsage.overused, .underused] {
      var rising = DelayOffsetFilter()
      var falling = DelayOffsetFilter()
      for residual in [5, 7] as [Int64] {
        rising.update(received: 10 + residual, sent: 10, size: 0, usage: usage)
        falling.update(received: 10 - residual, sent: 10, size: 0, usage: usage)
      }
      rising.update(received: 17, sent: 10, size: 0, usage: usage)
      falling.update(received: 3, sent: 10, size: 0, usage: usage)
      #expect((abs(rising.offset) < abs(falling.offset)) == (usage == .overused))
      #expect(rising.offset > 0 && falling.offset < 0)
    }
  }

  /// 0.01 up to the 300th sample, then 0.002: a residual of 20 ms after that many of zero.
  @Test(arguments: [(299, 20.7832593415819), (300, 20.3336711018999)])
  func theNoiseSettlesAfterThreeHundredSamples(before: Int, variance: Double) {
    var filter = DelayOffsetFilter()
    for _ in 0..<before { filter.update(received: 10, sent: 10, size: 0, usage: .normal) }
    filter.update(received: 30, sent: 10, size: 0, usage: .normal)
    #expect(near(filter.noiseVariance, variance))
  }

  /// The shortest of 60 send time differences, including the current one, sets the pace: 1 ms for 59 more samples.
  @Test(arguments: [(58, 0.9996985353739899), (59, 0.9900995033250751)])
  func theShortestIntervalOfSixtyCounts(between: Int, keep: Double) {
    var filter = DelayOffsetFilter()
    filter.update(received: 1, sent: 1, size: 0, usage: .normal)
    for _ in 0..<between { filter.update(received: 33, sent: 33, size: 0, usage: .normal) }
    let before = filter.noiseVariance
    filter.update(received: 33, sent: 33, size: 0, usage: .normal)
    #expect(near(filter.noiseVariance / before, keep))
  }

  @Test func aQuietPathHasANoiseOfOne() {
    var filter = DelayOffsetFilter()
    for _ in 0..<1200 { filter.update(received: 33, sent: 33, size: 0, usage: .normal) }
    #expect(filter.noiseVariance == 1)
    #expect(filter.samples == 1000)
    #expect(filter.offset == 0)
  }

  /// 0.99 to the power of 60, or of 960 after a silence of the sender.
  @Test(arguments: [(2000, 40.9150742799625, 0.0246244921711929), (32_000, 1, 0.917347865576749)])
  func longIntervalsForgetTheNoise(sent: Int64, variance: Double, offset: Double) {
    var filter = DelayOffsetFilter()
    filter.update(received: sent + 10, sent: Double(sent), size: 0, usage: .normal)
    #expect(near(filter.noiseVariance, variance))
    #expect(near(filter.offset, offset))
  }

  @Test func theDetectorWaitsForTwoSamplesAndWeighsSixty() {
    var detector = OveruseDetector()
    detector.update(offset: -1000, samples: 1, sent: 10, arrival: 0)
    #expect(detector.usage == .normal && detector.signal == 0)
    // 2 x -6.25 is the threshold itself.
    detector.update(offset: -6.25, samples: 2, sent: 10, arrival: 0)
    #expect(detector.usage == .normal)
    detector.update(offset: -6.26, samples: 2, sent: 10, arrival: 0)
    #expect(detector.usage == .underused)
    // At most 60 of the 1000 samples count: -12 and -12.6.
    detector.update(offset: -0.2, samples: 1000, sent: 10, arrival: 0)
    #expect(detector.usage == .normal)
    detector.update(offset: -0.21, samples: 1000, sent: 10, arrival: 0)
    #expect(detector.usage == .underused)
  }

  /// Half of the first interval above the threshold counts, and all of the second: 5 + 5 ms is not more than 10.
  @Test(arguments: [(10.0, 5.0, false), (10, 5.01, true), (21, 0, true)])
  func overuseLastsMoreThanTenMilliseconds(first: Double, second: Double, isOverused: Bool) {
    var detector = OveruseDetector()
    detector.update(offset: 1, samples: 60, sent: first, arrival: 0)
    // A single sample is never overuse.
    #expect(detector.usage == .normal)
    detector.update(offset: 1, samples: 60, sent: second, arrival: 0)
    #expect((detector.usage == .overused) == isOverused)
  }

  @Test func anOffsetThatFallsIsNoOveruseYet() {
    var detector = OveruseDetector()
    detector.update(offset: 1, samples: 60, sent: 30, arrival: 0)
    detector.update(offset: 0.99, samples: 60, sent: 30, arrival: 0)
    #expect(detector.usage == .normal)
    detector.update(offset: 0.99, samples: 60, sent: 30, arrival: 0)
    #expect(detector.usage == .overused)
  }

  @Test func theThresholdAdaptsByTheTimeUpToAHundredMilliseconds() {
    // Down by 0.039 x (6 - 12.5) x 2 ms, up by 0.0087 x (24 - 11.993) x 100 ms.
    var detector = OveruseDetector()
    detector.update(offset: 0.1, samples: 60, sent: 10, arrival: 1000)
    #expect(detector.threshold == 12.5)
    detector.update(offset: 0.1, samples: 60, sent: 10, arrival: 1002)
    #expect(near(detector.threshold, 11.993))
    detector.update(offset: -0.4, samples: 60, sent: 10, arrival: 1500)
    #expect(near(detector.threshold, 11.993 + 0.87 * 12.007))
    // 37.5 is more than 15 above the threshold of 22.44 and does not move it, but its time counts.
    detector.update(offset: -0.625, samples: 60, sent: 10, arrival: 1600)
    #expect(near(detector.threshold, 11.993 + 0.87 * 12.007))
    // In 100 ms the threshold falls below 6, its lower bound.
    detector.update(offset: 0, samples: 60, sent: 10, arrival: 1700)
    #expect(detector.threshold == 6)
  }
}
