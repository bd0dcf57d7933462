import CongestionControl
import Quantity

/// libwebrtc's scenarios with a whole controller on a link with an unbounded queue, as in its test network.
///
/// Scenarios that also change the route are run up to that point: route changes are not modeled.
enum ScenarioCases {
  private static let controllerFile = "libwebrtc goog_cc_network_control_unittest.cc"
  private static let probingFile = "libwebrtc test/scenario/probing_test.cc"

  static let all: [VerificationCase] = [
    start(
      "goog-cc-fast-start", .kilobits(1000), for: .milliseconds(500), within: 300,
      source: "CutsHighRateInSafeResetTrial, DoNotResetBweUnlessNetworkAdapterChangeOnRoutChange"),
    start(
      "goog-cc-narrow-settled", .kilobits(200), for: .seconds(2), within: 50,
      source: "DetectsHighRateInSafeResetTrial"),
    VerificationCase(
      name: "goog-cc-pause",
      setup: "1 Mbps, 100 ms, a congestion window of 800 ms; after 10 s the link sends nothing",
      source: "\(controllerFile), CongestionWindowPushbackDropFrameOnNetworkDelay"
    ) {
      var parameters = Self.parameters(minimum: 10, maximum: 2000)
      parameters.congestionWindow.acceptedQueue = .milliseconds(800)
      var flow = Self.flow(parameters, .kilobits(1000), .milliseconds(100), back: .milliseconds(100))
      flow.run(for: .seconds(10))
      flow.pauseLink(for: .seconds(10))
      flow.run(for: .seconds(3))
      return VerificationOutcome(checks: [
        .init("target 3 s later [kbps]", atLeast: 301, simulated: flow.target)
      ])
    },
    VerificationCase(
      name: "goog-cc-long-round-trip",
      setup:
        "100 kbps, 100 ms, round trips limited to 2 s, floor 50 kbps; after 10 s a burst of 10 s of the link",
      source: "\(controllerFile), LimitsToFloorIfRttIsHighInTrial"
    ) {
      var parameters = Self.parameters(start: 100)
      parameters.roundTrip.limit = .seconds(2)
      parameters.roundTrip.floor = .kilobits(50)
      var flow = Self.flow(parameters, .kilobits(100), .milliseconds(100), back: .milliseconds(100))
      flow.run(for: .seconds(10))
      flow.crowd(bytes: 125_000)
      flow.run(for: .seconds(6))
      return VerificationOutcome(checks: [
        .init("target 6 s after the burst [kbps]", published: 50, simulated: flow.target, within: 5)
      ])
    },
    VerificationCase(
      name: "goog-cc-no-toggling", setup: "2 Mbps, 10 ms, 20 % random loss, start 300 kbps, 2.25 s",
      source: "\(controllerFile), NoBandwidthTogglingInLossControlTrial"
    ) {
      var flow = Self.flow(Self.parameters(), .kilobits(2000), .milliseconds(10))
      flow.link.loss = 0.2
      flow.run(for: .milliseconds(250))
      var window: [Double] = []
      var most = 0
      for _ in 0..<40 {
        flow.run(for: .milliseconds(50))
        if window.count == 10 { window.removeFirst() }
        window.append(flow.target)
        most = max(most, Self.dips(in: window, below: 100))
      }
      return VerificationOutcome(checks: [
        .init("most dips by 100 kbps within 500 ms", atMost: 1, simulated: Double(most))
      ])
    },
    VerificationCase(
      name: "goog-cc-video-stops",
      setup: "2 Mbps, 100 ms, start 1000 kbps, round trips limited to 2 s; after 1 s the sender stops",
      source: "\(controllerFile), NoRttBackoffCollapseWhenVideoStops"
    ) {
      var parameters = Self.parameters(start: 1000)
      parameters.roundTrip.limit = .seconds(2)
      var flow = Self.flow(parameters, .kilobits(2000), .milliseconds(100))
      flow.run(for: .seconds(1))
      flow.isSending = false
      flow.run(for: .seconds(4))
      return VerificationOutcome(checks: [
        .init("target 4 s later [kbps]", atLeast: 1001, simulated: flow.target)
      ])
    },
    VerificationCase(
      name: "probing-new-maximum",
      setup: "unlimited link, maximum 3000 kbps, from 1 to 3 s 100 kbps, then 3000 kbps again",
      source: "\(probingFile), MidCallProbingRampupTriggeredByUpdatedBitrateConstraints"
    ) {
      var flow = Self.flow(Self.parameters(), .megabits(1000), .zero)
      flow.run(for: .seconds(1))
      let first = flow.target
      flow.controller.constrain(Self.parameters(maximum: 100).constraints, at: flow.now)
      flow.run(for: .seconds(2))
      let low = flow.target
      flow.controller.constrain(Self.parameters().constraints, at: flow.now)
      flow.run(for: .seconds(1))
      return VerificationOutcome(checks: [
        .init("target after 1 s [kbps]", atLeast: 1500, simulated: first),
        .init("target under the low maximum [kbps]", atMost: 110, simulated: low),
        .init("target 1 s after it is lifted [kbps]", atLeast: 1500, simulated: flow.target),
      ])
    },
    VerificationCase(
      name: "probing-new-layers",
      setup:
        "start 50 kbps, the lowest of three layers at a third of its rate; 200 kbps for 2 s, then unlimited; all layers after 4 s",
      source: "\(probingFile), ProbesRampsUpWhenVideoEncoderConfigChanges"
    ) {
      var flow = Self.flow(Self.parameters(start: 50, maximum: 6500), .kilobits(200), .zero)
      // VP8's maximum rates for 320x180, 640x360 and 1280x720.
      flow.greatestMedia = .kilobits(200)
      // The test's encoder gives each temporal layer's frames that layer's own rate: a third in total.
      flow.encoderShare = 1.0 / 3
      flow.run(for: .seconds(2))
      flow.link.capacity = .megabits(1000)
      flow.run(for: .seconds(2))
      let low = flow.target
      flow.greatestMedia = .kilobits(200 + 700 + 2500)
      flow.encoderShare = 1
      flow.run(for: .seconds(2))
      return VerificationOutcome(checks: [
        .init("target with the lowest layer [kbps]", atMost: 812.5, simulated: low),
        .init("target 2 s after the others [kbps]", atLeast: 3250, simulated: flow.target),
      ])
    },
  ]

  /// Creates parameters with the test client's rates, unless a scenario sets others.
  private static func parameters(
    start: Int64 = 300, minimum: Int64 = 30, maximum: Int64 = 3000
  ) -> GoogleCongestionControlParameters {
    var parameters = GoogleCongestionControlParameters()
    parameters.constraints.start = .kilobits(start)
    parameters.constraints.minimum = .kilobits(minimum)
    parameters.constraints.maximum = .kilobits(maximum)
    return parameters
  }

  /// Creates a flow whose encoder follows any rate up to 10 Mbps; the reverse path has no delay by default.
  private static func flow(
    _ parameters: GoogleCongestionControlParameters, _ capacity: BitRate, _ oneWay: SimDuration,
    back: SimDuration = .zero
  ) -> PacedFlow {
    var flow = PacedFlow(parameters: parameters)
    flow.greatestMedia = .megabits(10)
    flow.link = .init(capacity: capacity, oneWay: oneWay, back: back)
    return flow
  }

  private static func start(
    _ name: String, _ capacity: BitRate, for duration: SimDuration, within tolerance: Double, source: String
  ) -> VerificationCase {
    let kilobits = capacity.bitsPerSecond / 1000
    return VerificationCase(
      name: name, setup: "\(kilobits) kbps, 50 ms, start 300 kbps",
      source: "\(controllerFile), \(source), before the route changes"
    ) {
      var flow = Self.flow(Self.parameters(), capacity, .milliseconds(50))
      flow.run(for: duration)
      return VerificationOutcome(checks: [
        .init(
          "target after \(VerificationCheck.text(duration.seconds)) s [kbps]", published: Double(kilobits),
          simulated: flow.target, within: tolerance)
      ])
    }
  }

  /// Counts the times that rates leave their first value and drop by more than a threshold.
  ///
  /// Each return to the first value starts a new part; a part that rises first does not count, whatever follows.
  private static func dips(in rates: [Double], below threshold: Double) -> Int {
    guard let first = rates.first else { return 0 }
    return rates.split(separator: first).count { part in
      part.first { $0 > first || $0 < first - threshold }.map { $0 < first } ?? false
    }
  }
}
