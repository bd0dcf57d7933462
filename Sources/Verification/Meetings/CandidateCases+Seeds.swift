/// Cases that vary widely between runs, summarized over several seeds.
extension CandidateCases {
  static func single(_ name: String, _ setup: String, _ bytes: [UInt8]) -> VerificationCase {
    @Sendable func rate(_ series: MeetingSeries) -> [Double?] { series.participant("flow", "up_bitrate_bps") }
    @Sendable func delay(_ series: MeetingSeries) -> [Double?] { series.link("flow/up", "queue_delay_max_s") }
    return overSeeds(
      name, "\(setup); 1, 2.5, 0.6, 1 Mbps from 0, 40, 60, 80 s", "\(source) section 5.1", bytes,
      [
        SeedMeasure("use of 1 Mbps, 15 to 40 s [%]", .within(10, of: 90)) { $0.mean(rate($0), 15, 40) / 1e4 },
        SeedMeasure("time to 1.4 of 1.5 Mbps after the rise [s]", .atMost(15), over: .median) {
          firstTime($0, rate($0), from: 40, to: 60) { $0 >= 1_400_000 } - 40
        },
        SeedMeasure("time until the queue is below 100 ms after the drop [s]", .atMost(2), over: .median) {
          firstTime($0, delay($0), from: 60, to: 80) { $0 < 0.1 } - 60
        },
        SeedMeasure("use of 600 kbps, 70 to 80 s [%]", .within(10, of: 90)) {
          $0.mean(rate($0), 70, 80) / 6e3
        },
        SeedMeasure("95th percentile of queue delay outside the drop [ms]", .atMost(100)) {
          quantile($0.window(delay($0), 1, 60) + $0.window(delay($0), 62, 100), 0.95) * 1000
        },
        SeedMeasure("longest queue delay [ms]", .atMost(300), over: .worst) {
          (delay($0).compactMap { $0 }.max() ?? 0) * 1000
        },
      ]
    ) {
      pictures($0, flows: ["flow"], link: "flow/up")
    }
  }

  static func several(
    _ name: String, _ setup: String, _ bytes: [UInt8], flows: Int,
    capacities: [(from: Double, to: Double, kilobits: Double)], fairFrom: Double, extra: [SeedMeasure] = []
  ) -> VerificationCase {
    let names = (1...flows).map { "flow-\($0)" }
    @Sendable func rates(_ series: MeetingSeries) -> [[Double?]] {
      names.map { series.participant($0, "up_bitrate_bps") }
    }
    return overSeeds(
      name, setup, "\(source) section \(name.dropFirst(8)); fairness RFC 8868 section 3", bytes,
      [
        SeedMeasure("least use of capacity or demand at the end of a part [%]", .atLeast(70)) {
          leastUse($0, rates($0), of: capacities)
        },
        SeedMeasure("ratio of the least to the greatest 20 s mean", .atLeast(0.333)) { series in
          let means = rates(series).map { series.mean($0, fairFrom, fairFrom + 20) }
          return (means.min() ?? 0) / (means.max() ?? 1)
        },
        SeedMeasure("95th percentile of queue delay [ms]", .atMost(150)) {
          quantile($0.link("bottleneck/up", "queue_delay_mean_s").compactMap { $0 }, 0.95) * 1000
        },
      ] + extra
    ) {
      pictures($0, flows: names, link: "bottleneck/up")
    }
  }

  /// Returns the lowest utilization over all parts, each measured at its end: the flows' rate relative to the capacity
  /// or, if that is less, to their demand [%].
  private static func leastUse(
    _ series: MeetingSeries, _ rates: [[Double?]],
    of capacities: [(from: Double, to: Double, kilobits: Double)]
  ) -> Double {
    let uses = capacities.map { part in
      let demand = min(
        part.kilobits,
        1600 * Double(rates.filter { !series.window($0, part.from, part.from + 5).isEmpty }.count))
      let settled = max(part.from + 10, part.to - 10)
      return rates.reduce(0) { sum, rate in
        let mean = series.mean(rate, settled, part.to)
        return sum + (mean.isNaN ? 0 : mean)
      } / demand / 10
    }
    return uses.min() ?? 0
  }

  /// Priorities between flows of different senders, which GCC does not support.
  static let priorities = overSeeds(
    "rfc8867-6.1", "as 5.4 with priorities 2:1:1", "\(source) section 6.1", PackageResources.rfc8867_5_4_yaml,
    [
      SeedMeasure("rate of flow 1 relative to the others' mean", .within(0.5, of: 2)) { series in
        let means = (1...3).map { series.mean(series.participant("flow-\($0)", "up_bitrate_bps"), 100, 120) }
        return means[0] / ((means[1] + means[2]) / 2)
      }
    ]
  ) {
    pictures($0, flows: (1...3).map { "flow-\($0)" }, link: "bottleneck/up")
  }

  private static let seeds: [UInt64] = Array(1...10)

  /// Creates a case that is summarized over several seeds; the plot shows the first one.
  static func overSeeds(
    _ name: String, _ setup: String, _ source: String, _ bytes: [UInt8], _ measures: [SeedMeasure],
    series: @escaping @Sendable (MeetingSeries) -> [VerificationSeries]
  ) -> VerificationCase {
    let joined = SeedMeasure.text(measures, seeds: seeds.count)
    return VerificationCase(name: name, setup: "\(setup); \(joined)", source: source) {
      do {
        let runs = try seeds.map { try MeetingSeries(scenario: bytes, seed: $0) }
        return VerificationOutcome(checks: measures.map { $0.check(runs) }, series: series(runs[0]))
      } catch {
        return VerificationOutcome(failure: error)
      }
    }
  }
}
