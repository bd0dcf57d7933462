/// Published runs of pion's estimator over steps of capacity: 40 s each, means of the last 30 s of each step
/// (aalekseevx/vibe, raw logs).
///
/// Their sender is a model of an encoder (syncodecs) in a simulated network, and the estimator is pion's: deviations
/// from our rates are differences between two simulations.
enum PublishedCapacityCases {
  /// Published means of a step's last 30 s [kbps].
  private struct Step: Sendable {
    let target: Double
    let received: Double

    init(_ target: Double, _ received: Double) {
      self.target = target
      self.received = received
    }
  }

  static let all: [VerificationCase] = [
    steps(
      "pion-steps-single", "one encoding; 1, 2.5, 0.6, 1 Mbps from 0, 40, 80, 120 s",
      PackageResources.pion_steps_single_yaml,
      [Step(707, 737), Step(2686, 2418), Step(599, 599), Step(1046, 975)]),
    steps(
      "pion-steps-simulcast", "encodings of 225, 591, 1753 kbps; 1, 2.5, 0.6, 1 Mbps from 0, 40, 80, 120 s",
      PackageResources.pion_steps_simulcast_yaml,
      [Step(495, 474), Step(1422, 1315), Step(560, 543), Step(920, 813)]),
    steps(
      "pion-steps-simulcast-double",
      "encodings of 225, 591, 1753 kbps; 2, 5, 1.2, 2 Mbps from 0, 40, 80, 120 s",
      PackageResources.pion_steps_simulcast_double_yaml,
      [Step(762, 912), Step(4859, 4011), Step(1221, 1160), Step(2154, 1848)]),
  ]

  private static func steps(
    _ name: String, _ setup: String, _ bytes: [UInt8], _ published: [Step]
  ) -> VerificationCase {
    var measures: [SeedMeasure] = []
    for (place, step) in published.enumerated() {
      let from = Double(place * 40 + 10)
      measures.append(measure("target", "up_estimate_bps", from: from, of: step.target))
      measures.append(measure("rate", "up_bitrate_bps", from: from, of: step.received))
    }
    return CandidateCases.overSeeds(name, setup, "aalekseevx/vibe, raw logs", bytes, measures) {
      CandidateCases.pictures($0, flows: ["sender"], link: "sender/up")
    }
  }

  private static func measure(
    _ quantity: String, _ column: String, from: Double, of value: Double
  ) -> SeedMeasure {
    SeedMeasure(
      "\(quantity), \(Int(from)) to \(Int(from) + 30) s [kbps]", .within(0.15 * value, of: value)
    ) { series in
      series.mean(series.participant("sender", column), from, from + 30) / 1000
    }
  }
}
