import CongestionControl
import Parameters
import Quantity
import Testing

@Suite("Receive-side estimator")
struct ReceiveSideEstimatorTests {
  /// Adds a packet that arrives at the time it is sent [ms]; returns the published estimate [bit/s].
  @discardableResult
  private func receive(
    _ size: Int, at milliseconds: Double, ssrc: UInt32 = 1, in estimator: inout ReceiveSideEstimator
  ) -> Int64? {
    let sendTime = UInt32(Int64((milliseconds * 262.144).rounded()) & 0xFF_FFFF)
    return estimator.receive(
      payload: size, sendTime: sendTime, ssrc: ssrc, arrivedAt: time(milliseconds), now: time(milliseconds))?
      .bitsPerSecond
  }

  /// 201 B every 10 ms are 160.8 kbit/s; the first update adds the minimum step of 1 kbit/s.
  @Test func theFirstEstimateIsTheRateOfFivePackets() {
    for (size, estimate) in [(200, nil), (201, 161_800)] as [(Int, Int64?)] {
      var estimator = ReceiveSideEstimator()
      for index in 0..<4 { #expect(receive(size, at: Double(index) * 10, in: &estimator) == nil) }
      #expect(receive(size, at: 40, in: &estimator) == estimate)
      #expect(estimator.estimate?.bitsPerSecond == estimate)
    }
  }

  /// Updates are more than 200 ms apart: with packets every 20 ms, 220 ms.
  @Test func updatesAreMoreThanAnIntervalApart() {
    var estimator = ReceiveSideEstimator()
    var published: [Int] = []
    for index in 0..<50 {
      let now = index * 20
      if receive(1000, at: Double(now), in: &estimator) != nil { published.append(now) }
    }
    #expect(published == [80, 300, 520, 740, 960])
    #expect(estimator.feedbackInterval == 200)
  }

  /// 16 kbit/s in packets too small for probes: 5 s after the first rate, at 100 ms, the rate becomes the estimate.
  @Test func withoutProbesTheRateOfFiveSecondsIsTheEstimate() {
    var estimator = ReceiveSideEstimator()
    for index in 0..<52 { #expect(receive(200, at: Double(index) * 100, in: &estimator) == nil) }
    #expect(receive(200, at: 5200, in: &estimator) == 17_000)
    // 80 B at 5 % of 17 kbit/s.
    #expect(estimator.feedbackInterval == 753)
    for index in 53..<60 { #expect(receive(200, at: Double(index) * 100, in: &estimator) == nil) }
    // 17 kbit/s x (1.08^0.8 - 1) = 1079.6 more.
    let next = receive(200, at: 6000, in: &estimator)
    #expect(next == 18_080)
  }

  @Test func theFeedbackIntervalIsAtMostASecond() {
    var estimator = ReceiveSideEstimator()
    for index in 0...52 { receive(100, at: Double(index) * 100, in: &estimator) }
    // 9 kbit/s: 1.42 s.
    #expect(estimator.estimate?.bitsPerSecond == 9000)
    #expect(estimator.feedbackInterval == 1000)
  }

  /// The fifth packet of a second burst at 4 Mbit/s arrives 1998 or 2000 ms after the very first packet.
  @Test(arguments: [(1990.0, true), (1992, false)])
  func probesRaiseAnEstimateForTwoSeconds(begin: Double, isRaised: Bool) throws {
    var estimator = ReceiveSideEstimator()
    for index in 0..<5 { receive(1000, at: Double(index) * 10, in: &estimator) }
    for index in 0..<5 { receive(1000, at: begin + Double(index) * 2, in: &estimator) }
    let estimate = try #require(estimator.estimate)
    #expect((estimate > .megabits(3)) == isRaised)
  }

  @Test func aStreamCountsForTwoSecondsAfterItsLastPacket() {
    for (silence, count) in [(2000.0, 2), (2001, 1)] {
      var estimator = ReceiveSideEstimator()
      receive(1000, at: 0, ssrc: 1, in: &estimator)
      receive(1000, at: silence, ssrc: 2, in: &estimator)
      #expect(estimator.sourceCount == count)
      #expect(estimator.covers(1) == (count == 2))
    }
  }

  @Test func theEstimateOutlivesASilenceButNotItsStreams() throws {
    var estimator = ReceiveSideEstimator()
    for index in 0..<5 { receive(1000, at: Double(index) * 10, in: &estimator) }
    let estimate = try #require(estimator.estimate)
    receive(1000, at: 10_000, in: &estimator)
    #expect(try #require(estimator.estimate) >= estimate)
    estimator.remove(ssrc: 1)
    #expect(estimator.estimate == nil)
    receive(1000, at: 10_020, in: &estimator)
    #expect(try #require(estimator.estimate) >= estimate)
  }

  /// A queue that grows by 10 ms per frame: cuts to 0.85 of the 500 kbit/s that arrive, less 5 kbit/s.
  @Test func aGrowingQueueCutsTheEstimate() throws {
    var estimator = ReceiveSideEstimator()
    var cut: BitRate?
    for index in 0..<200 {
      let sent = Double(index) * 20
      // From 3 s on, one packet arrives every 40 ms.
      let arrival = sent + max(0, sent - 3000)
      let update = estimator.receive(
        payload: 2500, sendTime: UInt32((sent * 262.144).rounded()), ssrc: 1, arrivedAt: time(arrival),
        now: time(arrival))
      if let update, estimator.usage == .overused, cut == nil { cut = update }
    }
    let first = try #require(cut)
    // The preceding second still contains some packets at the full rate, 1 Mbit/s.
    #expect(first >= .kilobits(420) && first <= .kilobits(850))
    let last = try #require(estimator.estimate)
    #expect(last >= .kilobits(415) && last <= .kilobits(425))
  }

  /// Matches libwebrtc's rounding to whole bytes.
  @Test(arguments: [(Int64(1000), 13_893.0), (200, 11_106)])
  func growthNearTheCapacity(kilobits: Int64, slope: Double) {
    var control = AIMDRateControl(parameters: ReceiveSideParameters().rateControl)
    control.set(.kilobits(kilobits), origin: .probe, at: .zero)
    #expect(control.additiveIncreasePerSecond == slope)
  }

  /// 13,893 bit/s over 220 ms are 3056.46; over 100 ms, 1389.3.
  @Test func growthNearTheCapacityIsRoundedDown() {
    var control = AIMDRateControl(parameters: ReceiveSideParameters().rateControl)
    control.set(.kilobits(1000), origin: .probe, at: .zero)
    control.update(.overused, throughput: BitRate(bitsPerSecond: 1_182_353), at: .zero)
    #expect(control.estimate == .kilobits(1000))
    control.update(.normal, throughput: .kilobits(1180), at: time(0))
    control.update(.normal, throughput: .kilobits(1180), at: time(220))
    #expect(control.estimate == BitRate(bitsPerSecond: 1_003_056))
  }

  @Test func everyParameterIsDeclaredOnce() {
    let keys = ReceiveSideParameters.descriptions.map(\.key)
    #expect(Set(keys).count == keys.count)
    #expect(ReceiveSideParameters(ReceiveSideParameters().settings) == ReceiveSideParameters())
  }
}
