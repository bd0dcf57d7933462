import CongestionControl
import Quantity
import Testing

/// A path for packets of 1000 B plus headers, reported in batches of ten.
private struct ReportedPath {
  var controller: LiveKitSendController
  var now = 0.0
  /// Arrival minus send time [ms].
  var delay = 50.0
  private var sequence: Int64 = 0
  private var batch: [PacketResult] = []
  /// Each state change, with the number of packets reported by then.
  private(set) var changes: [(PathCongestion, Int64)] = []

  init(start: BitRate? = nil) {
    var parameters = LiveKitSendParameters()
    if let start { parameters.start = start }
    controller = LiveKitSendController(parameters: parameters, at: .zero)
  }

  /// - Parameter growth: growth of the delay with each packet [ms].
  mutating func send(
    _ count: Int, every step: Double, growth: Double = 0, lost: (Int) -> Bool = { _ in false },
    cluster: Int32 = -1
  ) {
    for index in 0..<count {
      now += step
      delay += growth
      let packet = SentPacket(sequence: sequence, sentAt: time(now), size: 1038, probeCluster: cluster)
      sequence += 1
      let packets = [packet]
      controller.send(packets.span)
      batch.append(PacketResult(packet: packet, receivedAt: lost(index) ? nil : time(now + delay)))
      if batch.count == 10 { report() }
    }
  }

  mutating func report() {
    let before = controller.congestion
    controller.receive(batch, at: time(now + delay))
    batch = []
    if controller.congestion != before { changes.append((controller.congestion, sequence)) }
  }
}

@Suite("LiveKit's send-side estimator")
struct LiveKitSendControllerTests {
  @Test func aQuietPathIsBelievedToCarryEverything() {
    var path = ReportedPath()
    path.send(2500, every: 4)
    #expect(path.changes.isEmpty)
    #expect(path.controller.outlook().target.rate == .megabits(100))
    #expect(path.controller.outlook().target.pacing == .unlimited)
    #expect(path.controller.outlook().target.padding == .zero)
  }

  /// 2 Mbit/s into 1 Mbit/s: the queue grows by 4 ms a packet and exceeds 50 ms at the end of every group of 30
  /// packets. The first packet is not used, so two groups are complete with the 61st and four with the 121st, reported
  /// in the batches that end with the 70th and the 130th.
  @Test func aQueueThatGrowsIsCongestion() throws {
    var path = ReportedPath()
    path.send(69, every: 4, growth: 4)
    #expect(path.controller.congestion == .none)
    path.send(1, every: 4, growth: 4)
    #expect(path.controller.congestion == .earlyWarning)
    // 60 x 8000 bit in 59 x 4 ms, half of which is captured in time.
    #expect(path.controller.capacity == BitRate(bitsPerSecond: 1_016_949))
    path.send(59, every: 4, growth: 4)
    #expect(path.controller.congestion == .earlyWarning)
    path.send(1, every: 4, growth: 4)
    #expect(path.controller.congestion == .congested)
    // 120 x 8000 bit in 119 x 4 ms are 2 016 807 bit/s.
    #expect(path.controller.capacity == BitRate(bitsPerSecond: 1_008_404))
    #expect(!path.controller.mayProbe(at: time(10_000)))
  }

  /// The state returns after five groups without a queue, 120 ms each; six without loss. The capacity is that of the
  /// nine groups that span more than a second, 270 x 8000 bit in 269 x 4 ms, as there is no packet before the first.
  @Test func thePathRecovers() {
    var path = ReportedPath()
    path.send(130, every: 4, growth: 4)
    path.delay = 50
    path.send(300, every: 4)
    #expect(path.controller.congestion == .none)
    #expect(path.changes.map(\.0) == [.earlyWarning, .congested, .none])
    #expect(path.controller.capacity == BitRate(bitsPerSecond: 2_007_435))
  }

  @Test func anEarlyWarningPasses() {
    var path = ReportedPath()
    path.send(70, every: 4, growth: 4)
    path.delay = 50
    path.send(200, every: 4)
    #expect(path.changes.map(\.0) == [.earlyWarning, .none])
  }

  /// One of five packets lost at 250 a second weighs 0.2 x 2.398 = 0.48.
  @Test func lossIsCongestion() {
    var path = ReportedPath()
    path.send(400, every: 4, lost: { $0 % 5 == 4 })
    #expect(path.changes.map(\.0) == [.earlyWarning, .congested])
    // 1.6 Mbit/s, less what the loss takes off: 1 / (1 + 0.48 / 4).
    let capacity = Double(path.controller.capacity.bitsPerSecond)
    #expect(abs(capacity / 1.6e6 - 1 / 1.1199) < 0.01)
  }

  /// While congested the path slows down: 0.5, then 0.4, 0.35, 0.3 and 0.25 of the traffic is captured in time.
  @Test func congestionThatGrowsLowersTheCapacity() {
    var path = ReportedPath()
    path.send(130, every: 4, growth: 4)
    let first = path.controller.capacity
    var lowered = 0
    for growth in [6, 7.43, 9.33, 12, 16] {
      path.send(40, every: 4, growth: growth)
      if path.controller.capacity < first { lowered += 1 }
    }
    #expect(path.controller.congestion == .congested)
    #expect(lowered > 0 && lowered < 5)
    #expect(path.controller.capacity > .kilobits(500) && path.controller.capacity < .kilobits(900))
  }

  /// Four times the congesting rate is sent: a smaller share is captured, which still exceeds the former capacity.
  @Test func aLargerRateOfWhichLessIsCarriedDoesNotRaiseTheCapacity() {
    var path = ReportedPath()
    path.send(130, every: 4, growth: 4)
    let first = path.controller.capacity
    for growth in [1.0, 1.22, 1.5, 1.86, 2.33] { path.send(160, every: 1, growth: growth) }
    #expect(path.controller.congestion == .congested)
    #expect(path.controller.capacity == first)
  }

  /// Ratios step by 0.05; halves round up.
  @Test func congestionThatStaysDoesNot() {
    var path = ReportedPath()
    path.send(130, every: 4, growth: 4)
    let first = path.controller.capacity
    for index in 0..<100 {
      // Between 0.5 and 0.48, which rounds to 0.5.
      path.send(20, every: 4, growth: index % 2 == 0 ? 4 : 4.33)
    }
    #expect(path.controller.congestion == .congested)
    #expect(path.controller.capacity == first)
  }

  /// 20 packets 2 ms apart are 4 Mbit/s.
  @Test func aProbeRaisesTheCapacity() {
    var path = ReportedPath(start: .megabits(1))
    path.send(100, every: 10)
    #expect(path.controller.mayProbe(at: time(path.now)))
    path.controller.handle(.command(.beginProbe(7)), at: time(path.now))
    #expect(!path.controller.mayProbe(at: time(path.now + 9000)))
    path.send(20, every: 2, cluster: 7)
    #expect(path.controller.takeVerdict(at: time(path.now)) == nil)
    path.controller.handle(.command(.endProbe), at: time(path.now))
    #expect(path.controller.takeVerdict(at: time(path.now)) == .notCongesting)
    #expect(path.controller.takeVerdict(at: time(path.now)) == nil)
    #expect(path.controller.capacity == .megabits(4))
    #expect(path.controller.probeDuration == .milliseconds(300))
    // Three seconds after the probe began, at 1000 ms.
    #expect(!path.controller.mayProbe(at: time(4000)))
    #expect(path.controller.mayProbe(at: time(4000.001)))
  }

  /// A queue from 20 to 50 ms in the probe's own packets is inconclusive.
  @Test(arguments: [
    (0.99, ProbeVerdict.notCongesting), (1, .inconclusive), (2.5, .inconclusive), (2.51, .congesting),
  ])
  func theQueueDecidesAProbe(growth: Double, verdict: ProbeVerdict) {
    var path = ReportedPath(start: .megabits(5))
    path.send(100, every: 10)
    path.controller.handle(.command(.beginProbe(7)), at: time(path.now))
    path.send(20, every: 2, growth: growth, cluster: 7)
    path.controller.handle(.command(.endProbe), at: time(path.now))
    #expect(path.controller.takeVerdict(at: time(path.now)) == verdict)
    // A lower rate never lowers the capacity.
    #expect(path.controller.capacity == .megabits(5))
    #expect(path.controller.mayProbe(at: time(4000.001)) == (verdict != .congesting))
    #expect(path.controller.mayProbe(at: time(5000.001)))
  }

  /// One lost of ten at 500 packets a second weighs 0.27, one of twenty 0.135, one of forty 0.067.
  @Test(arguments: [(10, ProbeVerdict.congesting), (20, .inconclusive), (40, .notCongesting)])
  func theLossDecidesAProbe(every: Int, verdict: ProbeVerdict) {
    var path = ReportedPath(start: .megabits(5))
    path.send(100, every: 10)
    path.controller.handle(.command(.beginProbe(7)), at: time(path.now))
    path.send(80, every: 2, lost: { $0 % every == 3 }, cluster: 7)
    path.controller.handle(.command(.endProbe), at: time(path.now))
    #expect(path.controller.takeVerdict(at: time(path.now)) == verdict)
  }

  /// Five round trips: of 70 ms; of (70 + 270) / 2 after the first reading, which is taken at once; of (170 + 270) / 2
  /// after a reading more than 30 s later.
  @Test(
    arguments: [
      ([], 270, 350), ([1], 270, 850), ([1, 2, 30_001], 270, 850), ([1, 30_001.001], 270, 1100),
      ([1], 5000, 5000), ([1], 1, 250),
    ] as [(readings: [Double], roundTrip: Int64, settling: Double)])
  func aProbeWithoutFeedbackSettlesAfterFiveRoundTrips(
    readings: [Double], roundTrip: Int64, settling: Double
  ) {
    var path = ReportedPath()
    path.send(100, every: 10)
    for reading in readings {
      path.controller.receive(lost: 0, of: 10, roundTrip: .milliseconds(roundTrip), at: time(reading))
    }
    path.controller.handle(.command(.beginProbe(7)), at: time(70_000))
    path.send(5, every: 2, cluster: 7)
    path.controller.handle(.command(.endProbe), at: time(70_100))
    #expect(path.controller.takeVerdict(at: time(70_100 + settling)) == nil)
    #expect(path.controller.takeVerdict(at: time(70_100.001 + settling)) == .notCongesting)
  }

  @Test func congestionDuringAProbeCongests() {
    var path = ReportedPath(start: .megabits(5))
    path.send(100, every: 10)
    path.controller.handle(.command(.beginProbe(7)), at: time(path.now))
    path.send(100, every: 4, growth: 4, cluster: 7)
    #expect(path.controller.congestion == .earlyWarning)
    path.controller.handle(.command(.endProbe), at: time(path.now))
    // The probe's own packets determine the capacity, not the change of state.
    #expect(path.controller.capacity == .megabits(5))
    #expect(path.controller.takeVerdict(at: time(path.now)) == .congesting)
    #expect(path.controller.capacity == .megabits(5))
  }

  @Test func aResetForgetsTheEstimate() {
    var path = ReportedPath()
    path.send(130, every: 4, growth: 4)
    path.controller.handle(.command(.reset), at: time(path.now))
    #expect(path.controller.congestion == .none)
    #expect(path.controller.capacity == .megabits(100))
    #expect(path.controller.probeDuration == .milliseconds(200))
    path.send(60, every: 4)
    #expect(path.controller.congestion == .none)
  }
}

extension LiveKitSendController {
  fileprivate mutating func takeVerdict(at now: SimTime) -> ProbeVerdict? {
    takeSenderState(at: now)?.verdict
  }

  fileprivate func mayProbe(at now: SimTime) -> Bool {
    var later = self
    return later.takeSenderState(at: now)?.mayProbe ?? false
  }

  fileprivate var probeDuration: SimDuration? {
    var copy = self
    return copy.takeSenderState(at: .zero)?.probeDuration
  }
}
