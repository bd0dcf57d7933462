import CrossTraffic
import Quantity
import Testing

@Suite("Congestion windows")
struct CongestionWindowTests {
  private let roundTrip = SimDuration.milliseconds(100)

  @Test func slowStartDoublesEachRoundTrip() {
    var window = CongestionWindow(.cubic, initial: 10)
    var sizes: [Double] = []
    for _ in 0..<4 {
      window.grow(acknowledged: Int(window.segments), roundTrip: roundTrip, at: .zero)
      sizes.append(window.segments)
    }
    #expect(sizes == [20, 40, 80, 160])
  }

  @Test func renoHalvesAndThenAddsASegmentEachRoundTrip() {
    var window = CongestionWindow(.reno, initial: 20)
    var sizes: [Double] = []
    for _ in 0..<2 {
      window.reduce()
      for _ in 0..<10 {
        sizes.append(window.segments)
        window.grow(acknowledged: Int(window.segments), roundTrip: roundTrip, at: .zero)
      }
    }
    #expect(sizes == [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
    #expect(window.segments == 20 && window.threshold == 10)
  }

  @Test func slowStartEndsAtTheThresholdAndTheRestCountsForAvoidance() {
    var window = CongestionWindow(.reno, initial: 16)
    window.collapse(isRepeated: false)
    #expect(window.segments == 1 && window.threshold == 8)
    window.grow(acknowledged: 1, roundTrip: roundTrip, at: .zero)
    window.grow(acknowledged: 2, roundTrip: roundTrip, at: .zero)
    #expect(window.segments == 4 && window.isInSlowStart)
    // Four of six reach the threshold; two more add 2/8.
    window.grow(acknowledged: 6, roundTrip: roundTrip, at: .zero)
    #expect(window.segments == 8.25)
  }

  @Test func aSegmentThatTimesOutAgainLeavesTheThreshold() {
    var window = CongestionWindow(.cubic, initial: 20)
    window.collapse(isRepeated: false)
    #expect(window.threshold == 14)
    window.collapse(isRepeated: true)
    #expect(window.threshold == 14 && window.segments == 1)
  }
}

@Suite("CUBIC by hand")
struct CubicWindowTests {
  private let noTime = SimDuration.zero

  /// A window of 100 that a loss reduced to 70 at the start of the epoch: K = (30 / 0.4)^(1/3) = 4.2171633 s.
  private func reducedFromHundred() -> CubicWindow {
    var cubic = CubicWindow()
    #expect(cubic.reduced(from: 100) == 70)
    _ = cubic.grown(from: 70, acknowledged: 1, roundTrip: noTime, at: .zero)
    return cubic
  }

  @Test(arguments: [
    (0.0, 70.0), (2, 95.640337), (4.2171633, 100), (5.2171633, 100.4), (8.4343265, 130), (14.2171633, 500),
  ])
  func theCurve(time: Double, window: Double) {
    #expect(abs(reducedFromHundred().curve(at: time) - window) < 1e-4)
  }

  @Test func timeToPlateau() {
    #expect(abs(reducedFromHundred().timeToPlateau - 4.2171633) < 1e-7)
  }

  @Test func aWindowOfAcknowledgementsReachesTheCurve() {
    var cubic = reducedFromHundred()
    // At 4 s, one round trip of 0.2171633 s ahead, the curve is at its plateau, which takes 80 acknowledgements to
    // reach.
    let roundTrip = SimDuration(nanoseconds: 217_163_300)
    let window = cubic.grown(from: 80, acknowledged: 80, roundTrip: roundTrip, at: seconds(4))
    #expect(abs(window - 100) < 1e-5)
  }

  @Test func growthIsAtMostHalfTheWindowPerRoundTrip() {
    var cubic = reducedFromHundred()
    #expect(cubic.grown(from: 80, acknowledged: 80, roundTrip: noTime, at: seconds(60)) == 120)
  }

  @Test func fastConvergenceGivesRoomToNewFlows() {
    var cubic = reducedFromHundred()
    // The loss occurs below the last plateau: the next one is 80 x 1.7 / 2.
    #expect(abs(cubic.reduced(from: 80) - 56) < 1e-9)
    #expect(abs(cubic.plateau - 68) < 1e-9)
  }

  @Test func smallWindowsGrowLikeReno() {
    var cubic = CubicWindow()
    _ = cubic.reduced(from: 10)
    _ = cubic.grown(from: 7, acknowledged: 7, roundTrip: noTime, at: .zero)
    // 10 ms later the curve is at 7.05, and Reno with a decrease of 0.7 at 7 + 2 x 3 x 0.3 / 1.7.
    let window = cubic.grown(from: 7, acknowledged: 7, roundTrip: noTime, at: seconds(0.01))
    #expect(abs(window - 8.0588235) < 1e-6)
  }

  @Test func afterATimeoutTheCurveStartsAtItsPlateau() {
    var cubic = CubicWindow()
    _ = cubic.reduced(from: 100, isTimeout: true)
    _ = cubic.grown(from: 70, acknowledged: 1, roundTrip: noTime, at: .zero)
    #expect(cubic.timeToPlateau == 0)
    #expect(abs(cubic.curve(at: 2) - 73.2) < 1e-9)
  }
}

@Suite("Retransmission timeout by hand")
struct RetransmissionTimeoutTests {
  private func milliseconds(_ value: Double) -> SimDuration { .microseconds(Int64(value * 1000)) }

  @Test func measurementsAndBackOff() {
    var timeout = RetransmissionTimeout(parameters: TCPParameters())
    #expect(timeout.duration == .seconds(1))
    timeout.measure(milliseconds(100))
    // 100 + 4 x 50
    #expect(timeout.duration == milliseconds(300))
    timeout.measure(milliseconds(200))
    // RTTVAR 3/4 x 50 + 1/4 x 100, SRTT 7/8 x 100 + 1/8 x 200
    #expect(timeout.variation == milliseconds(62.5))
    #expect(timeout.smoothed == milliseconds(112.5))
    #expect(timeout.duration == milliseconds(362.5))
    timeout.backOff()
    timeout.backOff()
    #expect(timeout.duration == milliseconds(1450))
    for _ in 0..<10 { timeout.backOff() }
    #expect(timeout.duration == .seconds(120))
    timeout.measure(milliseconds(112.5))
    // RTTVAR 3/4 x 62.5 = 46.875, but the margin is at least 200.
    #expect(timeout.duration == milliseconds(312.5))
  }

  @Test func withoutMarginASteadyRoundTripIsTheTimeout() {
    var parameters = TCPParameters()
    parameters.minimumTimeoutMargin = .zero
    var timeout = RetransmissionTimeout(parameters: parameters)
    timeout.measure(milliseconds(100))
    timeout.measure(milliseconds(100))
    #expect(timeout.duration == milliseconds(250))
    for _ in 0..<100 { timeout.measure(milliseconds(100)) }
    #expect(timeout.duration == milliseconds(100))
  }
}
