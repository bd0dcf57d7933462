import CongestionControl
import Quantity

/// libwebrtc's unit tests of the receive-side estimate from evenly spaced packets.
enum ReceivedProbeCases {
  private static let file = ReceivedStreamCases.file

  static let all: [VerificationCase] = [
    VerificationCase(
      name: "remb-probes", setup: "5 packets of 1000 B at 800 kbps, 5 at 1600 kbps",
      source: "\(file), TestProbeDetection"
    ) {
      var packets = ReceivedPackets()
      var sent = packets.now / 1000
      packets.receive(5, size: 1000, sentEvery: 10, arrivingEvery: 10, from: &sent)
      packets.receive(5, size: 1000, sentEvery: 5, arrivingEvery: 5, from: &sent)
      return outcome(packets, above: 1500)
    },
    VerificationCase(
      name: "remb-probe-beside-media",
      setup: "5 packets of 1000 B at 800 kbps, each with one of 100 B after it",
      source: "\(file), TestProbeDetectionNonPacedPackets"
    ) {
      var packets = ReceivedPackets()
      for _ in 0..<5 {
        packets.now += 5000
        let arrival = packets.now / 1000
        let sendTime = ReceivedPackets.sendTime(arrival, unitsPerSecond: 1000)
        packets.receive(size: 1000, arrival: arrival, sendTime: sendTime)
        // In the test, the clock has advanced by now, but not the packet's own times.
        packets.now += 5000
        packets.receive(size: 100, arrival: arrival, sendTime: sendTime)
      }
      return outcome(packets, above: 800)
    },
    VerificationCase(
      name: "remb-probe-too-fast",
      setup: "5 packets of 1000 B at 800 kbps, 5 at 1600 that arrive at 1000 kbps",
      source: "\(file), TestProbeDetectionTooHighBitrate"
    ) {
      var packets = ReceivedPackets()
      var sent: Int64 = 0
      packets.receive(5, size: 1000, sentEvery: 10, arrivingEvery: 10, from: &sent)
      packets.receive(5, size: 1000, sentEvery: 5, arrivingEvery: 8, from: &sent)
      return outcome(packets, published: 800)
    },
    VerificationCase(
      name: "remb-probe-slightly-faster", setup: "5 packets of 1000 B at 800 kbps that arrive at 1600",
      source: "\(file), TestProbeDetectionSlightlyFasterArrival"
    ) {
      outcome(probe(sentEvery: 10, arrivingEvery: 5), above: 800)
    },
    VerificationCase(
      name: "remb-probe-faster", setup: "5 packets of 1000 B at 800 kbps that arrive at 8 Mbps",
      source: "\(file), TestProbeDetectionFasterArrival"
    ) {
      let packets = probe(sentEvery: 10, arrivingEvery: 1)
      return VerificationOutcome(checks: [
        .init("estimates", published: 0, simulated: packets.isUpdated ? 1 : 0, within: 0)
      ])
    },
    VerificationCase(
      name: "remb-probe-slower", setup: "5 packets of 1000 B at 1600 kbps that arrive at 1142",
      source: "\(file), TestProbeDetectionSlowerArrival"
    ) {
      outcome(probe(sentEvery: 5, arrivingEvery: 7), published: 1140)
    },
    VerificationCase(
      name: "remb-probe-slower-fast", setup: "5 packets of 1000 B at 8 Mbps that arrive at 4",
      source: "\(file), TestProbeDetectionSlowerArrivalHighBitrate"
    ) {
      outcome(probe(sentEvery: 1, arrivingEvery: 2), published: 4000)
    },
    VerificationCase(
      name: "remb-probe-small", setup: "5 packets of 200 B each 10 ms, then 5 of 1000 B",
      source: "\(file), ProbingIgnoresSmallPackets"
    ) {
      var packets = ReceivedPackets()
      var sent = packets.now / 1000
      packets.receive(5, size: 200, sentEvery: 10, arrivingEvery: 10, from: &sent)
      let early = packets.isUpdated ? 1.0 : 0
      packets.receive(5, size: 1000, sentEvery: 10, arrivingEvery: 10, from: &sent)
      var outcome = Self.outcome(packets, published: 800)
      outcome.checks.append(.init("estimates from small packets", published: 0, simulated: early, within: 0))
      return outcome
    },
  ]

  /// Receives five packets of 1000 B, spaced by send time and by arrival [ms].
  private static func probe(sentEvery: Int64, arrivingEvery: Int64) -> ReceivedPackets {
    var packets = ReceivedPackets()
    var sent: Int64 = 0
    packets.receive(5, size: 1000, sentEvery: sentEvery, arrivingEvery: arrivingEvery, from: &sent)
    return packets
  }

  private static func outcome(_ packets: ReceivedPackets, published: Double) -> VerificationOutcome {
    VerificationOutcome(checks: [
      .init("estimate [kbps]", published: published, simulated: packets.latestKilobits, within: 10)
    ])
  }

  private static func outcome(_ packets: ReceivedPackets, above bound: Double) -> VerificationOutcome {
    VerificationOutcome(checks: [
      .init("estimate [kbps]", atLeast: bound + 0.001, simulated: packets.latestKilobits)
    ])
  }
}
