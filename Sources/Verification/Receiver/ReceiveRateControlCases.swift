import CongestionControl
import Quantity

/// libwebrtc's unit tests of the receive side's rate control, link capacity estimate and REMB throttle.
enum ReceiveRateControlCases {
  private static let file = "libwebrtc aimd_rate_control_unittest.cc"
  /// Source of tests with the same numbers, for mediasoup's own implementation.
  private static let mediasoup = "versatica/mediasoup worker/test/src/RTC/BWE"

  static let all: [VerificationCase] = [
    VerificationCase(
      name: "remb-additive-growth", setup: "growth per second near the capacity, at rates and round trips",
      source: file
    ) {
      let rows: [(kilobits: Int64, roundTrip: Int64, slope: Double)] = [
        (30, 200, 4000), (90, 200, 5000), (216, 200, 12_000), (60, 100, 5000),
      ]
      return VerificationOutcome(
        checks: rows.map { row in
          var control = Self.control(row.kilobits)
          control.roundTrip = .milliseconds(row.roundTrip)
          return .init(
            "at \(row.kilobits) kbps and \(row.roundTrip) ms [bps]", published: row.slope,
            simulated: control.additiveIncreasePerSecond, within: 0)
        })
    },
    VerificationCase(
      name: "remb-ceiling", setup: "10 kbps arrive for 20 s, then 5 kbps", source: file
    ) {
      var control = Self.control(10)
      var now = SimTime.zero
      for _ in 0..<200 {
        control.update(.normal, throughput: .kilobits(10), at: now)
        now += .milliseconds(100)
      }
      let ceiling = kilobits(control)
      control.update(.normal, throughput: .kilobits(5), at: now)
      return VerificationOutcome(checks: [
        .init("estimate after 20 s [kbps]", published: 25, simulated: ceiling, within: 0),
        .init("estimate when half arrives [kbps]", published: 25, simulated: kilobits(control), within: 0),
      ])
    },
    VerificationCase(
      name: "remb-overuse", setup: "264 kbps, overuse 100 ms later while 260 kbps arrive",
      source: "\(mediasoup); 221 kbps without the 5 kbps taken off, \(file)"
    ) {
      var control = Self.control(264)
      control.update(.overused, throughput: .kilobits(260), at: .zero + .milliseconds(100))
      return VerificationOutcome(checks: [
        .init("estimate [kbps]", published: 216, simulated: kilobits(control), within: 0)
      ])
    },
    VerificationCase(
      name: "remb-unknown-rate", setup: "123 kbps arrive for 5 s, then nothing is known for 10 s",
      source: file
    ) {
      var control = AIMDRateControl(parameters: ReceiveSideParameters().rateControl)
      var now = SimTime.zero
      control.update(.normal, throughput: .kilobits(123), at: now)
      now += .milliseconds(5001)
      control.update(.normal, throughput: .kilobits(123), at: now)
      for _ in 0..<100 {
        control.update(.normal, throughput: nil, at: now)
        now += .milliseconds(100)
      }
      return VerificationOutcome(checks: [
        .init("estimate [kbps]", atMost: 194.5, simulated: kilobits(control)),
        .init("estimate, lower bound [kbps]", atLeast: 123, simulated: kilobits(control)),
      ])
    },
    VerificationCase(
      name: "remb-capacity", setup: "overuse at 500 and 1000 kbps; then the estimate is forgotten; 500 kbps",
      source: mediasoup
    ) {
      var capacity = LinkCapacityEstimate(roundsDown: true)
      var checks: [VerificationCheck] = []
      func check(_ when: String, _ lower: Double, _ mean: Double, _ upper: Double) {
        let rows = [
          ("lower bound", lower, capacity.lowerBound), ("mean", mean, capacity.rate),
          ("upper bound", upper, capacity.upperBound),
        ]
        for (metric, published, rate) in rows {
          checks.append(
            .init(
              "\(metric) \(when) [bps]", published: published,
              simulated: rate.map { Double($0.bitsPerSecond) } ?? .nan, within: 0))
        }
      }
      capacity.add(.kilobits(500))
      check("after one", 457_573, 500_000, 542_426)
      capacity.add(.kilobits(1000))
      check("after two", 416_314, 525_000, 633_685)
      capacity.reset()
      capacity.add(.kilobits(500))
      check("after forgetting", 396_619, 500_000, 603_380)
      return VerificationOutcome(checks: checks)
    },
    VerificationCase(
      name: "remb-throttle", setup: "estimates in quick succession; bps after ms",
      source: "libwebrtc remb_throttler_unittest.cc"
    ) {
      let runs: [[(rate: Int64, at: Int64, isSent: Bool)]] = [
        [(12_346, 0, true), (12_345, 100, false), (12_345, 201, true)],
        [(2345, 0, true), (1234, 1, true)],
        [(1234, 0, true), (2345, 100, false), (2345, 201, true)],
      ]
      return VerificationOutcome(
        checks: runs.map { run in
          var throttle = REMBThrottle()
          let sent = run.map {
            throttle.passes(BitRate(bitsPerSecond: $0.rate), at: .zero + .milliseconds($0.at))
          }
          return VerificationCheck(
            "sent: " + run.map { "\($0.rate) after \($0.at)" }.joined(separator: ", "),
            published: text(run.map(\.isSent)), simulated: text(sent), tolerance: "exact",
            holds: sent == run.map(\.isSent))
        })
    },
  ]

  private static func control(_ kilobits: Int64) -> AIMDRateControl {
    var control = AIMDRateControl(parameters: ReceiveSideParameters().rateControl)
    control.set(.kilobits(kilobits), origin: .probe, at: .zero)
    return control
  }

  private static func kilobits(_ control: AIMDRateControl) -> Double {
    Double(control.estimate.bitsPerSecond) / 1000
  }

  private static func text(_ flags: [Bool]) -> String {
    flags.map { $0 ? "yes" : "no" }.joined(separator: ", ")
  }
}
