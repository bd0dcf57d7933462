import CongestionControl
import Quantity
import Testing

@Suite("Google Congestion Control")
struct GoogleCongestionControlTests {
  private func controller(_ start: Int64 = 300, maximum: Int64? = nil) -> GoogleCongestionControl {
    var parameters = GoogleCongestionControlParameters()
    parameters.constraints = constraints(start: start, maximum: maximum)
    return GoogleCongestionControl(parameters: parameters, at: .zero)
  }

  /// Sends packets every 10 ms that arrive 30 ms later, with a report after every five.
  private func feed(
    _ controller: inout GoogleCongestionControl, packets: Int, size: Int32, from first: Int = 0
  ) {
    var pending: [PacketResult] = []
    for index in first..<(first + packets) {
      let sent = Double(index) * 10
      let result = received(Int64(index), sent: sent, at: sent + 30, size: size)
      controller.send(result.packet)
      pending.append(result)
      if pending.count == 5 {
        controller.receive(pending, at: time(sent + 60))
        pending.removeAll()
      }
    }
  }

  @Test func pacingIsLooserBeforeTheFirstFeedback() {
    var controller = controller()
    #expect(controller.target == PathTarget(rate: .kilobits(300), pacing: .kilobits(750), padding: .zero))
    #expect(controller.reason == .start)
    feed(&controller, packets: 5, size: 375)
    #expect(controller.target.pacing == RateLimit(controller.target.rate.scaled(by: 1.1)))
  }

  @Test func theLeastAllocationBoundsPacingAndTarget() {
    var controller = controller()
    var demand = SenderDemand()
    demand.minimumAllocated = .kilobits(400)
    demand.maximumPadding = .kilobits(200)
    controller.demand(demand, at: .zero)
    controller.process(at: time(25))
    #expect(controller.target.rate == .kilobits(400))
    #expect(controller.target.pacing == .kilobits(1000))
    #expect(controller.target.padding == .kilobits(200))
    #expect(controller.reason == .minimum)
    demand.maximumPadding = .kilobits(2000)
    controller.demand(demand, at: time(50))
    #expect(controller.target.padding == .kilobits(400))
  }

  @Test func roundTripIsWithoutTheReceiversWaiting() {
    var controller = controller()
    #expect(controller.roundTrip == .milliseconds(200))
    let packets = [
      received(0, sent: 0, at: 5030), received(1, sent: 10, at: 5045), received(2, sent: 20, at: 5050),
    ]
    for result in packets { controller.send(result.packet) }
    // At 100 ms: the last one took 80 ms; the first 100 minus 20 of waiting, the second 90 minus 5.
    controller.receive(packets, at: time(100))
    #expect(controller.roundTrip == .milliseconds(80))
  }

  @Test func growthIsBoundedByWhatTheApplicationSends() {
    var controller = controller()
    // 300 kbit/s arrive for 30 s: 1.5 x 300 + 10.
    feed(&controller, packets: 3000, size: 375)
    #expect(abs(controller.target.rate.bitsPerSecond - 460_000) <= 2000, "\(controller.target.rate)")
    #expect(controller.reason == .acknowledged)
    #expect(!controller.isApplicationLimited || controller.target.rate > .kilobits(375))
  }

  @Test func aSenderWithLittleToSendIsApplicationLimited() {
    var controller = controller(1000)
    feed(&controller, packets: 100, size: 375)
    let isLimited = controller.isApplicationLimited
    #expect(isLimited)
  }

  @Test func theMaximumIsAReason() {
    var controller = controller(300, maximum: 350)
    feed(&controller, packets: 1000, size: 400)
    #expect(controller.target.rate == .kilobits(350))
    #expect(controller.reason == .maximum)
  }

  @Test func theReceiversLimitEnds() {
    var controller = controller(500)
    controller.limit(to: .kilobits(100), at: time(10))
    #expect(controller.target.rate == .kilobits(100))
    #expect(controller.reason == .receiver)
    controller.limit(to: nil, at: time(20))
    #expect(controller.target.rate == .kilobits(500))
    #expect(controller.reason == .start)
  }

  @Test func silenceOfFeedbackBacksOff() {
    var controller = controller(1000)
    feed(&controller, packets: 100, size: 1250)
    let before = controller.target.rate
    for step in 0..<400 {
      let sent = 1000 + Double(step) * 10
      controller.send(SentPacket(sequence: 100 + Int64(step), sentAt: time(sent), size: 1250))
      controller.process(at: time(sent))
    }
    #expect(controller.target.rate < before.scaled(by: 0.81))
    #expect(controller.reason == .roundTrip)
  }

  @Test func sameCallsGiveTheSameState() {
    var one = controller()
    var other = controller()
    feed(&one, packets: 500, size: 700)
    feed(&other, packets: 500, size: 700)
    #expect(one.outlook() == other.outlook())
  }
}
