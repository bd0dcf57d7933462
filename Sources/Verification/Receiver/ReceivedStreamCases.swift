import CongestionControl
import Quantity

/// libwebrtc's unit tests of the receive-side estimate with streams and silences.
enum ReceivedStreamCases {
  static let file = "libwebrtc remote_bitrate_estimator_abs_send_time_unittest.cc"
  /// Units of an absolute send time in 20 ms, rounded.
  private static let twentyMilliseconds: UInt32 = 5243

  static let all: [VerificationCase] = [
    VerificationCase(
      name: "remb-initial", setup: "1200 B each 20 ms for 5 s; the first show 480 kbps by their spacing",
      source: "\(file), InitialBehavior"
    ) {
      var packets = ReceivedPackets()
      packets.now += 2_000_000
      var sendTime: UInt32 = 0
      let early = steady(&packets, sendTime: &sendTime)
      let last = packets.latestKilobits
      let estimate = Double(packets.estimate) / 1000
      packets.remove(ssrc: 1)
      return VerificationOutcome(checks: [
        .init("estimates before the third packet", published: 0, simulated: Double(early), within: 0),
        .init("last estimate [kbps]", published: 674.84, simulated: last, within: 50),
        .init("estimate in the end [kbps]", published: 674.84, simulated: estimate, within: 50),
        .init("estimate without a stream", published: 0, simulated: Double(packets.estimate), within: 0),
      ])
    },
    VerificationCase(
      name: "remb-reordering",
      setup: "1200 B each 20 ms for 5 s, then ten pairs in the wrong order, each pair 40 ms after the last",
      source: "\(file), RateIncreaseReordering"
    ) {
      var packets = ReceivedPackets()
      var sendTime: UInt32 = 0
      let early = steady(&packets, sendTime: &sendTime)
      let before = packets.latestKilobits
      for _ in 0..<10 {
        packets.now += 40_000
        sendTime += 2 * twentyMilliseconds
        packets.receive(size: 1000, sendTime: sendTime)
        packets.receive(size: 1000, sendTime: sendTime - twentyMilliseconds)
      }
      return VerificationOutcome(checks: [
        .init("estimates before the third packet", published: 0, simulated: Double(early), within: 0),
        .init("estimate before the pairs [kbps]", published: 674.84, simulated: before, within: 50),
        .init(
          "estimate after the pairs [kbps]", published: 674.84, simulated: packets.latestKilobits, within: 50),
      ])
    },
    VerificationCase(
      name: "remb-growth", setup: "30 frames a second at the estimate over 1 Mbps, from 30 kbps",
      source: "\(file), RateIncreaseRtpTimestamps; two frames for differences in rounding"
    ) {
      var frames = ReceivedFrames(rates: [30_000])
      var rate: Int64 = 30_000
      var count = 0
      var wrongFalls = 0
      while rate < 500_000, count < 5000 {
        if frames.step(at: rate) {
          if frames.packets.latest <= rate { wrongFalls += 1 }
          rate = frames.packets.latest
        } else if frames.packets.isUpdated {
          rate = frames.packets.latest
        }
        count += 1
      }
      return VerificationOutcome(checks: [
        .init("frames until 500 kbps", published: 1237, simulated: Double(count), within: 2),
        .init("falls below the rate sent", published: 0, simulated: Double(wrongFalls), within: 0),
      ])
    },
    VerificationCase(
      name: "remb-groups",
      setup:
        "1000 B each 20 ms for 6 s across the wrap of the send time, then 15 packets of 100 B within 15 ms that "
        + "take 25", source: "\(file), TestTimestampGrouping"
    ) {
      var packets = ReceivedPackets()
      var sendTime = (1 << 24) - 50 * twentyMilliseconds
      for _ in 0...300 {
        packets.receive(size: 1000, sendTime: sendTime)
        packets.now += 20_000
        sendTime = (sendTime + twentyMilliseconds) & 0xFF_FFFF
      }
      let before = packets.latestKilobits
      for _ in 0..<100 {
        // Fifteen steps of 3 units, and one that completes the 20 ms.
        for _ in 0..<15 {
          packets.receive(size: 100, sendTime: sendTime)
          packets.now += 1000
          sendTime = (sendTime + 3) & 0xFF_FFFF
        }
        packets.now += 10_000
        sendTime = (sendTime + 5199) & 0xFF_FFFF
      }
      return VerificationOutcome(checks: [
        .init("estimate after 6 s [kbps]", atLeast: 400, simulated: before),
        .init("estimate after the groups [kbps]", atMost: 399.999, simulated: packets.latestKilobits),
      ])
    },
    silence(seconds: 35, source: "TestShortTimeoutAndWrap"),
    silence(seconds: 640, source: "TestLongTimeoutAndWrap"),
    VerificationCase(
      name: "remb-timeout", setup: "three packets of 1000 B after silences of 2001 and 1000 ms",
      source: "\(file), TestProcessAfterTimeout"
    ) {
      var packets = ReceivedPackets()
      packets.receive(size: 1000, sendTime: 0)
      packets.now += 2_001_000
      packets.receive(size: 1000, sendTime: ReceivedPackets.sendTime(2001, unitsPerSecond: 1000))
      packets.now += 1_000_000
      packets.receive(size: 1000, sendTime: ReceivedPackets.sendTime(3001, unitsPerSecond: 1000))
      return VerificationOutcome(checks: [
        .init("estimates", published: 0, simulated: packets.isUpdated ? 1 : 0, within: 0)
      ])
    },
  ]

  /// Receives 253 packets of 1200 B, 20 ms apart; returns the number of estimates before the third.
  private static func steady(_ packets: inout ReceivedPackets, sendTime: inout UInt32) -> Int {
    var early = packets.estimate == 0 ? 0 : 1
    for index in 0..<253 {
      if index == 2, packets.isUpdated || packets.estimate > 0 { early += 1 }
      packets.receive(size: 1200, sendTime: sendTime)
      packets.now += 20_000
      sendTime += twentyMilliseconds
    }
    return early
  }

  /// Creates a case of 100 packets per second for 30 s, silence, and then arrivals at half the rate.
  private static func silence(seconds: Int64, source: String) -> VerificationCase {
    VerificationCase(
      name: "remb-silence-\(seconds)s",
      setup: "100 packets a second for 30 s, \(seconds) s of silence, 21 packets at half the rate",
      source: "\(file), \(source)"
    ) {
      var packets = ReceivedPackets()
      var sendTime: UInt32 = 0
      for _ in 0..<3000 {
        packets.receive(size: 1000, sendTime: sendTime)
        packets.now += 10_000
        sendTime = (sendTime + 2621) & 0xFF_FFFF
      }
      let before = Double(packets.estimate)
      packets.now += seconds * 1_000_000
      sendTime = (sendTime + ReceivedPackets.sendTime(seconds, unitsPerSecond: 1)) & 0xFF_FFFF
      for _ in 0..<21 {
        packets.receive(size: 1000, sendTime: sendTime)
        packets.now += 20_000
        sendTime = (sendTime + 2621) & 0xFF_FFFF
      }
      return VerificationOutcome(checks: [
        .init("estimate before the silence [kbps]", atLeast: 1, simulated: before / 1000),
        .init(
          "estimate relative to the one before [%]", atMost: 99.99,
          simulated: Double(packets.estimate) / before * 100),
      ])
    }
  }
}
