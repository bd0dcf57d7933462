import CongestionControl
import Quantity

/// libwebrtc's unit tests of the delay-based estimate: packets and feedback without a link between them.
enum DelayEstimateCases {
  private static let file = "libwebrtc delay_based_bwe_unittest.cc"

  static let all: [VerificationCase] = [
    VerificationCase(
      name: "delay-initial",
      setup:
        "480 kbps in 1200-byte packets each 20 ms, all acknowledged, 5 s; the first are a probe that shows 480",
      source: "\(file), InitialBehavior"
    ) {
      var parameters = GoogleCongestionControlParameters()
      parameters.probing.isEnabled = false
      parameters.constraints.start = .kilobits(480)
      var stream = AcknowledgedStream(parameters: parameters)
      while stream.now < SimTime.zero + .seconds(5) {
        stream.send(size: 1200, after: .milliseconds(20), delay: .zero)
      }
      return VerificationOutcome(checks: [
        .init("estimate [kbps]", published: 730, simulated: stream.estimate, within: 50)
      ])
    },
    capacityDrop(
      "delay-capacity-drop", source: "CapacityDropOneStream (500 to 533 ms in its variants)", published: 516,
      within: 16.5 + 33),
    capacityDrop(
      "delay-capacity-drop-ahead", clockJump: .seconds(30), source: "CapacityDropPosOffsetChange",
      published: 867, within: 33),
    capacityDrop(
      "delay-capacity-drop-behind", clockJump: .zero - .seconds(30), source: "CapacityDropNegOffsetChange",
      published: 933, within: 33),
    VerificationCase(
      name: "probe-slower-arrival", setup: "a probe of 1600 kbps that arrives at 1142 kbps",
      source: "\(file), ProbeDetectionSlowerArrival"
    ) {
      var stream = AcknowledgedStream(parameters: .init())
      let rate = stream.probe(
        packets: 5, size: 1000, sentEvery: .milliseconds(5), receivedEvery: .milliseconds(7))
      return VerificationOutcome(checks: [
        .init("probe result [kbps]", published: 1083, simulated: rate, within: 10)
      ])
    },
  ]

  /// Creates a case in which a stream fills its path, whose capacity is then halved.
  ///
  /// - Parameter clockJump: step of the receiver's clock at the same time.
  private static func capacityDrop(
    _ name: String, clockJump: SimDuration = .zero, source: String, published: Double, within: Double
  ) -> VerificationCase {
    var setup =
      "a stream that fills 1000 kbps; capacity falls to 500 kbps; no propagation delay, feedback per frame"
    if clockJump != .zero {
      setup += "; the receiver's clock jumps by \(clockJump > .zero ? "+" : "-")30 s with the fall"
    }
    return VerificationCase(name: name, setup: setup, source: "\(file), \(source)") {
      var parameters = GoogleCongestionControlParameters()
      parameters.constraints.start = .kilobits(300)
      parameters.probing.isEnabled = false
      var stream = AcknowledgedStream(parameters: parameters)
      stream.capacity = .kilobits(1000)
      // First up to the capacity, like the test's helper, then at the estimate for another ten seconds.
      while stream.estimate < 1000 * 0.98, stream.now < SimTime.zero + .seconds(60) { stream.sendFrame() }
      let settled = stream.now + .seconds(10)
      while stream.now < settled { stream.sendFrame() }
      stream.capacity = .kilobits(500)
      stream.clockOffset = clockJump
      let began = stream.now
      while stream.estimate > 500, stream.now - began < .seconds(5) { stream.sendFrame() }
      // libwebrtc's test reads a clock with whole milliseconds.
      let took = ((stream.now - began).seconds * 1000).rounded()
      return VerificationOutcome(checks: [
        .init(
          "time until the estimate is at most 500 kbps [ms]", published: published, simulated: took,
          within: within)
      ])
    }
  }
}
