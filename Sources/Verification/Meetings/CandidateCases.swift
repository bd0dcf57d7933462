/// Test cases of RFC 8867 for interactive real-time media over simple bottlenecks, with their full schedules.
///
/// The RFC states no limits; the limits used are our proposals, based on its wording, except for RFC 8868's fairness
/// bounds (section 3). Flows send video at 150 kbps to 1.5 Mbps, and audio (Opus at 32 kbps, where the RFC has 20
/// kbps).
///
/// How competing Google Congestion Control flows share a link varies widely between runs, and so does the time at which
/// an estimate leaves the neighborhood of an old capacity: such cases are summarized over several seeds.
enum CandidateCases {
  static let all: [VerificationCase] = [
    single("rfc8867-5.1", "one flow, 50 ms", PackageResources.rfc8867_5_1_yaml),
    single("rfc8867-5.1-100ms", "one flow, 100 ms", PackageResources.rfc8867_5_1_100ms_yaml),
    several(
      "rfc8867-5.2", "two flows; 4, 2, 3.5, 1, 2 Mbps", PackageResources.rfc8867_5_2_yaml, flows: 2,
      capacities: [(0, 25, 4000), (25, 50, 2000), (50, 75, 3500), (75, 100, 1000), (100, 125, 2000)],
      fairFrom: 10),
    reverse,
    several(
      "rfc8867-5.4", "three flows from 0, 20, 40 s; 3.5 Mbps", PackageResources.rfc8867_5_4_yaml, flows: 3,
      capacities: [(0, 20, 3500), (20, 40, 3500), (40, 120, 3500)], fairFrom: 100),
    // Flows with short round trips get less than those with long ones. Successive decreases are a round trip apart, at
    // most 200 ms (`aimd_rate_control.cc`), so flows with a short round trip back off first, and the queue has drained
    // before the others may. A flow at its application limit has a spare estimate and recovers by probing. Growth is
    // linear near a capacity estimate, otherwise multiplicative.
    several(
      "rfc8867-5.5", "five flows, 10 to 150 ms one way; 4 Mbps", PackageResources.rfc8867_5_5_yaml, flows: 5,
      capacities: [(40, 300, 4000)], fairFrom: 280),
    starving(
      "rfc8867-5.6", "a flow from 5 s on, a long TCP (CUBIC) from 0 s; 2 Mbps, 300 ms queue",
      PackageResources.rfc8867_5_6_yaml, flows: 1),
    starving(
      "rfc8867-5.6-1000ms", "the same with a queue of 1000 ms", PackageResources.rfc8867_5_6_1000ms_yaml,
      flows: 1),
    starving(
      "rfc8867-5.7", "two flows from 5 s on, ten short TCPs; 2 Mbps", PackageResources.rfc8867_5_7_yaml,
      flows: 2),
    fairToTCP,
    several(
      "rfc8867-5.8", "three flows, the second one pauses from 40 to 60 s; 3.5 Mbps",
      PackageResources.rfc8867_5_8_yaml, flows: 3, capacities: [(0, 40, 3500), (60, 120, 3500)],
      fairFrom: 100,
      extra: [
        SeedMeasure("rate of the others at the end of the pause [kbps]", .atLeast(1350)) { series in
          let others = ["flow-1", "flow-3"].map {
            series.mean(series.participant($0, "up_bitrate_bps"), 55, 60)
          }
          return (others.min() ?? 0) / 1000
        }
      ]),
    priorities,
    bottlenecks,
  ]

  static let source = "RFC 8867"

  // MARK: The cases

  /// Creates a case in which flows compete with TCP and must not starve: each keeps its minimum video rate.
  private static func starving(
    _ name: String, _ setup: String, _ bytes: [UInt8], flows: Int
  ) -> VerificationCase {
    let names = (1...flows).map { "flow-\($0)" }
    return overSeeds(
      name, setup, "\(source) section \(name.dropFirst(8))", bytes,
      [
        SeedMeasure("least rate of a flow in any second from 10 s on [kbps]", .atLeast(150)) { series in
          let rates = names.map { series.participant($0, "up_bitrate_bps") }
          return rates.map { leastSecond(series, $0, from: 10) / 1000 }.min() ?? 0
        },
        SeedMeasure("least mean rate of a flow, 20 to 120 s [kbps]", .atLeast(150)) { series in
          let rates = names.map { series.participant($0, "up_bitrate_bps") }
          return rates.map { series.mean($0, 20, 120) / 1000 }.min() ?? 0
        },
      ]
    ) {
      pictures($0, flows: names, link: "bottleneck/up")
    }
  }

  private static let fairToTCP = overSeeds(
    "goog-cc-tcp", "a flow and a TCP over 1 Mbps, 50 ms, 10 s",
    "libwebrtc goog_cc_network_control_unittest.cc, IsFairToTCP", PackageResources.goog_cc_tcp_yaml,
    [
      SeedMeasure("target after 10 s [kbps]", .atMost(750)) {
        $0.mean($0.participant("flow-1", "up_estimate_bps"), 9.6, 10) / 1000
      }
    ]
  ) { _ in [] }

  /// Feedback over a congested reverse path; the forward flow must still use its path.
  private static let reverse: VerificationCase = {
    @Sendable func rate(_ series: MeetingSeries) -> [Double?] {
      series.participant("forward", "up_bitrate_bps")
    }
    return overSeeds(
      "rfc8867-5.3", "forward 2, 1, 0.5, 2 Mbps; backward 2, 0.8, 2 Mbps; a flow each way",
      "\(source) section 5.3", PackageResources.rfc8867_5_3_yaml,
      [
        SeedMeasure("use of 1 Mbps, 30 to 40 s [%]", .atLeast(70)) { $0.mean(rate($0), 30, 40) / 1e4 },
        SeedMeasure("use of 500 kbps, 50 to 60 s [%]", .atLeast(70)) { $0.mean(rate($0), 50, 60) / 5e3 },
        SeedMeasure("least forward rate in a second, from 5 s on [kbps]", .atLeast(150)) {
          leastSecond($0, rate($0), from: 5) / 1000
        },
      ]
    ) {
      pictures($0, flows: ["forward"], link: "forward/up")
    }
  }()

  private static let bottlenecks: VerificationCase = {
    @Sendable func means(_ series: MeetingSeries) -> [Double] {
      (1...3).map { series.mean(series.participant("flow-\($0)", "up_bitrate_bps"), 100, 300) / 1000 }
    }
    return overSeeds(
      "rfc8867-6.3",
      "flow 1 over 2, 8 and 1.5 Mbps (100 ms), flows 2 and 3 over the first and the last (40 ms)",
      "\(source) section 6.3", PackageResources.rfc8867_6_3_yaml,
      [
        SeedMeasure("use of the first bottleneck [%]", .atLeast(80)) { (means($0)[0] + means($0)[1]) / 20 },
        SeedMeasure("use of the last bottleneck [%]", .atLeast(80)) { (means($0)[0] + means($0)[2]) / 15 },
        SeedMeasure("least mean rate of a flow [kbps]", .atLeast(150)) { means($0).min() ?? 0 },
      ]
    ) {
      pictures($0, flows: ["flow-1", "flow-2", "flow-3"], link: "c-d/up")
    }
  }()

  // MARK: Shared parts

  static func pictures(_ series: MeetingSeries, flows: [String], link: String) -> [VerificationSeries] {
    [
      VerificationSeries(
        name: "capacity", quantity: "rate_kbps",
        points: series.points(series.link(link, "capacity_bps"), times: 1e-3))
    ]
      + flows.map {
        VerificationSeries(
          name: $0, quantity: "rate_kbps",
          points: series.points(series.participant($0, "up_bitrate_bps"), times: 1e-3))
      } + [
        VerificationSeries(
          name: "queue", quantity: "queue_delay_ms",
          points: series.points(series.link(link, "queue_delay_max_s"), times: 1e3))
      ]
  }

  /// Returns the first time at which a series has met a condition for a second [s]; infinite if it never does.
  static func firstTime(
    _ series: MeetingSeries, _ values: [Double?], from: Double, to: Double, _ holds: (Double) -> Bool
  ) -> Double {
    var time = from
    while time + 1 <= to {
      let window = series.window(values, time, time + 1)
      if !window.isEmpty, window.reduce(0, +) / Double(window.count) > 0 || holds(0),
        holds(window.reduce(0, +) / Double(window.count))
      {
        return time
      }
      time += series.interval
    }
    return .infinity
  }

  private static func leastSecond(_ series: MeetingSeries, _ values: [Double?], from: Double) -> Double {
    let end = Double(values.count) * series.interval
    return stride(from: from, to: end - 1, by: 1).map { series.mean(values, $0, $0 + 1) }.min() ?? 0
  }

  static func quantile(_ values: [Double], _ share: Double) -> Double {
    guard !values.isEmpty else { return .nan }
    let sorted = values.sorted()
    return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
  }
}
