import CongestionControl
import Quantity
import Testing

@Suite("Google Congestion Control by hand")
struct GoogleCongestionControlTests {
  private let second: Int64 = 1_000_000_000

  // MARK: Grouping and trend

  /// Packets 6 ms apart are groups of their own; the differences are between the last sendings and arrivals.
  @Test func groupsAreFiveMillisecondsLong() {
    var grouping = InterArrivalGrouping()
    var deltas: [InterArrivalGrouping.Deltas?] = []
    for (sent, received) in [(0, 20), (4, 24), (10, 32), (20, 45)] as [(Int64, Int64)] {
      deltas.append(
        grouping.add(sentAt: sent * 1_000_000, receivedAt: received * 1_000_000, at: received * 1_000_000))
    }
    #expect(deltas == [nil, nil, nil, .init(send: 6, arrival: 8)])
  }

  /// A packet sent later that arrives within 5 ms behind the group, having waited less, belongs to it.
  @Test func aBurstThatAQueueMadeIsOneGroup() {
    var grouping = InterArrivalGrouping()
    var deltas: [InterArrivalGrouping.Deltas?] = []
    for (sent, received) in [(0, 20), (10, 22), (20, 24), (50, 60), (80, 90)] as [(Int64, Int64)] {
      deltas.append(
        grouping.add(sentAt: sent * 1_000_000, receivedAt: received * 1_000_000, at: received * 1_000_000))
    }
    #expect(deltas == [nil, nil, nil, nil, .init(send: 30, arrival: 36)])
  }

  /// Each group comes 2 ms later than the one before: after the filter has settled the delay grows by 2 ms in 22 ms.
  @Test func theSlopeIsThatOfTheDelay() throws {
    var detector = TrendlineDetector()
    for group in 1...200 { detector.update(.init(send: 20, arrival: 22), arrival: Double(group) * 22) }
    let slope = try #require(detector.slope())
    #expect(abs(slope - 2.0 / 22) < 1e-6)
    #expect(detector.usage == .overusing)
  }

  /// 0.039 and 0.0087 of the distance for each millisecond, at most 100 ms at a time, nothing beyond 15 above.
  @Test func theThresholdFallsFasterThanItRises() {
    var falling = TrendlineDetector()
    falling.adapt(to: 2.5, now: 0)
    falling.adapt(to: 2.5, now: 10)
    #expect(abs(falling.threshold - (12.5 - 0.039 * 10 * 10)) < 1e-9)
    var rising = TrendlineDetector()
    rising.adapt(to: 22.5, now: 0)
    rising.adapt(to: 22.5, now: 10)
    #expect(abs(rising.threshold - (12.5 + 0.0087 * 10 * 10)) < 1e-9)
    var far = TrendlineDetector()
    far.adapt(to: 27.6, now: 0)
    far.adapt(to: 27.6, now: 10)
    #expect(far.threshold == 12.5)
    var low = TrendlineDetector()
    for step in 0..<100 { low.adapt(to: 0, now: Double(step) * 100) }
    #expect(low.threshold == 6)
  }

  // MARK: Rate control

  /// 0.85 x 1000 - 5 kbps; then nothing for a round trip unless less than half arrives.
  @Test func overuseCutsToALittleLessThanWhatArrives() {
    var control = AIMDRateControl(start: 1200, minimum: 5)
    control.update(.overusing, acknowledged: 1000, at: second)
    #expect(control.estimate == 845)
    #expect(!control.mayReduce(acknowledged: 800, at: second + 100_000_000))
    #expect(control.mayReduce(acknowledged: 400, at: second + 100_000_000))
    #expect(control.mayReduce(acknowledged: 800, at: second + 200_000_000))
  }

  @Test func growthIsEightPercentEachSecondAndBoundedByWhatArrives() {
    var control = AIMDRateControl(start: 1000, minimum: 5)
    // The first update adds the least step, 1 kbps.
    control.update(.normal, acknowledged: 1000, at: 0)
    control.update(.normal, acknowledged: 1000, at: second)
    #expect(abs(control.estimate - 1001 * 1.08) < 1e-9)
    control.update(.normal, acknowledged: 600, at: 2 * second)
    #expect(abs(control.estimate - 1001 * 1.08) < 1e-9)
    control.update(.normal, acknowledged: 720, at: 3 * second)
    #expect(abs(control.estimate - 1090) < 1e-9)
  }

  /// At 1 Mbps four packets of 1042 bytes make a frame: 8.33 kbit / (2 x (RTT + 100 ms)).
  @Test(arguments: [(0.03, 32.05), (0.1, 20.83), (0.2, 13.89)])
  func nearTheCapacityGrowthIsAPacketInTwoResponseTimes(roundTrip: Double, slope: Double) {
    var control = AIMDRateControl(start: 1000, minimum: 5)
    control.roundTrip = roundTrip
    #expect(abs(control.slope - slope) < 0.01)
  }

  @Test func theCapacityEstimateHasBoundsOfThreeDeviations() {
    var capacity = LinkCapacityEstimate()
    capacity.overuse(at: 600)
    // Variance 0.95 x 0.4 is below its floor of 0.4: deviation sqrt(0.4 x 600) = 15.49.
    #expect(abs(capacity.upperBound - 646.476) < 0.001)
    #expect(abs(capacity.lowerBound - 553.524) < 0.001)
  }

  // MARK: Acknowledged rate

  /// 1250 bytes each 10 ms are 1 Mbps; a pause of 500 ms counts like the next longest gap.
  @Test func aSinglePauseDoesNotLowerTheAcknowledgedRate() throws {
    var acknowledged = AcknowledgedRate()
    var at: Int64 = 0
    for packet in 0..<60 {
      at += packet == 30 ? 500_000_000 : 10_000_000
      acknowledged.add(sentAt: Int64(packet) * 10_000_000, receivedAt: at, size: 1250)
    }
    #expect(abs(try #require(acknowledged.rate) - 1000) < 1e-6)
  }

  @Test func tenPacketsAreNeeded() {
    var acknowledged = AcknowledgedRate()
    for packet in 0..<Int64(9) { acknowledged.add(sentAt: packet, receivedAt: packet, size: 100) }
    #expect(acknowledged.rate == nil)
  }

  // MARK: Loss

  /// 100 kbps / (loss - 5 %): 2 Mbps at 10 %, 667 kbps at 20 %, 222 kbps at 50 %.
  @Test(arguments: [(10, 2000.0), (5, 666.667), (2, 222.222)])
  func lossBoundsTheEstimate(oneIn: Int64, bound: Double) {
    var loss = LossBasedEstimator(minimum: 5)
    var sequence: Int64 = 0
    for _ in 0..<20 {
      let results = (0..<Int64(100)).map { place in
        let sent = SimTime(nanoseconds: (sequence + place) * 5_000_000)
        return PacketResult(
          packet: SentPacket(sequence: sequence + place, sentAt: sent, size: 1000),
          receivedAt: place % oneIn == 0 ? .distantFuture : sent)
      }
      sequence += 100
      loss.update(results, delayBased: 5000, acknowledged: 10, isApplicationLimited: false)
    }
    #expect(abs(loss.upperBound - bound) < 0.5)
  }

  // MARK: Probes

  private func probe(_ sendMilliseconds: Double, _ receiveMilliseconds: Double) -> Double? {
    var results = ProbeResults()
    results.expect(
      ProbeCluster(
        id: 0, rate: .kilobits(1000), minimumPackets: 5, minimumDuration: .milliseconds(15), createdAt: .zero)
    )
    for place in 0..<5 {
      results.add(
        PacketResult(
          packet: SentPacket(
            sequence: Int64(place),
            sentAt: SimTime(nanoseconds: Int64(Double(place) * sendMilliseconds * 1e6)),
            size: 1000, probeCluster: 0),
          receivedAt: SimTime(nanoseconds: Int64(Double(place) * receiveMilliseconds * 1e6))))
    }
    return results.take()
  }

  /// Four intervals of 8000 bit: 1 ms each are 8 Mbps; arriving clearly slower is a full link, of which 95 % are taken;
  /// arriving more than twice as fast is no measurement.
  @Test func aProbeShowsTheLesserOfItsRates() throws {
    #expect(abs(try #require(probe(1, 1)) - 8000) < 1e-6)
    #expect(abs(try #require(probe(1, 2)) - 0.95 * 4000) < 1e-6)
    #expect(abs(try #require(probe(2, 1.9)) - 4000) < 1e-6)
    #expect(probe(4, 1) == nil)
  }

  // MARK: Application limit

  /// At 40 % of the estimate the budget of half a second fills at 40 % of the estimate: 0.4 x 500 x 0.8 / 0.4 = 400 ms.
  @Test func aSenderAtFortyPercentIsApplicationLimitedAfter400Milliseconds() {
    var detector = ApplicationLimitedDetector()
    detector.setEstimate(1000)
    var at: Int64 = 0
    while detector.since == nil, at < second {
      detector.send(500, at: at)
      at += 10_000_000
    }
    #expect(abs(Double(at) / 1e6 - 410) <= 20)
  }
}
