import CongestionControl
import Quantity
import Testing

@Suite("Probe results")
struct ProbeResultTests {
  private func cluster(_ kilobits: Int64 = 1600, packets: Int32 = 8, milliseconds: Int64 = 15) -> ProbeCluster
  {
    ProbeCluster(
      id: 1, rate: .kilobits(kilobits), minimumPackets: packets, minimumDuration: .milliseconds(milliseconds),
      createdAt: .zero)
  }

  /// Returns the result for packets of 1000 B with these spacings in milliseconds.
  private func result(_ packets: Int, sent: Double, received spacing: Double, cluster: ProbeCluster) -> Int64?
  {
    var estimator = ProbeResultEstimator()
    for index in 0..<packets {
      let at = 100 + Double(index) * spacing
      estimator.add(
        received(Int64(index), sent: Double(index) * sent, at: at, size: 1000, cluster: 1), of: cluster)
    }
    return estimator.takeResult()?.bitsPerSecond
  }

  /// ProbeDetectionSlowerArrival of `delay_based_bwe_unittest.cc`, and its fast counterpart.
  @Test func slowerArrivalHasFoundTheCapacity() {
    // 1600 kbit/s are sent, 1142 arrive: 95 % of that.
    let slow = result(8, sent: 5, received: 7, cluster: cluster())
    #expect(slow.map { abs($0 - 1_083_000) <= 10_000 } == true)
    let fast = result(8, sent: 1, received: 2, cluster: cluster(8000, milliseconds: 1))
    #expect(fast.map { abs($0 - 3_800_000) <= 10_000 } == true)
  }

  @Test func anUnsaturatedPathGivesTheLesserRate() {
    #expect(result(8, sent: 5, received: 5, cluster: cluster()) == 1_600_000)
    #expect(result(8, sent: 5, received: 4, cluster: cluster()) == 1_600_000)
    // 8 / 5.5 is more than 0.9 of 8 / 5.
    #expect(result(8, sent: 5, received: 5.5, cluster: cluster()) == 1_454_545)
  }

  @Test func arrivalsMoreThanTwiceAsFastAreNoResult() {
    #expect(result(5, sent: 10, received: 1, cluster: cluster(800, packets: 5)) == nil)
    #expect(result(8, sent: 10, received: 5, cluster: cluster(800)) == 800_000)
  }

  @Test func fourFifthsOfPacketsAndBytesAreNeeded() {
    // 8 x 0.8 = 6.4: six packets; 3000 B x 0.8 = 2400 B.
    #expect(result(5, sent: 5, received: 5, cluster: cluster()) == nil)
    #expect(result(6, sent: 5, received: 5, cluster: cluster()) == 1_600_000)
    // 8000 kbit/s for 15 ms are 15 kB: 12 packets of 1 kB.
    #expect(result(11, sent: 1, received: 1, cluster: cluster(8000)) == nil)
    #expect(result(12, sent: 1, received: 1, cluster: cluster(8000)) == 8_000_000)
  }

  @Test func aClusterSpansASecondAtMost() {
    #expect(result(8, sent: 140, received: 140, cluster: cluster(57)) == 57_143)
    #expect(result(6, sent: 0, received: 5, cluster: cluster()) == nil)
    #expect(result(6, sent: 5, received: 0, cluster: cluster()) == nil)
    var estimator = ProbeResultEstimator()
    for index in 0..<6 {
      let sent = Double(index) * 210
      estimator.add(
        received(Int64(index), sent: sent, at: sent + 50, size: 1000, cluster: 1), of: cluster(38))
    }
    // Six packets are needed, and the sixth lies 1050 ms after the first.
    let result = estimator.takeResult()
    #expect(result == nil)
  }
}

@Suite("Probe timing")
struct ProbeControllerTests {
  private func controller(start: Int64 = 300, maximum: Int64? = nil) -> ProbeController {
    var controller = ProbeController(at: .zero)
    controller.constrain(
      start: .kilobits(start), maximum: maximum.map { .kilobits($0) } ?? .unlimited, at: .zero)
    return controller
  }

  private func expect(
    _ controller: inout ProbeController, _ expected: [Int64], at location: SourceLocation = #_sourceLocation
  ) {
    let found = rates(&controller)
    #expect(found == expected, sourceLocation: location)
  }

  private func rates(_ controller: inout ProbeController) -> [Int64] {
    var rates: [Int64] = []
    while let cluster = controller.take() { rates.append(cluster.rate.bitsPerSecond / 1000) }
    return rates
  }

  /// Returns a controller whose initial probing is over, with this estimate.
  private func settled(_ kilobits: Int64, maximum: Int64? = nil) -> ProbeController {
    var controller = controller(start: kilobits, maximum: maximum)
    _ = rates(&controller)
    controller.process(at: time(1001))
    return controller
  }

  @Test func initialProbesAreThreeAndSixTimesTheStart() {
    var controller = controller()
    let first = controller.take()
    #expect(first?.rate == .kilobits(900))
    #expect(first?.minimumPackets == 5)
    #expect(first?.minimumDuration == .milliseconds(15))
    expect(&controller, [1800])
  }

  @Test func goodResultsContinueTheProbing() {
    var controller = controller()
    _ = rates(&controller)
    controller.setEstimate(.kilobits(1260), limit: .delay, at: time(100))
    expect(&controller, [])
    controller.setEstimate(.kilobits(1300), limit: .delay, at: time(150))
    expect(&controller, [2600])
    controller.setEstimate(.kilobits(1800), limit: .delay, at: time(300))
    expect(&controller, [])
    controller.setEstimate(.kilobits(1900), limit: .delay, at: time(350))
    expect(&controller, [3800])
    // Probing stops at 5 Mbit/s unless the application sets a maximum rate.
    controller.setEstimate(.kilobits(3700), limit: .delay, at: time(400))
    expect(&controller, [5000])
    controller.setEstimate(.kilobits(4900), limit: .delay, at: time(450))
    expect(&controller, [])
  }

  @Test func resultsCountForASecond() {
    var controller = controller()
    _ = rates(&controller)
    controller.process(at: time(1000))
    controller.setEstimate(.kilobits(1200), limit: .delay, at: time(1000))
    controller.process(at: time(1001))
    controller.setEstimate(.kilobits(1700), limit: .delay, at: time(1002))
    expect(&controller, [])
  }

  @Test func aMaximumBoundsProbes() {
    var controller = controller(maximum: 1500)
    expect(&controller, [900, 1500])
    controller.setEstimate(.kilobits(1400), limit: .delay, at: time(100))
    expect(&controller, [])
  }

  @Test func aGreaterMaximumIsProbed() {
    var controller = settled(300, maximum: 1000)
    controller.constrain(start: nil, maximum: .kilobits(2000), at: time(2000))
    expect(&controller, [2000])
    controller.constrain(start: nil, maximum: .kilobits(1500), at: time(3000))
    expect(&controller, [])
  }

  @Test func allocationIsProbedInALimitedRegion() {
    var controller = settled(1000)
    controller.setMaximumAllocated(.kilobits(1500), at: time(2000))
    expect(&controller, [])
    controller.limitedRegionStartedAt = time(2500)
    // The allocation and twice that, each capped at twice the estimate.
    controller.setMaximumAllocated(.kilobits(1600), at: time(3000))
    expect(&controller, [1600, 2000])
    // A probe that was capped by the estimate may continue: the result is not below 0.7 of it.
    controller.setEstimate(.kilobits(1500), limit: .delay, at: time(3100))
    expect(&controller, [3000])
  }

  @Test func limitedRegionsAreProbedEveryFiveSecondsByFlag() {
    var controller = settled(1000)
    controller.limitedRegionStartedAt = time(2000)
    controller.process(at: time(7000))
    expect(&controller, [])
    controller.probesInLimitedRegion = true
    controller.process(at: time(6999))
    expect(&controller, [])
    controller.process(at: time(7000))
    expect(&controller, [2000])
    controller.process(at: time(8001))
    controller.process(at: time(11_999))
    expect(&controller, [])
    controller.process(at: time(12_000))
    expect(&controller, [2000])
  }

  /// Twice the estimate every 5 s, beyond the default maximum of 5 Mbit/s, up to twice what the streams could use.
  @Test func periodicProbesNeedNoLimitedRegion() {
    var controller = settled(4000)
    controller.probesPeriodically = true
    controller.setMaximumAllocated(.kilobits(10_000), at: time(2000))
    controller.process(at: time(4999))
    expect(&controller, [])
    controller.process(at: time(5000))
    expect(&controller, [8000])
    controller.setEstimate(.kilobits(7500), limit: .delay, at: time(5100))
    expect(&controller, [15_000])
    controller.setEstimate(.kilobits(14_000), limit: .delay, at: time(5200))
    expect(&controller, [20_000])
    controller.setEstimate(.kilobits(19_000), limit: .delay, at: time(5300))
    expect(&controller, [])
    controller.process(at: time(10_199))
    expect(&controller, [])
    controller.process(at: time(10_200))
    expect(&controller, [20_000])
  }

  @Test func aLimitThatHasPassedLetsProbesGoOn() {
    var controller = settled(1000)
    controller.probesPeriodically = true
    controller.setEstimate(.kilobits(1000), limit: .delayIncreased, at: time(2000))
    controller.process(at: time(6000))
    expect(&controller, [])
    controller.setLimit(.delay)
    controller.process(at: time(6025))
    expect(&controller, [2000])
  }

  @Test func aMaximumThatIsSetBoundsPeriodicProbesToo() {
    var controller = settled(1000, maximum: 3000)
    controller.probesPeriodically = true
    controller.setMaximumAllocated(.kilobits(10_000), at: time(2000))
    controller.process(at: time(5000))
    expect(&controller, [2000])
    controller.setEstimate(.kilobits(1900), limit: .delay, at: time(5100))
    expect(&controller, [3000])
  }

  @Test(arguments: [ProbeController.Limit.delayIncreased, .roundTrip, .loss])
  func troubleSuppressesProbes(limit: ProbeController.Limit) {
    var controller = settled(1000, maximum: 2000)
    controller.setEstimate(.kilobits(1000), limit: limit, at: time(2000))
    controller.constrain(start: nil, maximum: .kilobits(3000), at: time(2000))
    expect(&controller, [])
    controller.setEstimate(.kilobits(1000), limit: .lossIncreasing, at: time(3000))
    controller.constrain(start: nil, maximum: .kilobits(4000), at: time(3000))
    expect(&controller, [1500])
  }

  @Test func aLargeFallInALimitedRegionIsProbedAway() {
    var controller = settled(1000)
    controller.limitedRegionStartedAt = time(2000)
    controller.setEstimate(.kilobits(659), limit: .delay, at: time(6000))
    controller.recover(at: time(6500))
    expect(&controller, [850])
    // At most once in five seconds.
    controller.setEstimate(.kilobits(1000), limit: .delay, at: time(7000))
    controller.setEstimate(.kilobits(600), limit: .delay, at: time(8000))
    controller.recover(at: time(8500))
    expect(&controller, [])
    controller.recover(at: time(11_501))
    expect(&controller, [850])
  }

  /// 661 of 1000 kbit/s is more than 0.66: there is nothing to recover, although 850 would be far above.
  @Test func aSmallerFallIsNotProbedAway() {
    var controller = settled(1000)
    controller.limitedRegionStartedAt = time(2000)
    controller.setEstimate(.kilobits(661), limit: .delay, at: time(6000))
    controller.recover(at: time(6500))
    expect(&controller, [])
  }

  @Test func recoveryNeedsALateEnoughAndLimitedRegion() {
    var outside = settled(1000)
    outside.setEstimate(.kilobits(500), limit: .delay, at: time(6000))
    outside.recover(at: time(6500))
    expect(&outside, [])
    outside.endLimitedRegion(at: time(6600))
    outside.recover(at: time(9600))
    expect(&outside, [])
    outside.recover(at: time(9599))
    expect(&outside, [850])
    // A fall long ago was no mistake.
    var late = settled(1000)
    late.limitedRegionStartedAt = time(2000)
    late.setEstimate(.kilobits(500), limit: .delay, at: time(6000))
    late.recover(at: time(11_000))
    expect(&late, [])
  }
}
