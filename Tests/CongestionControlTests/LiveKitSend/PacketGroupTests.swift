import CongestionControl
import Quantity
import Testing

/// A packet of 1000 B, sent and received this many milliseconds after the one before.
func reported(
  _ sequence: Int64, at milliseconds: Double, _ fate: ReportedPacket.Fate = .acknowledged, sent: Double = 10,
  received: Double = 10
) -> ReportedPacket {
  ReportedPacket(
    sequence: sequence, sentAt: time(milliseconds), size: 1000, fate: fate, sent: time(sent).sinceStart,
    received: time(received).sinceStart)
}

@Suite("LiveKit's packet groups")
struct PacketGroupTests {
  private let bounds = LiveKitSendParameters().group

  @Test func aGroupIsCompleteWithThirtyAcknowledged() {
    var group = PacketGroup(bounds)
    for index in 0..<29 as Range<Int64> { _ = group.add(reported(index, at: 10 * Double(index + 1))) }
    // Lost packets do not count.
    for index in 29..<40 as Range<Int64> { _ = group.add(reported(index, at: 300, .lost)) }
    #expect(!group.isFinal)
    _ = group.add(reported(40, at: 410))
    #expect(group.isFinal)
    #expect(group.traffic.acknowledged == 30 && group.traffic.lost == 11)
  }

  /// The group starts with the packet before its first, at 0.
  @Test(arguments: [(500.0, false), (500.001, true)])
  func aGroupIsCompleteBeyondHalfASecond(at: Double, isFinal: Bool) {
    var group = PacketGroup(bounds)
    _ = group.add(reported(0, at: 10))
    _ = group.add(reported(1, at: at, sent: at - 10))
    #expect(group.isFinal == isFinal)
  }

  @Test func aCompleteGroupTakesLatePacketsOnly() {
    var group = PacketGroup(.init(packets: 2, duration: .seconds(1)))
    var admissions = [group.add(reported(5, at: 10)), group.add(reported(8, at: 20))]
    for sequence in [9, 7, 5, 4] as [Int64] { admissions.append(group.add(reported(sequence, at: 30))) }
    #expect(admissions == [.added, .added, .complete, .added, .added, .old])
  }

  @Test func aPacketThatArrivesAfterAllIsNotLost() {
    var group = PacketGroup(bounds)
    _ = group.add(reported(0, at: 10))
    _ = group.add(reported(1, at: 20, .lost))
    _ = group.add(reported(1, at: 20, .recovered))
    // Its loss was counted by an earlier group.
    _ = group.add(reported(2, at: 30, .recovered))
    #expect(group.traffic.lost == 0 && group.traffic.acknowledged == 3)
  }

  @Test func theQueueIsCarriedOver() {
    var group = PacketGroup(bounds, inherited: .milliseconds(30))
    _ = group.add(reported(0, at: 10, received: 25))
    #expect(group.queuing == .milliseconds(45))
    _ = group.add(reported(1, at: 60, sent: 50, received: 10))
    #expect(group.queuing == .milliseconds(5))
    _ = group.add(reported(2, at: 70, received: 0))
    #expect(group.queuing == .zero)
  }

  @Test func packetsGoToTheGroupTheyBelongTo() {
    var parameters = LiveKitSendParameters()
    parameters.group.packets = 2
    var groups = PacketGroups(parameters: parameters)
    for index in 0..<7 as Range<Int64> where index != 1 {
      groups.add(reported(2 * index, at: 10 * Double(index + 1), received: 15))
    }
    // 0 and 4, 6 and 8, 10 and 12: queues of 10, 20 and 30 ms, each on top of the one before.
    #expect(groups.count == 3)
    let queues = (0..<3).map { groups[$0].queuing }
    #expect(queues == [SimDuration.milliseconds(10), .milliseconds(20), .milliseconds(30)])
    groups.add(reported(2, at: 20))
    groups.add(reported(7, at: 45))
    // A packet between two groups belongs to neither.
    groups.add(reported(5, at: 35))
    let acknowledged = (0..<3).map { groups[$0].traffic.acknowledged }
    #expect(acknowledged == [3, 3, 2])
    groups.removeAll(before: time(30))
    #expect(groups.count == 2)
    groups.removeAll(before: time(30.001))
    #expect(groups.count == 1)
  }

  @Test func packetsAreReportedOnce() {
    var packets = ReportedPackets(history: 2048, header: ByteCount(38))
    for index in 0..<2049 as Range<Int64> {
      packets.send(SentPacket(sequence: index, sentAt: time(Double(index)), size: 1038))
    }
    // The first packet's slot has been reused, and the second is the oldest.
    #expect(packets.report(received(0, sent: 0, at: 50, size: 1038)) == nil)
    let first = packets.report(received(1, sent: 1, at: 51, size: 1038))
    #expect(first?.fate == .acknowledged && first?.size == 1000 && first?.sent == .zero)
    #expect(packets.report(received(1, sent: 1, at: 51, size: 1038)) == nil)
    #expect(packets.report(lost(1, sent: 1)) == nil)
    #expect(packets.report(lost(2, sent: 2))?.fate == .lost)
    #expect(packets.report(lost(2, sent: 2)) == nil)
    // Differences are relative to the previous acknowledged packet.
    let third = packets.report(received(3, sent: 3, at: 58, size: 1038))
    #expect(third?.sent == .milliseconds(2) && third?.received == .milliseconds(7))
    let second = packets.report(received(2, sent: 2, at: 60, size: 1038))
    #expect(second?.fate == .recovered && second?.sent == .milliseconds(-1))
    #expect(packets.lastReported == 3)
    packets.send(SentPacket(sequence: 2049, sentAt: time(2049), size: 1038))
    #expect(packets.report(received(2049, sent: 2049, at: 2100, size: 1038))?.fate == .acknowledged)
  }

  @Test func theFirstPacketIsNeverUsed() {
    var packets = ReportedPackets(history: 2048, header: ByteCount(38))
    packets.send(SentPacket(sequence: 0, sentAt: time(5), size: 1038))
    packets.send(SentPacket(sequence: 1, sentAt: time(6), size: 1038))
    #expect(packets.report(received(0, sent: 5, at: 50)) == nil)
    #expect(packets.report(received(1, sent: 6, at: 60))?.received == .zero)
  }
}

@Suite("LiveKit's traffic statistics")
struct TrafficStatisticsTests {
  private let loss = LiveKitLossParameters()

  /// Packets spread evenly over a duration [ms] that arrive within another.
  private func traffic(_ acknowledged: Int, lost: Int, over sent: Double, arriving received: Double? = nil)
    -> TrafficStatistics
  {
    var group = PacketGroup(.init(packets: .max, duration: .seconds(100)))
    let step = sent / Double(acknowledged)
    for index in 0..<acknowledged {
      let at = step * Double(index + 1)
      let received = (received ?? sent) / Double(acknowledged)
      _ = group.add(reported(Int64(index), at: at, sent: step, received: received))
    }
    for index in 0..<lost { _ = group.add(reported(Int64(acknowledged + index), at: sent, .lost)) }
    return group.traffic
  }

  /// One lost in twelve at 120 packets a second: log10 of 120 is 2.0792.
  @Test func lossIsWeightedByThePacketRate() {
    #expect(abs(traffic(11, lost: 1, over: 100).weightedLoss(loss) - 0.173265) < 1e-6)
    #expect(traffic(11, lost: 1, over: 99.9).weightedLoss(loss) == 0)
    #expect(traffic(12, lost: 0, over: 100).weightedLoss(loss) == 0)
  }

  /// 30 packets a second up to half a second; after 1.5 s 30/e = 11.04; after 5.5 s 30/e^5 = 0.2.
  @Test(arguments: [
    (14, 500.0, true), (13, 500, false), (16, 1500, true), (15, 1500, false), (1, 5500, true),
  ])
  func fewPacketsSayNothing(acknowledged: Int, over: Double, counts: Bool) {
    #expect((traffic(acknowledged, lost: 1, over: over).weightedLoss(loss) != 0) == counts)
  }

  @Test func theCapturedRatioIsSendTimeOverArrivalTime() {
    #expect(abs(traffic(10, lost: 0, over: 100, arriving: 125).capturedTrafficRatio(loss) - 0.8) < 1e-12)
    #expect(traffic(10, lost: 0, over: 100, arriving: 90).capturedTrafficRatio(loss) == 1)
    #expect(traffic(10, lost: 0, over: 100, arriving: 0).capturedTrafficRatio(loss) == 0)
    var reordered = TrafficStatistics()
    reordered.acknowledge(
      sentAt: .zero + .milliseconds(95), size: 1000, sent: .milliseconds(-5), received: .milliseconds(3))
    #expect(reordered.capturedTrafficRatio(loss) == 0)
    // A loss of 0.173265 adds a quarter of that share to the arrival time.
    let ratio = traffic(11, lost: 1, over: 100, arriving: 125).capturedTrafficRatio(loss)
    #expect(abs(ratio - 0.8 / 1.04331625) < 1e-6)
  }

  /// 10 x 1000 B in 100 ms are 800 kbit/s, of which 0.8 is captured.
  @Test func theAcknowledgedRateIsWhatIsCarried() {
    #expect(traffic(10, lost: 0, over: 100, arriving: 125).acknowledgedRate(loss) == .kilobits(640))
    #expect(TrafficStatistics().acknowledgedRate(loss) == nil)
  }
}

@Suite("LiveKit's regions")
struct LiveKitRegionTests {
  private let parameters: LiveKitSendParameters

  init() {
    var parameters = LiveKitSendParameters()
    parameters.group.packets = 10
    self.parameters = parameters
  }

  /// Groups of ten packets, `spacing` apart, each with a queue at its end [ms] and some lost packets.
  private func groups(_ queues: [Double], lost: [Int] = [], spacing: Double = 10) -> PacketGroups {
    var groups = PacketGroups(parameters: parameters)
    var sequence: Int64 = 0
    var now = 0.0
    var queue = 0.0
    for (index, end) in queues.enumerated() {
      for _ in 0..<(index < lost.count ? lost[index] : 0) {
        groups.add(reported(sequence, at: now, .lost))
        sequence += 1
      }
      for _ in 0..<10 {
        now += spacing
        groups.add(reported(sequence, at: now, sent: spacing, received: spacing + (end - queue) / 10))
        sequence += 1
      }
      queue = end
    }
    return groups
  }

  @Test(
    arguments: [
      ([0, 60, 70], PacketGroups.Region.Verdict.bad), ([0, 70, 60], .undecided), ([0, 0, 60], .undecided),
      ([0, 60, 60], .undecided), ([0, 50, 70], .undecided), ([0, 51, 70], .bad), ([10, 10, 10], .good),
      ([10, 10], .undecided), ([19, 19, 19], .good), ([20, 19, 19], .undecided), ([10, 10, 60], .undecided),
      ([10, 10, 10, 30], .good), ([10, 30, 10, 10], .undecided), ([60, 70, 30], .undecided),
    ] as [([Double], PacketGroups.Region.Verdict)])
  func earlyDelayRegions(queues: [Double], verdict: PacketGroups.Region.Verdict) {
    #expect(groups(queues).delayRegion(parameters.earlyWarning).verdict == verdict)
  }

  @Test func regionsLastLongEnough() {
    #expect(groups([0, 60, 70], spacing: 9.99).delayRegion(parameters.earlyWarning).verdict == .undecided)
    #expect(groups([0, 0, 0], spacing: 9.99).delayRegion(parameters.earlyWarning).verdict == .undecided)
    #expect(groups([0, 0, 0, 0], spacing: 9.99).delayRegion(parameters.earlyWarning).groups == 0..<4)
  }

  /// Nine of ten pairs rise: 0.8 is not enough. With a sixth group it is fourteen of fifteen: 0.867.
  @Test func theQueueOfABadRegionGrows() {
    let signal = parameters.congested
    #expect(groups([0, 60, 61, 62, 64, 63]).delayRegion(signal).verdict == .undecided)
    let region = groups([0, 59, 60, 61, 62, 64, 63]).delayRegion(signal)
    #expect(region.verdict == .bad && region.groups == 1..<7)
    #expect(groups([0, 60, 61, 62]).delayRegion(signal).verdict == .undecided)
    #expect(groups([0, 60, 61, 62, 63]).delayRegion(signal).groups == 1..<5)
    #expect(groups([0, 0, 0, 0]).delayRegion(signal).verdict == .undecided)
    #expect(groups([0, 0, 0, 0, 0]).delayRegion(signal).verdict == .good)
  }

  @Test func theGroupThatIsNotCompleteDoesNotCount() {
    var groups = groups([0, 60, 70])
    groups.add(reported(100, at: 310, received: 0))
    #expect(groups.count == 4)
    #expect(groups.delayRegion(parameters.earlyWarning).groups == 1..<3)
  }

  /// Two lost of twelve at 120 packets a second weigh 0.347, one of eleven 0.186.
  @Test func earlyLossRegions() {
    let signal = parameters.earlyWarning
    #expect(groups([0, 0, 0], lost: [2, 2, 2]).lossRegion(signal).groups == 0..<3)
    #expect(groups([0, 0, 0], lost: [2, 2, 2]).lossRegion(signal).verdict == .bad)
    #expect(groups([0, 0], lost: [2, 2]).lossRegion(signal).verdict == .undecided)
    #expect(groups([0, 0, 0], lost: [1, 1, 1]).lossRegion(signal).verdict == .undecided)
    // Once tested, older losses no longer count.
    #expect(groups([0, 0, 0, 0, 0], lost: [9, 9, 1, 1, 1]).lossRegion(signal).verdict == .undecided)
    #expect(groups([0, 0, 0, 0]).lossRegion(signal).verdict == .good)
    #expect(groups([0, 0, 0]).lossRegion(signal).verdict == .undecided)
  }

  @Test func lossRegionsOfCongestion() {
    let signal = parameters.congested
    let five = Array(repeating: 0.0, count: 5)
    #expect(groups(five, lost: [2, 2, 2, 2, 2]).lossRegion(signal).verdict == .undecided)
    #expect(groups(five + [0], lost: [2, 2, 2, 2, 2, 2]).lossRegion(signal).verdict == .bad)
    #expect(groups(five).lossRegion(signal).verdict == .undecided)
    #expect(groups(five + [0]).lossRegion(signal).verdict == .good)
  }

  @Test func aWindowIsMoreThanItsTime() {
    let groups = groups(Array(repeating: 0, count: 12))
    #expect(groups.traffic(beyond: .seconds(1))?.acknowledged == 110)
    #expect(groups.traffic(beyond: .milliseconds(1200)) == nil)
  }
}
