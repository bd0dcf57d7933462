import CongestionControl
import Quantity

/// libwebrtc's unit tests of the delay-based estimate and of probe results, without the rest of a controller.
enum DelayStreamCases {
  private static let file = "libwebrtc delay_based_bwe_unittest.cc"
  private static let begin: Int64 = 100_000_000

  static let all: [VerificationCase] = [
    VerificationCase(
      name: "delay-growth",
      setup: "30 frames a second at the estimate over 1 Mbps, from 30 kbps, no start rate",
      source: "\(file), RateIncreaseRtpTimestamps"
    ) {
      var stream = DelayStream()
      var rate: Int64 = 30_000
      var frames = 0
      while rate < 500_000, frames < 5000 {
        _ = stream.sendFrame(at: rate)
        rate = stream.latest ?? rate
        frames += 1
      }
      return VerificationOutcome(checks: [
        .init("frames until 500 kbps", published: 617, simulated: Double(frames), within: 0)
      ])
    },
    VerificationCase(
      name: "delay-first-overuse", setup: "90 frames a second at the estimate over 200 kbps, start 300 kbps",
      source: "\(file), TestInitialOveruse"
    ) {
      var stream = DelayStream(framesPerSecond: 90, start: .kilobits(300))
      stream.capacity = 200_000
      var rate: Int64 = 300_000
      var frames = 0
      var hasFallen = false
      while !hasFallen, frames < 1000 {
        hasFallen = stream.sendFrame(at: rate)
        rate = stream.latest ?? rate
        frames += 1
      }
      return VerificationOutcome(checks: [
        .init("frames until the first fall", atMost: 40, simulated: Double(frames)),
        .init("estimate after it, upper bound [kbps]", atMost: 200, simulated: Double(rate) / 1000),
        .init("estimate after it, lower bound [kbps]", atLeast: 160, simulated: Double(rate) / 1000),
      ])
    },
    VerificationCase(
      name: "delay-reordering",
      setup: "1200 B each 20 ms for 5 s, the first a probe of 480 kbps; then ten pairs in the wrong order",
      source: "\(file), RateIncreaseReordering"
    ) {
      var stream = DelayStream()
      var sent: Int64 = 0
      for index in 0..<253 {
        stream.receive(
          sent: sent, received: begin + sent, size: 1200, probe: index < 5 ? probe(5, bytes: 5000) : nil)
        sent += 20_000
      }
      let before = stream.latest
      for _ in 0..<10 {
        sent += 40_000
        stream.receive(sent: sent, received: begin + sent, size: 1000)
        stream.receive(sent: sent - 20_000, received: begin + sent, size: 1000)
      }
      return VerificationOutcome(checks: [
        .init("estimate after 5 s [kbps]", published: 730, simulated: kilobits(before), within: 50),
        .init(
          "estimate after the pairs [kbps]", published: 730, simulated: kilobits(stream.latest), within: 50),
      ])
    },
    VerificationCase(
      name: "delay-groups",
      setup: "1000 B each 20 ms for 6 s, then 15 packets of 100 B within 15 ms that take 25",
      source: "\(file), TestTimestampGrouping"
    ) {
      var stream = DelayStream()
      var sent: Int64 = 0
      var now = begin
      for _ in 0...300 {
        stream.receive(sent: sent, received: now, size: 1000)
        now += 20_000
        sent += 20_000
      }
      let before = stream.latest
      for _ in 0..<100 {
        for _ in 0..<15 {
          stream.receive(sent: sent, received: now, size: 100)
          now += 1000
          sent += 1000
        }
        now += 10_000
        sent += 5000
      }
      return VerificationOutcome(checks: [
        .init("estimate after 6 s [kbps]", atLeast: 400, simulated: kilobits(before)),
        .init("estimate after the groups [kbps]", atMost: 400, simulated: kilobits(stream.latest)),
      ])
    },
    VerificationCase(
      name: "delay-fine-times", setup: "1000 B each 10 ms, sent and received to a quarter of a millisecond",
      source: "\(file), TestTimestampPrecisionHandling"
    ) {
      var stream = DelayStream()
      var now = begin
      var falls = 0
      var last: Int64 = 0
      for _ in 0..<1000 {
        now += 500
        stream.receive(sent: now - 500, received: now, size: 1000)
        now += 9500
        stream.receive(sent: now - 250, received: now, size: 1000)
        now += 10_000
        if let latest = stream.latest {
          if latest < last { falls += 1 }
          last = latest
        }
      }
      return VerificationOutcome(checks: [
        .init("falls of the estimate", published: 0, simulated: Double(falls), within: 0)
      ])
    },
    silence(seconds: 35, source: "TestShortTimeoutAndWrap"),
    silence(seconds: 640, source: "TestLongTimeoutAndWrap"),
    VerificationCase(
      name: "probe-fast-slower-arrival", setup: "a probe of 8 Mbps that arrives at 4 Mbps",
      source: "\(file), ProbeDetectionSlowerArrivalHighBitrate"
    ) {
      var stream = DelayStream()
      for index in Int64(1)...8 {
        stream.receive(
          sent: index * 1000, received: begin + index * 2000, size: 1000, probe: probe(8, bytes: 4000))
      }
      return VerificationOutcome(checks: [
        .init("estimate [kbps]", published: 3800, simulated: kilobits(stream.latest), within: 10)
      ])
    },
    VerificationCase(
      name: "probe-beside-media", setup: "a probe of 800 kbps with a packet of 100 B after each of its own",
      source: "\(file), ProbeDetectionNonPacedPackets"
    ) {
      var stream = DelayStream()
      for index in Int64(0)..<5 {
        let now = begin + 5000 + index * 10_000
        stream.receive(sent: now, received: now, size: 1000, probe: probe(5, bytes: 2000))
        // In the test, the clock has advanced by the second packet's feedback, but not the packet's own times.
        stream.receive(sent: now, received: now, reported: now + 5000, size: 100)
      }
      return VerificationOutcome(checks: [
        .init("estimate [kbps]", atLeast: 800, simulated: kilobits(stream.latest))
      ])
    },
  ]

  /// Creates a case of 100 packets per second for 30 s, silence, and then arrivals at half the rate.
  private static func silence(seconds: Int64, source: String) -> VerificationCase {
    VerificationCase(
      name: "delay-silence-\(seconds)s",
      setup: "100 packets a second for 30 s, \(seconds) s of silence, 24 packets at half the rate",
      source: "\(file), \(source)"
    ) {
      var stream = DelayStream()
      var sent: Int64 = 0
      var now = begin
      for _ in 0..<3000 {
        stream.receive(sent: sent, received: now, size: 1000)
        now += 10_000
        sent += 10_000
      }
      let before = kilobits(stream.latest)
      now += seconds * 1_000_000
      sent += seconds * 1_000_000
      for _ in 0..<24 {
        stream.receive(sent: sent, received: now, size: 1000)
        now += 20_000
        sent += 10_000
      }
      return VerificationOutcome(checks: [
        .init(
          "estimate relative to the one before [%]", atMost: 99.99,
          simulated: kilobits(stream.latest) / before * 100)
      ])
    }
  }

  private static func probe(_ packets: Int32, bytes: Int64) -> ProbeCluster {
    ProbeCluster(
      id: 1, rate: BitRate(bitsPerSecond: bytes * 8), minimumPackets: packets, minimumDuration: .seconds(1),
      createdAt: .zero)
  }

  private static func kilobits(_ rate: Int64?) -> Double { rate.map { Double($0) / 1000 } ?? .nan }
}
