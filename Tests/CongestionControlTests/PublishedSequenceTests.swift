import CongestionControl
import Quantity
import Testing

/// Expectations of libwebrtc's unit tests for parts of the controller, each named at its test.
@Suite("Parts of the controller over published sequences")
struct PublishedSequenceTests {
  // MARK: probe_bitrate_estimator_unittest.cc

  /// A packet of a cluster: cluster number, size [byte], send and arrival times [ms].
  private typealias ProbePacket = (cluster: Int32, size: Int32, sent: Double, at: Double)

  private func probeResults(_ packets: [ProbePacket], probes: Int32 = 5, bytes: Int64 = 5000) -> [Int64?] {
    var estimator = ProbeResultEstimator()
    return packets.enumerated().map { index, packet in
      let cluster = ProbeCluster(
        id: packet.cluster, rate: BitRate(bitsPerSecond: bytes * 8), minimumPackets: probes,
        minimumDuration: .seconds(1), createdAt: .zero)
      estimator.add(
        received(
          Int64(index), sent: 1000 + packet.sent, at: 1000 + packet.at, size: packet.size,
          cluster: packet.cluster),
        of: cluster)
      return estimator.takeResult()?.bitsPerSecond
    }
  }

  private func cluster(_ times: [(Double, Double)], size: Int32 = 1000) -> [ProbePacket] {
    times.map { (0, size, $0.0, $0.1) }
  }

  /// OneCluster, OneClusterTooFewProbes, FastReceive, TooFastReceive, SlowReceive, BurstReceive.
  @Test(
    arguments: [
      ([(0, 10), (10, 20), (20, 30), (30, 40)], 1000, 800_000),
      ([(0, 10), (10, 20), (20, 30)], 2000, nil),
      ([(0, 15), (10, 30), (20, 35), (30, 40)], 1000, 800_000),
      ([(0, 19), (10, 22), (20, 25), (40, 27)], 1000, nil),
      ([(0, 10), (10, 40), (20, 70), (30, 85)], 1000, 304_000),
      ([(0, 50), (10, 50), (20, 50), (40, 50)], 1000, nil),
    ] as [([(Double, Double)], Int32, Int64?)])
  func oneCluster(times: [(Double, Double)], size: Int32, result: Int64?) {
    let found = probeResults(cluster(times, size: size)).last ?? nil
    #expect(found == nil ? result == nil : abs((found ?? 0) - (result ?? 0)) <= 10, "\(found ?? 0)")
  }

  /// OneClusterTooFewBytes, SmallCluster, LargeCluster.
  @Test func bytesAndPacketsOfACluster() throws {
    let few = probeResults(
      cluster((0..<5).map { (Double($0) * 10, 10 + Double($0) * 10) }, size: 800), bytes: 6000)
    #expect(few.allSatisfy { $0 == nil })
    let small = probeResults(
      cluster((0..<6).map { (Double($0) * 10, 10 + Double($0) * 10) }, size: 150), bytes: 1000)
    #expect(try abs(#require(small[5]) - 120_000) <= 10)
    let large = probeResults(
      cluster((0..<25).map { (Double($0), 5 + Double($0)) }, size: 12_500), probes: 30, bytes: 312_500)
    #expect(try abs(#require(large[24]) - 100_000_000) <= 10)
  }

  /// IgnoreSizeLastSendPacket, IgnoreSizeFirstReceivePacket.
  @Test func theSizesAtTheEndsDoNotCount() throws {
    let last = probeResults([
      (0, 1000, 0, 10), (0, 1000, 10, 20), (0, 1000, 20, 30), (0, 1000, 30, 40), (0, 1500, 40, 50),
    ])
    #expect(try abs(#require(last[4]) - 800_000) <= 10)
    let first = probeResults([(0, 1500, 0, 10), (0, 1000, 10, 20), (0, 1000, 20, 30), (0, 1000, 30, 40)])
    #expect(try abs(#require(first[3]) - 760_000) <= 10)
  }

  /// MultipleClusters, IgnoreOldClusters.
  @Test func clustersAreMeasuredApart() throws {
    let second: [ProbePacket] = [(1, 1000, 60, 70), (1, 1000, 65, 77), (1, 1000, 70, 84), (1, 1000, 75, 90)]
    let both = probeResults(
      [(0, 1000, 0, 10), (0, 1000, 10, 20), (0, 1000, 20, 30), (0, 1000, 40, 60), (0, 1000, 50, 60)] + second)
    #expect(try abs(#require(both[3]) - 456_000) <= 10)
    #expect(try abs(#require(both[4]) - 640_000) <= 10)
    #expect(try abs(#require(both[8]) - 1_140_000) <= 10)
    let old = probeResults(
      [(0, 1000, 0, 10), (0, 1000, 10, 20), (0, 1000, 20, 30)] + second + [(0, 1000, 6040, 6060)])
    #expect(try abs(#require(old[6]) - 1_140_000) <= 10)
    #expect(old[7] == nil)
  }

  // MARK: probe_controller_unittest.cc, in bits a second as there

  private func controller(start: Int64 = 300, maximum: Int64 = 10_000) -> ProbeController {
    var controller = ProbeController(at: .zero)
    controller.constrain(
      start: BitRate(bitsPerSecond: start), maximum: RateLimit(BitRate(bitsPerSecond: maximum)), at: .zero)
    return controller
  }

  private func rates(_ controller: inout ProbeController) -> [Int64] {
    var rates: [Int64] = []
    while let cluster = controller.take() { rates.append(cluster.rate.bitsPerSecond) }
    return rates
  }

  /// InitialProbingToLowMaxAllocatedbitrate.
  @Test func aSmallAllocationBoundsFurtherProbes() {
    var controller = controller()
    _ = rates(&controller)
    controller.setMaximumAllocated(BitRate(bitsPerSecond: 300), at: .zero)
    let none = rates(&controller)
    controller.setEstimate(BitRate(bitsPerSecond: 1800), limit: .delay, at: .zero)
    let further = rates(&controller)
    #expect(none.isEmpty)
    #expect(further == [600])
  }

  /// TestExponentialProbingOverflow.
  @Test func probingEndsAtTheMaximum() {
    var controller = controller(start: 10_000_000, maximum: 100_000_000)
    _ = rates(&controller)
    controller.setEstimate(.megabits(60), limit: .delay, at: .zero)
    let last = rates(&controller)
    controller.setEstimate(.megabits(100), limit: .delay, at: .zero)
    let more = rates(&controller)
    #expect(last == [100_000_000])
    #expect(more.isEmpty)
  }

  /// TestAllocatedBitrateCap, which lets five seconds pass twice.
  @Test func limitedRegionsProbeTwiceTheAllocation() {
    var controller = controller(start: 10_000_000, maximum: 100_000_000)
    _ = rates(&controller)
    controller.probesInLimitedRegion = true
    controller.limitedRegionStartedAt = .zero
    controller.setEstimate(.megabits(10), limit: .delay, at: .zero)
    controller.setMaximumAllocated(.megabits(9), at: .zero)
    let none = rates(&controller)
    controller.process(at: time(5000))
    let capped = rates(&controller)
    controller.setMaximumAllocated(.zero, at: time(5000))
    controller.process(at: time(10_000))
    let free = rates(&controller)
    #expect(none.isEmpty)
    #expect(capped == [18_000_000])
    #expect(free == [20_000_000])
  }

  /// LimitAlrProbeWhenLossBasedBweLimited.
  @Test func lossLimitsTheProbesOfLimitedRegions() {
    var controller = controller()
    _ = rates(&controller)
    controller.probesInLimitedRegion = true
    controller.setEstimate(BitRate(bitsPerSecond: 500), limit: .delay, at: .zero)
    controller.limitedRegionStartedAt = .zero
    controller.process(at: time(5000))
    let first = rates(&controller)
    controller.setEstimate(BitRate(bitsPerSecond: 500), limit: .lossIncreasing, at: time(5000))
    controller.process(at: time(11_000))
    let second = rates(&controller)
    controller.setEstimate(BitRate(bitsPerSecond: 750), limit: .delay, at: time(11_000))
    controller.process(at: time(17_000))
    let third = rates(&controller)
    #expect(first.count == 1)
    #expect(second == [750])
    #expect((third.first ?? 0) > 1125)
  }

  // MARK: robust_throughput_estimator_unittest.cc

  /// Packets of 1000 B, sent and received at rates in kB/s.
  private struct Feed {
    var sendClock = 100_000.0
    var receiveClock = 10_000.0
    private var sequence: Int64 = 0

    mutating func packets(_ count: Int, sent: Double, received rate: Double? = nil) -> [PacketResult] {
      (0..<count).map { _ in
        let sentAt = sendClock
        sendClock += 1000 / sent
        receiveClock += 1000 / (rate ?? sent)
        defer { sequence += 1 }
        return received(sequence, sent: sentAt, at: receiveClock, size: 1000)
      }
    }
  }

  /// EstimateAdapts: 800, 1600 and 400 kbps; the estimate lies in between while the window holds both.
  @Test func theRateAdaptsWithinItsWindow() {
    var feed = Feed()
    var estimator = ThroughputEstimator()
    var before: Int64?
    for (rate, messages) in [(100.0, 10), (200, 40), (50, 10)] {
      let kilobits = Int64(rate * 8000)
      var rates: [Int64] = []
      for _ in 0..<messages {
        estimator.add(feed.packets(10, sent: rate))
        rates.append(estimator.rate?.bitsPerSecond ?? 0)
      }
      let range = min(before ?? kilobits, kilobits)...max(before ?? kilobits, kilobits)
      #expect(rates.allSatisfy { range.contains($0) }, "\(rates)")
      #expect(rates.suffix(messages / 2).allSatisfy { $0 == kilobits }, "\(rates)")
      before = kilobits
    }
  }

  /// DelaySpike: a quarter of a second in which nothing arrives, then all at once.
  @Test func aDelaySpikeIsNoFall() {
    var feed = Feed()
    var parameters = ThroughputParameters()
    parameters.shortestWindow = .milliseconds(500)
    var estimator = ThroughputEstimator(parameters: parameters)
    estimator.add(feed.packets(20, sent: 100))
    #expect(estimator.rate == .kilobits(800))
    feed.receiveClock += 250
    var rates: [Int64] = []
    for _ in 0..<30 {
      estimator.add(feed.packets(1, sent: 100, received: 600))
      rates.append(estimator.rate?.bitsPerSecond ?? 0)
    }
    for _ in 0..<20 {
      estimator.add(feed.packets(5, sent: 100))
      rates.append(estimator.rate?.bitsPerSecond ?? 0)
    }
    #expect(rates.allSatisfy { abs($0 - 800_000) <= 40_000 }, "\(rates)")
  }

  /// ReorderedFeedback.
  @Test func feedbackInTheWrongOrderCounts() {
    var feed = Feed()
    var estimator = ThroughputEstimator()
    estimator.add(feed.packets(20, sent: 100))
    let late = feed.packets(10, sent: 100)
    estimator.add(feed.packets(10, sent: 100))
    #expect((estimator.rate ?? .zero) < .kilobits(800))
    estimator.add(late)
    #expect(estimator.rate == .kilobits(800))
    for _ in 0..<10 {
      estimator.add(feed.packets(15, sent: 100))
      #expect(estimator.rate == .kilobits(800))
    }
  }

  /// StreamPausedAndResumed: after a minute's pause there are too few packets at first.
  @Test func aPauseBeginsAnew() {
    var feed = Feed()
    var estimator = ThroughputEstimator()
    estimator.add(feed.packets(20, sent: 100))
    feed.sendClock += 60_000
    feed.receiveClock += 60_000
    estimator.add(feed.packets(5, sent: 100))
    #expect(estimator.rate == nil)
    for _ in 0..<4 {
      estimator.add(feed.packets(5, sent: 100))
      #expect(estimator.rate == .kilobits(800))
    }
  }

  // MARK: alr_detector_unittest.cc

  /// AlrDetection, ShortSpike: shares of 300 kbps, 10 ms each, and whether the sender is in a limited region
  /// afterwards.
  @Test(
    arguments: [
      [(90, 1000, false), (20, 1500, true), (100, 4000, false)],
      [(20, 1000, true), (150, 100, true), (100, 3000, false)],
    ] as [[(Int32, Int, Bool)]])
  func limitedRegionsComeAndGo(steps: [(Int32, Int, Bool)]) {
    var region = ApplicationLimitedRegion()
    region.setTarget(.kilobits(300))
    var now = 1000.0
    for (percent, milliseconds, isLimited) in steps {
      for _ in 0..<(milliseconds / 10) {
        now += 10
        region.send(size: 375 * percent / 100, at: time(now))
      }
      #expect((region.startedAt != nil) == isLimited, "\(percent) %")
    }
  }

  /// BandwidthEstimateChanges: a fall of the estimate alone does not end the region; the same traffic afterwards does.
  @Test func aFallOfTheTargetEndsTheRegionLater() {
    var region = ApplicationLimitedRegion()
    region.setTarget(.kilobits(300))
    for step in 1...100 { region.send(size: 75, at: time(1000 + Double(step) * 10)) }
    #expect(region.startedAt != nil)
    region.setTarget(.kilobits(60))
    #expect(region.startedAt != nil)
    for step in 1...100 { region.send(size: 187, at: time(2000 + Double(step) * 10)) }
    #expect(region.startedAt == nil)
  }

  // MARK: aimd_rate_control_unittest.cc

  /// MinNearMaxIncreaseRateOnLowBandwith and two more: kbps, round trip, slope [bit/s per s].
  @Test(
    arguments: [(30, 200, 4000), (90, 200, 5000), (60, 100, 5000), (216, 200, 12_000)]
      as [(Int64, Int64, Double)])
  func additiveSlopes(kilobits: Int64, roundTrip: Int64, slope: Double) {
    var control = AIMDRateControl()
    control.set(.kilobits(kilobits), origin: .probe, at: .zero)
    control.roundTrip = .milliseconds(roundTrip)
    #expect(abs(control.additiveIncreasePerSecond - slope) < 1e-6)
  }

  /// ExpectedPeriodAfterTypicalDrop, from 264 to 216 kbps with 260 acknowledged; BweLimitedByAckedBitrate.
  @Test func fallsAndBoundsOfSlowPaths() {
    var control = AIMDRateControl()
    control.set(.kilobits(264), origin: .probe, at: .zero)
    control.update(.overused, throughput: BitRate(bitsPerSecond: 260_000), at: time(100))
    #expect(control.estimate == .kilobits(216))
    var slow = AIMDRateControl()
    slow.set(.kilobits(10), origin: .probe, at: .zero)
    for step in 0..<200 { slow.update(.normal, throughput: .kilobits(10), at: time(Double(step) * 100)) }
    #expect(slow.estimate == .kilobits(25))
    slow.update(.normal, throughput: .kilobits(5), at: time(20_000))
    #expect(slow.estimate == .kilobits(25))
  }

  /// SendingRateBoundedWhenThroughputNotEstimated.
  @Test func withoutNewsTheLastThroughputBounds() {
    var control = AIMDRateControl()
    control.update(.normal, throughput: .kilobits(123), at: .zero)
    control.update(.normal, throughput: .kilobits(123), at: time(5001))
    for step in 0..<100 { control.update(.normal, throughput: nil, at: time(5001 + Double(step) * 100)) }
    #expect(control.isInitialized)
    #expect(control.estimate <= BitRate(bitsPerSecond: 194_500))
  }

  // MARK: send_side_bandwidth_estimation_unittest.cc

  /// InitialRembWithProbing, InitialDelayBasedBweWithProbing: within two seconds, higher estimates are followed at
  /// once.
  @Test(arguments: [true, false])
  func firstEstimatesApplyAtOnce(byDelay: Bool) {
    var estimator = SendSideEstimator()
    estimator.constrain(minimum: .kilobits(100), maximum: .kilobits(1500))
    estimator.set(.kilobits(200), bound: .start)
    estimator.report(lost: 0, of: 1, roundTrip: .milliseconds(50), at: .zero)
    var targets: [BitRate] = []
    for (rate, at) in [(1000, 0.0), (1500, 2001)] {
      if byDelay {
        estimator.limit(byDelay: .kilobits(Int64(rate)), bound: .delay)
      } else {
        estimator.limit(byReceiver: .kilobits(Int64(rate)))
      }
      estimator.update(at: time(at))
      targets.append(estimator.target)
    }
    #expect(targets == [.kilobits(1000), .kilobits(1000)])
  }

  /// SettingSendBitrateOverridesDelayBasedEstimate, FractionLossIsNotOverflowed.
  @Test func aSetRateRulesAndNegativeLossIsNone() {
    var estimator = SendSideEstimator()
    estimator.constrain(minimum: .kilobits(10), maximum: .megabits(10))
    estimator.set(.kilobits(300), bound: .start)
    estimator.limit(byDelay: .kilobits(350), bound: .delay)
    estimator.update(at: .zero)
    #expect(estimator.target >= .kilobits(300) && estimator.target <= .kilobits(350))
    estimator.set(.kilobits(2500), bound: .probe)
    #expect(estimator.target == .kilobits(2500))
    estimator.report(lost: -1, of: 100, roundTrip: .zero, at: time(1))
    #expect(estimator.fractionLost == 0)
  }

  // MARK: goog_cc_network_control_unittest.cc

  private func wholeController() -> GoogleCongestionControl {
    var parameters = GoogleCongestionControlParameters()
    parameters.constraints.start = .kilobits(60)
    parameters.constraints.minimum = .zero
    parameters.constraints.maximum = .kilobits(300)
    return GoogleCongestionControl(parameters: parameters, at: .zero)
  }

  /// InitializeTargetRateOnFirstProcessIntervalAfterNetworkAvailable, ReactsToChangedNetworkConditionsFromRemote.
  @Test func theReceiversLimitLeadsAtFirst() {
    var controller = wholeController()
    controller.process(at: .zero)
    #expect(controller.target == PathTarget(rate: .kilobits(60), pacing: .kilobits(150), padding: .zero))
    let probes = [controller.takeProbe()?.rate, controller.takeProbe()?.rate]
    #expect(probes == [.kilobits(180), .kilobits(300)])
    for (step, rate) in [(1.0, Int64(120)), (2, 60)] {
      controller.limit(to: .kilobits(rate), at: time(step * 25 - 25))
      controller.process(at: time(step * 25))
      #expect(controller.target.rate == .kilobits(rate))
      #expect(controller.target.pacing.rate?.bitsPerSecond == rate * 2500)
    }
  }

  /// UpdatesDelayBasedEstimate: six seconds of 1000 B every 50 ms, then six more in which each takes 50 ms longer.
  @Test func growingDelayLowersTheTarget() {
    var controller = wholeController()
    var sequence: Int64 = 0
    var now = 123.0
    var targets: [BitRate] = []
    for delay in [0.0, 50] {
      for step in 0..<120 {
        let result = received(sequence, sent: now, at: now + Double(step) * delay, size: 1000)
        sequence += 1
        controller.send(result.packet)
        controller.receive([result], at: time(now + Double(step) * delay))
        now += 50
        controller.process(at: time(now))
      }
      targets.append(controller.target.rate)
    }
    #expect(targets[1] < targets[0], "\(targets)")
  }
}
