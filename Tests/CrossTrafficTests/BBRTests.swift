import CrossTraffic
import Quantity
import Testing

/// Handmade acknowledgements: a path of 100 segments a second and 100 ms holds ten segments.
private struct HandDriven {
  var model = BBRWindow(initial: 10)
  private(set) var now = SimTime.zero
  private(set) var delivered: Int64 = 0

  /// Acknowledges one round of segments, 100 ms after the last.
  mutating func round(rate: Double, roundTrip: Int64 = 100, inFlight: Int = 10, lost: Int = 0) {
    now = now + .milliseconds(100)
    let prior = delivered
    delivered += 10
    let sample = DeliverySample(
      delivered: Int64(rate), priorDelivered: prior, interval: .seconds(1),
      roundTrip: .milliseconds(roundTrip))
    model.acknowledge(
      BBRAcknowledgement(
        sample: sample, totalDelivered: delivered, acknowledged: 10, lost: lost, priorInFlight: inFlight,
        inFlight: inFlight), isRecovering: false, at: now)
  }
}

@Suite("BBR version 1 by hand")
struct BBRWindowTests {
  @Test func startupEndsAfterThreeRoundsWithoutAQuarterMore() {
    var path = HandDriven()
    // 124 % of the initial 100 is not growth; 125 % is.
    path.round(rate: 100, inFlight: 40)
    path.round(rate: 124, inFlight: 40)
    path.round(rate: 125, inFlight: 40)
    #expect(path.model.mode == .startup && !path.model.isFull)
    for _ in 0..<2 { path.round(rate: 125, inFlight: 60) }
    #expect(!path.model.isFull)
    path.round(rate: 125, inFlight: 60)
    #expect(path.model.isFull && path.model.mode == .drain)
    // 99 % of 125 a second, over 2.885.
    #expect(abs(path.model.pacingRate - 125 * 0.99 / 2.885) < 1e-9)
    // The product is 12.5, rounded up, plus three bursts of one: 13 + 3 = 16 segments.
    path.round(rate: 125, inFlight: 17)
    #expect(path.model.mode == .drain)
    path.round(rate: 125, inFlight: 16)
    #expect(path.model.mode == .probeBandwidth && path.model.phase == 2)
  }

  /// Six phases at the path's rate, one at 5/4, one at 3/4; each lasts longer than the minimum round trip.
  @Test func theGainCycles() {
    var path = HandDriven()
    for _ in 0..<5 { path.round(rate: 100) }
    #expect(path.model.mode == .probeBandwidth)
    var phases: [Int] = []
    for _ in 0..<40 {
      path.round(rate: 100, roundTrip: 90, inFlight: 40)
      if phases.last != path.model.phase { phases.append(path.model.phase) }
    }
    #expect(Array(phases.prefix(9)) == [3, 4, 5, 6, 7, 0, 1, 2, 3])
    while path.model.phase != 0 { path.round(rate: 100, roundTrip: 90, inFlight: 40) }
    #expect(abs(path.model.pacingRate - 123.75) < 1e-9)
    path.round(rate: 100, roundTrip: 90, inFlight: 40)
    #expect(path.model.phase == 1 && abs(path.model.pacingRate - 74.25) < 1e-9)
  }

  /// A probe continues until 5/4 of the path's product is in flight, or something is lost.
  @Test func aProbeLastsUntilThePathIsFuller() {
    var path = HandDriven()
    for _ in 0..<5 { path.round(rate: 100) }
    while path.model.phase != 0 { path.round(rate: 100, roundTrip: 90, inFlight: 40) }
    // The product of 100 a second and 90 ms is 9; 5/4 of it is 12, with three bursts of two 18, while probing 20.
    path.round(rate: 100, roundTrip: 90, inFlight: 19)
    #expect(path.model.phase == 0)
    var lossy = path
    lossy.round(rate: 100, roundTrip: 90, inFlight: 19, lost: 1)
    #expect(lossy.model.phase == 1)
    path.round(rate: 100, roundTrip: 90, inFlight: 20)
    #expect(path.model.phase == 1)
  }

  /// The rate is the maximum over ten rounds.
  @Test func aRateIsForgottenAfterTenRounds() {
    var path = HandDriven()
    path.round(rate: 300)
    for _ in 0..<9 { path.round(rate: 100) }
    #expect(path.model.path.rate == 300)
    path.round(rate: 100)
    #expect(path.model.path.rate == 100)
  }

  /// After ten seconds without a lower round trip the window falls to four segments for 200 ms and a round.
  @Test func theRoundTripIsMeasuredAgain() {
    var path = HandDriven()
    path.round(rate: 100, roundTrip: 90)
    while path.now < seconds(10.1) { path.round(rate: 100) }
    #expect(path.model.mode != .probeRoundTrip)
    path.round(rate: 100)
    #expect(path.model.mode == .probeRoundTrip && path.model.window == 4)
    let before = path.now
    while path.model.mode == .probeRoundTrip { path.round(rate: 100, inFlight: 4) }
    // The first acknowledgement with four in flight starts the 200 ms.
    #expect(path.now - before == .milliseconds(400))
    #expect(path.model.window > 10)
    #expect(path.model.path.leastRoundTrip == .milliseconds(100))
  }

  @Test func aTimeoutLeavesOneSegment() {
    var path = HandDriven()
    for _ in 0..<8 { path.round(rate: 100) }
    let before = path.model.window
    path.model.collapse()
    #expect(path.model.window == 1)
    path.round(rate: 100)
    #expect(path.model.window >= before)
  }
}

@Suite("BBR through a bottleneck of 2 Mbps with 300 ms of queue")
struct BBRClosedLoopTests {
  private let full = 2e6 * 1448 / 1500

  private func sender(_ control: TCPCongestionControl) -> TCPSender {
    var parameters = TCPParameters()
    parameters.congestionControl = control
    return TCPSender(parameters: parameters)
  }

  /// Cardwell et al. 2016: a lone flow fills the link without filling its queue.
  @Test(arguments: [TCPCongestionControl.bbr, .bbr3])
  func aLoneFlowFillsTheLinkAndNotItsQueue(control: TCPCongestionControl) {
    var loop = Bottleneck([sender(control)])
    loop.run(until: seconds(10))
    let (before, drops) = (loop.receivers[0].received, loop.drops)
    loop.run(until: seconds(70))
    let share = Double(loop.receivers[0].received.bytes - before.bytes) * 8 / 60 / full
    #expect(share > 0.9 && share <= 1.001, "\(share)")
    #expect(loop.drops == drops, "\(loop.drops - drops) dropped")
  }

  /// Figure 8 of Cardwell et al. 2016, and Hock et al. 2017: losses that halve CUBIC's window leave BBR its rate.
  @Test(arguments: [(TCPCongestionControl.bbr, 0.85), (.bbr3, 0.7)])
  func randomLossCostsLittle(control: TCPCongestionControl, least: Double) {
    var loop = Bottleneck([sender(control)])
    loop.loss = 0.01
    loop.run(until: seconds(10))
    let before = loop.receivers[0].received
    loop.run(until: seconds(70))
    let share = Double(loop.receivers[0].received.bytes - before.bytes) * 8 / 60 / full
    #expect(share > least, "\(share)")
  }

  @Test(arguments: [TCPCongestionControl.bbr, .bbr3])
  func anOutageOfFiveSecondsIsSurvived(control: TCPCongestionControl) {
    var loop = Bottleneck([sender(control)])
    loop.outage = seconds(20)..<seconds(25)
    loop.run(until: seconds(31))
    let before = loop.receivers[0].received
    loop.run(until: seconds(41))
    let share = Double(loop.receivers[0].received.bytes - before.bytes) * 8 / 10 / full
    #expect(share > 0.85, "\(share)")
  }

  /// Against one CUBIC flow in a queue of several products, version 1 keeps a share bounded by its window: Ware et al.
  /// 2019 (IMC, "Modeling BBR's interactions with loss-based congestion control") find 40 % or more in queues of up to
  /// several products.
  @Test func besideCUBIC() {
    var loop = Bottleneck([sender(.bbr), sender(.cubic)], starts: [.zero, seconds(1.3)])
    loop.run(until: seconds(30))
    let before = loop.receivers.map(\.received.bytes)
    loop.run(until: seconds(150))
    let rates = zip(loop.receivers, before).map { Double($0.received.bytes - $1) * 8 / 120 / full }
    #expect((0.2...0.7).contains(rates[0] / (rates[0] + rates[1])), "\(rates)")
  }
}
