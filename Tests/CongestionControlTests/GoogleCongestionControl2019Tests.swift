import CongestionControl
import Quantity
import Testing

@Suite("Google Congestion Control of 2019")
struct GoogleCongestionControl2019Tests {
  private func controller(_ start: Int64 = 600) -> GoogleCongestionControl2019 {
    var parameters = GoogleCongestionControl2019Parameters()
    parameters.constraints.start = .kilobits(start)
    return GoogleCongestionControl2019(parameters: parameters, at: .zero)
  }

  private func bounded(_ start: Int64 = 600, most: Int64, at now: Double = 0) -> GoogleCongestionControl2019 {
    var controller = controller(start)
    controller.handle(
      .command(.bound(minimum: .kilobits(30), maximum: RateLimit(.kilobits(most)))), at: time(now))
    return controller
  }

  private func send(_ packets: [SentPacket], _ controller: inout GoogleCongestionControl2019) {
    controller.send(packets.span)
  }

  private func probes(_ controller: inout GoogleCongestionControl2019) -> [ProbeCluster] {
    var all: [ProbeCluster] = []
    while let cluster = controller.takeProbe() { all.append(cluster) }
    return all
  }

  // MARK: Losses

  /// 100 packets in one message. With up to 5/256 lost the target follows the delay-based estimate, which grows by 1
  /// kbps; 26/256 or more lower it by half the loss, once.
  @Test(arguments: [(0, 1_001_000), (2, 1_001_000), (3, 1_000_000), (10, 1_000_000), (20, 900_391)])
  func lossesCountByTheRuleOfReports(count: Int, target: Int64) {
    var controller = controller(1000)
    let feedback = (0..<100).map { index in
      let sent = Double(index)
      return index % 5 == 4 && index / 5 < count
        ? lost(Int64(index), sent: sent) : received(Int64(index), sent: sent, at: sent + 20)
    }
    send(feedback.map(\.packet), &controller)
    controller.receive(feedback, at: time(150))
    #expect(controller.target.rate.bitsPerSecond == target)
    controller.process(at: time(160))
    #expect(controller.target.rate.bitsPerSecond == target)
  }

  @Test func lossesAreReportedAfterMoreThanASecond() {
    var losses = FeedbackLosses()
    let message = [lost(0, sent: 0), received(1, sent: 0, at: 20)]
    let reports = [
      losses.add(message, at: time(100)), losses.add(message, at: time(600)),
      losses.add([received(2, sent: 0, at: 20)], at: time(1100)), losses.add(message, at: time(1101)),
    ]
    #expect(reports.map { $0?.lost } == [1, nil, nil, 2])
    #expect(reports.map { $0?.expected } == [2, nil, nil, 5])
  }

  // MARK: Bounds

  @Test func probingBeginsWithTheFirstBoundsOrPacket() {
    var idle = controller()
    #expect(idle.outlook().target.rate == .kilobits(600))
    #expect(idle.outlook().target.pacing == RateLimit(.kilobits(1500)))
    #expect(probes(&idle).isEmpty)
    send([SentPacket(sequence: 0, sentAt: time(10), size: 1000)], &idle)
    #expect(probes(&idle).map(\.rate) == [.kilobits(1800), .kilobits(3600)])
    // Initial probes are not limited by the desired rate.
    var bounded = bounded(most: 600)
    #expect(probes(&bounded).map(\.rate) == [.kilobits(1800), .kilobits(3600)])
  }

  /// The estimate is 600 kbps and the maximum rises from 1 to 4 Mbps: 4 and 8 Mbps are probed, limited by the old
  /// maximum; the probe of the raised limit itself is lost.
  @Test func aRaisedMaximumIsProbedUpToTheOldOne() {
    var controller = bounded(most: 1000)
    _ = probes(&controller)
    controller.process(at: time(1100))
    controller.handle(.command(.bound(minimum: .kilobits(30), maximum: .kilobits(4000))), at: time(1200))
    #expect(probes(&controller).map(\.rate) == [.kilobits(1000), .kilobits(1000)])
    // A call that does not change the maximum causes no probe.
    controller.process(at: time(2300))
    controller.handle(.command(.bound(minimum: .kilobits(30), maximum: .kilobits(4000))), at: time(2400))
    #expect(probes(&controller).isEmpty)
  }

  @Test func boundsHoldOnceTheTargetChanges() {
    var controller = bounded(1000, most: 700)
    // The target as the server sees it lags behind until the controller has something to announce.
    #expect(controller.target.rate == .kilobits(1000))
    let feedback = (0..<30).map { received(Int64($0), sent: Double($0), at: Double($0) + 20) }
    send(feedback.map(\.packet), &controller)
    controller.receive(feedback, at: time(100))
    #expect(controller.target.rate == .kilobits(700))
  }

  // MARK: Probes

  /// Silence for 3 s after 100 ms counts as application-limited at the next check; five seconds later twice the
  /// estimate is probed.
  @Test func silenceIsProbed() {
    var controller = bounded(most: 2000)
    _ = probes(&controller)
    send([SentPacket(sequence: 0, sentAt: time(100), size: 1000)], &controller)
    var found: [ProbeCluster] = []
    for tick in 1...400 {
      controller.process(at: time(Double(tick) * 25))
      found += probes(&controller)
    }
    #expect(found.map(\.rate) == [.kilobits(1200)])
    #expect(found.first?.createdAt == time(8125))
  }

  /// Eight packets of 450 B at 1.8 Mbps that arrive 12 ms apart: 7 x 450 B in 84 ms are 300 kbps, of which 95 % count,
  /// although the estimate was higher.
  @Test func aProbeMayLowerTheEstimate() {
    var controller = bounded(most: 2000)
    let cluster = probes(&controller)[0]
    let feedback = (0..<8).map { index in
      received(
        Int64(index), sent: Double(index) * 2, at: 20 + Double(index) * 12, size: 488, cluster: cluster.id)
    }
    send(feedback.map(\.packet), &controller)
    controller.receive(feedback, at: time(130))
    #expect(controller.target.rate == .kilobits(285))
  }

  // MARK: Overuse while application-limited

  /// Overuse lowers the estimate by 15 % and requests a probe.
  @Test(arguments: [(nil, 170, false), (1000, 850, true)] as [(Int64?, Int64, Bool)])
  func overuseInALimitedRegionLowersTheEstimateItself(limited: Int64?, estimate: Int64, recovers: Bool) {
    var parameters = AIMDParameters()
    parameters.drainReserve = .zero
    var delay = DelayBasedEstimator(rateControl: parameters)
    delay.start(at: .kilobits(1000))
    var last: DelayBasedEstimator.Update?
    for index in 0..<100 where last?.estimate.map({ $0 < .kilobits(900) }) != true {
      let sent = Double(index) * 10
      last = delay.update(
        [received(Int64(index), sent: sent, at: 20 + sent * 1.5)], throughput: .kilobits(200), probe: nil,
        limitedRate: limited.map { BitRate.kilobits($0) }, at: time(sent * 1.5 + 40))
    }
    #expect(last?.estimate == .kilobits(estimate))
    #expect(last?.hasRecovered == recovers)
  }
}

@Suite("Bayesian acknowledged rate")
struct BayesianThroughputTests {
  /// Adds packets every 10 ms.
  private func add(_ throughput: inout BayesianThroughput, bytes: Int64, from first: Int, to last: Int) {
    for time in stride(from: first, through: last, by: 10) {
      let at = CongestionControlTests.time(Double(time))
      throughput.add(bytes: bytes, sentAt: at, receivedAt: at)
    }
  }

  /// 50 packets of 1250 B in 500 ms are 1 Mbps.
  @Test func theFirstWindowTakesHalfASecond() {
    var throughput = BayesianThroughput()
    add(&throughput, bytes: 1250, from: 0, to: 490)
    #expect(throughput.rate == nil)
    add(&throughput, bytes: 1250, from: 500, to: 500)
    #expect(throughput.rate == .kilobits(1000))
  }

  /// 15 packets of 2500 B in 150 ms are 2 Mbps, ten times 1 Mbps off the estimate: a variance of 100 against 50 + 5, or
  /// 50 + 200 + 5 after an application-limited region.
  @Test(arguments: [(false, 1_354_839), (true, 1_718_310)])
  func laterWindowsCountByTheirDistance(wasLimited: Bool, rate: Int64) {
    var throughput = BayesianThroughput()
    add(&throughput, bytes: 1250, from: 0, to: 490)
    add(&throughput, bytes: 2500, from: 500, to: 500)
    if wasLimited { throughput.endLimitedRegion(at: time(505)) }
    add(&throughput, bytes: 2500, from: 510, to: 640)
    #expect(throughput.rate == .kilobits(1000))
    add(&throughput, bytes: 2500, from: 650, to: 650)
    #expect(throughput.rate?.bitsPerSecond == rate)
  }

  /// A pause longer than a window discards its bytes; the part beyond whole windows counts as time.
  @Test func aPauseDiscardsTheWindow() {
    var throughput = BayesianThroughput()
    add(&throughput, bytes: 1250, from: 0, to: 600)
    add(&throughput, bytes: 1250, from: 900, to: 950)
    // 100 ms of the window had passed at 600; at 900 it is 400 mod 150 = 100, so it ends at 950, with five packets.
    // 5 x 1250 B in 150 ms are a third of 1 Mbps: 6.67 squared, 44.4, against 55.
    #expect(throughput.rate?.bitsPerSecond == 631_285)
  }
}
