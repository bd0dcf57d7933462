import CongestionControl
import Quantity

/// libwebrtc's own tests of its congestion controller, with the bounds that they assert.
///
/// Queues are unbounded, as in its test network, unless a case says otherwise.
enum GoogleCongestionControlCases {
  private static let file = "libwebrtc goog_cc_network_control_unittest.cc"

  static let all: [VerificationCase] = [
    VerificationCase(
      name: "goog-cc-capacity",
      setup:
        "500 kbps 100 ms for 25 s, 800 kbps for 20 s, 100 kbps 200 ms for 50 s; start 300, maximum 1500 kbps",
      source: "\(file), UpdatesTargetRateBasedOnLinkCapacity"
    ) {
      var parameters = GoogleCongestionControlParameters()
      parameters.constraints.maximum = .kilobits(1500)
      var flow = PacedFlow(parameters: parameters)
      flow.link.capacity = .kilobits(500)
      flow.link.oneWay = .milliseconds(100)
      flow.run(for: .seconds(25))
      let first = flow.target
      flow.link.capacity = .kilobits(800)
      flow.run(for: .seconds(20))
      let second = flow.target
      flow.link.capacity = .kilobits(100)
      flow.link.oneWay = .milliseconds(200)
      flow.run(for: .seconds(50))
      return VerificationOutcome(checks: [
        .init("target after 25 s [kbps]", published: 450, simulated: first, within: 100),
        .init("target after 45 s [kbps]", published: 750, simulated: second, within: 150),
        .init("target after 95 s [kbps]", published: 90, simulated: flow.target, within: 25),
      ])
    },
    VerificationCase(
      name: "goog-cc-loss", setup: "2 Mbps, 200 ms, 10 % random loss, 120 s",
      source: "\(file), LossBasedControlDoesModestBackoffToHighLoss"
    ) {
      let flow = Self.flow(.kilobits(2000), .milliseconds(200), loss: 0.1, for: .seconds(120))
      return VerificationOutcome(checks: [.init("target [kbps]", atLeast: 100, simulated: flow)])
    },
    VerificationCase(
      name: "goog-cc-remb",
      setup: "2 Mbps, 50 ms, start 1000 kbps; after 10 s a REMB of 250 kbps for 1 s, then one of 10 Mbps",
      source: "\(file), FastRampupOnRembCapLifted"
    ) {
      var parameters = GoogleCongestionControlParameters()
      parameters.constraints.start = .kilobits(1000)
      var flow = PacedFlow(parameters: parameters)
      flow.greatestMedia = .megabits(10)
      flow.link.capacity = .kilobits(2000)
      flow.run(for: .seconds(10))
      let before = flow.target
      flow.controller.limit(to: .kilobits(250), at: flow.now)
      flow.run(for: .seconds(1))
      let capped = flow.target
      flow.controller.limit(to: .megabits(10), at: flow.now)
      flow.run(for: .seconds(10))
      return VerificationOutcome(checks: [
        .init("target before the REMB [kbps]", atLeast: 1500, simulated: before),
        .init("target under the REMB [kbps]", published: 250, simulated: capped, within: 0),
        .init("target 10 s after it is lifted [kbps]", atLeast: 1500, simulated: flow.target),
      ])
    },
    VerificationCase(
      name: "goog-cc-no-feedback",
      setup:
        "1 Mbps, 100 ms, queue of 300 ms, start 1000 kbps, receiver reports alone; 20 s without loss, 20 s with 15 %",
      source: "\(file), FallbackToLossBasedBweWithoutPacketFeedback"
    ) {
      var parameters = GoogleCongestionControlParameters()
      parameters.constraints.start = .kilobits(1000)
      var flow = PacedFlow(parameters: parameters, feedback: .none)
      flow.greatestMedia = .megabits(10)
      flow.link.oneWay = .milliseconds(100)
      // In the test, the receiver's estimate (REMB) bounds the target; our receiver sends none, so losses at the queue
      // do.
      flow.link.queue = .milliseconds(300)
      flow.run(for: .seconds(20))
      let clean = flow.target
      flow.link.loss = 0.15
      flow.run(for: .seconds(20))
      return VerificationOutcome(checks: [
        .init("target after 20 s [kbps]", atLeast: 500, simulated: clean),
        .init("target after 20 s with loss [kbps]", atMost: 300, simulated: flow.target),
      ])
    },
    VerificationCase(
      name: "goog-cc-narrow-start", setup: "200 kbps, 10 ms, start 300 kbps",
      source: "\(file), MaintainsLowRateInSafeResetTrial"
    ) {
      let flow = Self.flow(.kilobits(200), .milliseconds(10), for: .milliseconds(500))
      return VerificationOutcome(checks: [
        .init("target after 0.5 s [kbps]", published: 200, simulated: flow, within: 50)
      ])
    },
    VerificationCase(
      name: "probing-2-mbps", setup: "2 Mbps, start 300 kbps",
      source: "libwebrtc test/scenario/probing_test.cc"
    ) {
      let flow = Self.flow(.kilobits(2000), .milliseconds(50), for: .seconds(1))
      return VerificationOutcome(checks: [.init("target after 1 s [kbps]", atLeast: 900, simulated: flow)])
    },
    VerificationCase(
      name: "probing-unlimited", setup: "unlimited link, start 300 kbps",
      source: "libwebrtc test/scenario/probing_test.cc"
    ) {
      let flow = Self.flow(.megabits(1000), .milliseconds(50), for: .seconds(1))
      return VerificationOutcome(checks: [.init("target after 1 s [kbps]", atLeast: 1500, simulated: flow)])
    },
    VerificationCase(
      name: "growth-8-percent", setup: "20 Mbps, no probes, from 500 to 3600 kbps",
      source: "closed form of aimd_rate_control.cc; about 26 s in SoonyangZhang/rmcat-ns3 webrtc_4_bw.png"
    ) {
      var parameters = GoogleCongestionControlParameters()
      parameters.constraints.start = .kilobits(500)
      parameters.probing.isEnabled = false
      var flow = PacedFlow(parameters: parameters)
      flow.greatestMedia = .megabits(10)
      flow.link = .init(capacity: .megabits(20), oneWay: .milliseconds(50))
      while flow.target < 3600, flow.now < SimTime.zero + .seconds(60) { flow.run(for: .milliseconds(50)) }
      return VerificationOutcome(checks: [
        .init("time [s]", published: 25.7, simulated: flow.now.seconds, within: 1)
      ])
    },
  ]

  /// Returns the final target of one flow over a link of constant capacity [kbps].
  private static func flow(
    _ capacity: BitRate, _ oneWay: SimDuration, loss: Double = 0, for duration: SimDuration
  ) -> Double {
    var flow = PacedFlow()
    flow.link = .init(capacity: capacity, oneWay: oneWay, loss: loss)
    flow.run(for: duration)
    return flow.target
  }
}
