import CongestionControl
import Quantity
import TestSupport
import Testing

@Suite("NADA step by step")
struct NADAControllerTests {

  private func controller(_ change: (inout RateConstraints) -> Void = { _ in }) -> NADAController {
    var constraints = RateConstraints()
    change(&constraints)
    return NADAController(constraints: constraints, at: .zero)
  }

  /// Packets of 375 bytes sent every 10 ms from `first` on (300 kbps), with feedback 100 ms after the last.
  private func feedback(
    _ controller: inout NADAController, packets range: Range<Int64>, delay: Int64, clock: Int64 = 0,
    lost: Set<Int64> = []
  ) {
    let results = range.map { number in
      let packet = SentPacket(sequence: number, sentAt: .ms(number * 10), size: 375)
      let arrival = SimTime.ms(number * 10 + delay + clock)
      return PacketResult(packet: packet, receivedAt: lost.contains(number) ? nil : arrival)
    }
    for result in results { controller.send(result.packet) }
    controller.receive(results, at: .ms((range.upperBound - 1) * 10 + 100))
  }

  @Test func anEmptyPathIsRampedUp() {
    var controller = controller()
    #expect(controller.target.rate == .kilobits(300) && controller.roundTrip == .zero)
    feedback(&controller, packets: 0..<10, delay: 50)
    #expect(controller.target.rate == .kilobits(300), "the first feedback begins an interval")
    #expect(controller.roundTrip == .milliseconds(100))
    feedback(&controller, packets: 10..<20, delay: 50)
    // 300 kbps x (1 + 50 / 320)
    #expect(controller.isRampingUp)
    #expect(controller.target.rate == BitRate(bitsPerSecond: 346_875))
    #expect(controller.target.pacing.rate?.bitsPerSecond == 364_219 && controller.target.padding == .zero)
  }

  @Test func feedbackWithinAnIntervalOnlyMeasures() {
    var controller = controller()
    feedback(&controller, packets: 0..<10, delay: 50)
    feedback(&controller, packets: 10..<15, delay: 50)
    #expect(controller.target.rate == .kilobits(300))
    feedback(&controller, packets: 15..<20, delay: 50)
    #expect(controller.target.rate == BitRate(bitsPerSecond: 346_875))
  }

  @Test func aQueueTurnsToTheGradualUpdate() {
    var controller = controller()
    feedback(&controller, packets: 0..<10, delay: 50)
    feedback(&controller, packets: 10..<20, delay: 90)
    // Five of the last 15 arrived without a queue: their minimum is the base delay. No signal lowers the rate: it
    // drifts up by 0.5 x 0.2 x (10 x 1.5 / 0.3) / 500 = 1 percent.
    #expect(!controller.isRampingUp && controller.congestionSignal == 0)
    #expect(controller.target.rate == BitRate(bitsPerSecond: 303_000))
    feedback(&controller, packets: 20..<30, delay: 90)
    // The signal is 40 ms, 9.5 ms below its resting value: +0.5 x 0.2 x 9.505 / 500, and -0.5 x 2 x 40 / 500.
    #expect(isClose(controller.congestionSignal, 40))
    let factor = 1 + 0.1 * (15_000 / 303.0 - 40) / 500 - 0.08
    #expect(controller.target.rate == BitRate(bitsPerSecond: Int64((303_000 * factor).rounded())))
  }

  @Test func lossesCountByTheirSquare() {
    var controller = controller()
    feedback(&controller, packets: 0..<10, delay: 50)
    feedback(&controller, packets: 10..<20, delay: 50, lost: [12, 16])
    // 2 of 20: a tenth of 0.1 enters the mean; 1 percent adds 10 ms.
    #expect(isClose(controller.congestionSignal, 10))
    // The drift is 0.1 x (50 - 10) / 500, the change 10 / 500.
    #expect(controller.target.rate == BitRate(bitsPerSecond: 296_400))
  }

  @Test func theReceiversClockMayBeOffByAnything() {
    let rates = [0, 3_600_000, -7_200_000].map { (clock: Int64) -> [BitRate] in
      var controller = controller()
      return (0..<20).map { (step: Int64) -> BitRate in
        feedback(
          &controller, packets: step * 10..<step * 10 + 10, delay: 50 + (step % 7) * 15, clock: clock,
          lost: [43, 110])
        return controller.target.rate
      }
    }
    #expect(rates[0] == rates[1] && rates[0] == rates[2])
    #expect(Set(rates[0]).count > 10)
  }

  @Test func missingFeedbackHalvesTheRate() {
    var controller = controller { $0.start = .kilobits(1000) }
    controller.process(at: .ms(5000))
    #expect(controller.target.rate == .kilobits(1000), "nothing was sent")
    controller.send(SentPacket(sequence: 0, sentAt: .ms(5000), size: 1000))
    controller.process(at: .ms(5975))
    #expect(controller.target.rate == .kilobits(1000))
    controller.process(at: .ms(6000))
    #expect(controller.target.rate == .kilobits(500))
    controller.process(at: .ms(6025))
    #expect(controller.target.rate == .kilobits(500))
    for step: Int64 in 1...4 { controller.process(at: .ms(6000 + step * 1000)) }
    #expect(controller.target.rate == .kilobits(150), "RMIN")
  }

  @Test func theRateStaysWithinItsConstraints() {
    var controller = controller { $0.start = .kilobits(9000) }
    #expect(controller.target.rate == .kilobits(1500), "RMAX")
    var constraints = RateConstraints()
    constraints.maximum = .kilobits(800)
    controller.constrain(constraints, at: .zero)
    #expect(controller.target.rate == .kilobits(800))
    constraints.maximum = .kilobits(100)
    controller.constrain(constraints, at: .zero)
    #expect(controller.target.rate == .kilobits(100), "below RMIN, where the constraint asks for it")
    constraints.minimum = .kilobits(400)
    constraints.maximum = .unlimited
    controller.constrain(constraints, at: .zero)
    #expect(controller.target.rate == .kilobits(400))
  }

  @Test func thePacerGoesNoSlowerThanTheLeastLayersNeed() {
    var controller = controller()
    var demand = SenderDemand()
    demand.minimumAllocated = .kilobits(600)
    controller.demand(demand, at: .zero)
    #expect(controller.target.rate == .kilobits(300) && controller.target.pacing == .kilobits(630))
  }
}
