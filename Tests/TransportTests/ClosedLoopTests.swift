import CongestionControl
import Quantity
import Testing

/// libwebrtc's own scenario tests on this controller and pacer; the bounds are those that its tests assert.
@Suite("Google Congestion Control in a closed loop")
struct ClosedLoopTests {
  /// `goog_cc_network_control_unittest.cc`, UpdatesTargetRateBasedOnLinkCapacity.
  @Test func followsTheLinksCapacity() {
    var parameters = GoogleCongestionControlParameters()
    parameters.maximum = .kilobits(1500)
    var flow = PacedFlow(parameters: parameters)
    defer { flow.deallocate() }
    flow.link.capacity = .kilobits(500)
    flow.link.oneWay = .milliseconds(100)
    flow.run(for: .seconds(25))
    #expect(abs(flow.target - 450) <= 100)
    flow.link.capacity = .kilobits(800)
    flow.run(for: .seconds(20))
    #expect(abs(flow.target - 750) <= 150)
    flow.link.capacity = .kilobits(100)
    flow.link.oneWay = .milliseconds(200)
    flow.run(for: .seconds(50))
    #expect(abs(flow.target - 90) <= 25)
  }

  /// The same file, LossBasedControlDoesModestBackoffToHighLoss.
  @Test func randomLossCutsModestly() {
    var flow = PacedFlow()
    defer { flow.deallocate() }
    flow.link.capacity = .kilobits(2000)
    flow.link.oneWay = .milliseconds(200)
    flow.link.loss = 0.1
    flow.run(for: .seconds(120))
    #expect(flow.target > 100)
  }

  /// The same file, MaintainsLowRateInSafeResetTrial.
  @Test func startsOnANarrowLink() {
    var flow = PacedFlow()
    defer { flow.deallocate() }
    flow.link.capacity = .kilobits(200)
    flow.link.oneWay = .milliseconds(10)
    flow.run(for: .milliseconds(500))
    #expect(abs(flow.target - 200) <= 50)
  }

  /// `test/scenario/probing_test.cc`, InitialProbingRampsUpTargetRateWhenNetworkIsGood.
  @Test func probesRampUpWithinASecond() {
    var wide = PacedFlow()
    defer { wide.deallocate() }
    wide.link = .init(capacity: .megabits(1000), oneWay: .milliseconds(50))
    wide.run(for: .seconds(1))
    #expect(wide.target >= 5 * 300)
    var narrow = PacedFlow()
    defer { narrow.deallocate() }
    narrow.link = .init(capacity: .kilobits(2000), oneWay: .milliseconds(50))
    narrow.run(for: .seconds(1))
    #expect(narrow.target >= 3 * 300)
  }

  /// 8 % each second from 500 to 3600 kbps take 25.7 s.
  @Test func growsByEightPercentEachSecond() {
    var parameters = GoogleCongestionControlParameters()
    parameters.start = .kilobits(500)
    parameters.probes = false
    var flow = PacedFlow(parameters: parameters)
    defer { flow.deallocate() }
    flow.greatestMedia = .megabits(10)
    flow.link = .init(capacity: .megabits(20), oneWay: .milliseconds(50))
    while flow.target < 3600, flow.now < SimTime.zero + .seconds(60) { flow.run(for: .milliseconds(50)) }
    #expect(abs(flow.now.seconds - 25.7) <= 1)
  }
}
