import CongestionControl
import Quantity
import Testing

/// libwebrtc's own scenarios on a packet link, with its tolerances (`goog_cc_network_control_unittest.cc`,
/// `test/scenario/probing_test.cc`).
@Suite("Google Congestion Control on a link")
struct ClosedLoopTests {
  private func link(_ kilobits: Int64?, delay: Int64, back: Int64? = nil) -> ClosedLoop.Link {
    var link = ClosedLoop.Link()
    if let kilobits { link.capacity = .kilobits(kilobits) }
    link.delay = .milliseconds(delay)
    link.returnDelay = .milliseconds(back ?? delay)
    return link
  }

  private func loop(
    _ constraints: RateConstraints, _ link: ClosedLoop.Link, reports: ClosedLoop.Reports = .transport,
    parameters: GoogleCongestionControlParameters = .init(), clockOffset: SimDuration = .zero,
    phase: Int64 = 0
  ) -> ClosedLoop {
    var parameters = parameters
    parameters.constraints = constraints
    return ClosedLoop(
      GoogleCongestionControl(parameters: parameters, at: .zero), link: link, reports: reports,
      receiverClockOffset: clockOffset, phase: phase)
  }

  /// UpdatesTargetRateBasedOnLinkCapacity; a receiver clock that is hours off changes nothing.
  @Test(arguments: [SimDuration.zero, .seconds(10_000), .seconds(-10_000)], [Int64(0), 13, 26, 39])
  func targetFollowsTheCapacity(clockOffset: SimDuration, phase: Int64) {
    var loop = loop(
      constraints(start: 300, minimum: 10, maximum: 1500), link(500, delay: 100), clockOffset: clockOffset,
      phase: phase)
    loop.run(for: .seconds(25))
    #expect(abs(loop.kilobits - 450) <= 100, "\(loop.kilobits)")
    loop.link.capacity = .kilobits(800)
    loop.run(for: .seconds(20))
    #expect(abs(loop.kilobits - 750) <= 150, "\(loop.kilobits)")
    loop.link.capacity = .kilobits(100)
    loop.link.delay = .milliseconds(200)
    loop.link.returnDelay = .milliseconds(200)
    loop.run(for: .seconds(50))
    #expect(abs(loop.kilobits - 90) <= 25, "\(loop.kilobits)")
    #expect(abs(loop.controller.roundTrip.milliseconds - 400) < 300)
  }

  /// LossBasedControlDoesModestBackoffToHighLoss.
  @Test func randomLossCostsLittle() {
    var lossy = link(2000, delay: 200)
    lossy.loss = 0.1
    var loop = loop(constraints(start: 300, minimum: 10, maximum: 1500), lossy)
    loop.run(for: .seconds(120))
    #expect(loop.kilobits > 100, "\(loop.kilobits)")
  }

  /// The first part of FastRampupOnRembCapLifted: the receiver's limit holds while it lasts and leaves the estimate
  /// unchanged.
  @Test(arguments: [Int64(50), 200], [Int64(0), 10, 20, 30, 40])
  func theReceiversLimitCapsTheTarget(delay: Int64, phase: Int64) {
    var loop = loop(
      constraints(start: 1000, minimum: 30, maximum: 3000), link(2000, delay: delay), phase: phase)
    loop.run(for: .seconds(10))
    #expect(loop.kilobits > 1500, "\(loop.kilobits)")
    loop.controller.limit(to: .kilobits(250), at: loop.now)
    loop.run(for: .seconds(1))
    #expect(loop.target == .kilobits(250))
    #expect(loop.controller.reason == .receiver)
    loop.controller.limit(to: .kilobits(10_000), at: loop.now)
    #expect(loop.kilobits > 1500, "\(loop.kilobits)")
  }

  /// FallbackToLossBasedBweWithoutPacketFeedback.
  @Test func lossReportsBoundTheTargetWithoutFeedback() {
    var narrow = link(1000, delay: 100, back: 0)
    narrow.queue = 37_500
    var loop = loop(constraints(start: 1000, minimum: 30, maximum: 3000), narrow, reports: .receiver)
    loop.run(for: .seconds(20))
    #expect(loop.kilobits >= 500, "\(loop.kilobits)")
    loop.link.loss = 0.15
    loop.run(for: .seconds(20))
    #expect(loop.kilobits <= 300, "\(loop.kilobits)")
    #expect(loop.controller.reason == .loss)
  }

  /// MaintainsLowRateInSafeReset, before the route changes.
  @Test func aNarrowLinkIsKnownAfterHalfASecond() {
    var loop = loop(constraints(start: 300, minimum: 30, maximum: 3000), link(200, delay: 10, back: 0))
    loop.run(for: .milliseconds(500))
    #expect(abs(loop.kilobits - 200) <= 50, "\(loop.kilobits)")
  }

  /// InitialProbingRampsUpTargetRateWhenNetworkIsGood.
  @Test func initialProbesFindTwoMegabits() {
    var loop = loop(constraints(start: 300, minimum: 30, maximum: 3000), link(2000, delay: 0))
    loop.run(for: .seconds(1))
    #expect(loop.kilobits >= 900, "\(loop.kilobits)")
  }

  /// MidCallProbingRampupTriggeredByUpdatedBitrateConstraints: its first second, and the rest.
  @Test func probesFollowTheConstraints() {
    var loop = loop(constraints(start: 300, minimum: 30, maximum: 3000), link(nil, delay: 0))
    loop.run(for: .seconds(1))
    #expect(loop.kilobits >= 1500, "\(loop.kilobits)")
    loop.controller.constrain(constraints(start: 300, minimum: 30, maximum: 100), at: loop.now)
    loop.run(for: .seconds(2))
    #expect(loop.kilobits < 110, "\(loop.kilobits)")
    #expect(loop.controller.reason == .maximum)
    loop.controller.constrain(constraints(start: 300, minimum: 30, maximum: 3000), at: loop.now)
    loop.run(for: .seconds(1))
    #expect(loop.kilobits >= 1500, "\(loop.kilobits)")
  }

  /// A camera that uses little of the path's capacity: no probes after the initial ones, unless the flag is set as for
  /// a screen share; then one every five seconds.
  @Test(arguments: [false, true])
  func anApplicationLimitedSenderProbesByFlag(probes: Bool) {
    var loop = loop(constraints(start: 300, minimum: 30), link(4000, delay: 20))
    var demand = SenderDemand()
    demand.probesWhenApplicationLimited = probes
    loop.controller.demand(demand, at: .zero)
    loop.sourceRate = .kilobits(300)
    loop.run(for: .seconds(3))
    let first = loop.probed.count
    #expect(first >= 2)
    let isLimited = loop.controller.isApplicationLimited
    #expect(isLimited)
    let before = loop.target
    loop.run(for: .seconds(20))
    let clusters = loop.probed[first...]
    #expect(clusters.isEmpty == !probes)
    for (one, next) in zip(clusters, clusters.dropFirst()) {
      // A good result continues at once; the next round waits.
      let gap = next.createdAt - one.createdAt
      #expect(gap < .seconds(1) || gap >= .seconds(5))
    }
    // The estimate is kept although only part of it is used.
    if !probes { #expect(loop.target == before) }
    #expect(loop.target >= before.scaled(by: 0.9))
  }

  /// The initial probes fill the queue of a slow link for seconds; then the target settles and the queue drains.
  @Test func aSlowLinkIsNotStarvedByItsProbes() {
    var loop = loop(constraints(start: 300, minimum: 30, maximum: 3000), link(200, delay: 10))
    loop.run(for: .seconds(30))
    #expect(abs(loop.kilobits - 190) <= 50, "\(loop.kilobits)")
    _ = loop.takeLongestWait()
    loop.run(for: .seconds(30))
    #expect(loop.takeLongestWait() < .milliseconds(500))
  }

  /// Without probes the estimate grows by 8 % a second: from 500 to 3600 kbit/s in ln 7.2 / ln 1.08 = 25.7 s.
  @Test func growthWithoutProbesIsEightPerCentASecond() {
    var parameters = GoogleCongestionControlParameters()
    parameters.probing.initialFactors = []
    var loop = loop(constraints(start: 500), link(10_000, delay: 30), parameters: parameters)
    while loop.kilobits < 3600, loop.now < .zero + .seconds(60) { loop.run(for: .milliseconds(10)) }
    #expect(loop.probed.isEmpty)
    #expect(abs(loop.now.seconds - 25.7) <= 1, "\(loop.now.seconds)")
  }
}

extension SimDuration {
  fileprivate var milliseconds: Double { Double(nanoseconds) / 1e6 }
}
