import Files
import Plan
import Scenario
import Sweep
import Systems

/// Remark on variants with other systems than the scenario's, and what else differs between these.
struct SystemsNote {
  typealias Loaded = (variant: Variant, scenario: LoadedScenario)

  private let labels: [String]
  private let plans: [MeetingPlan]

  init(base: LoadedScenario, variants: [Loaded]) {
    labels = [WhatIfCommand.base] + variants.map(\.variant.label)
    plans = [base.plan] + variants.map(\.scenario.plan)
  }

  /// Set if the variants have several systems.
  var differ: Bool { Set(plans.map(\.system.name)).count > 1 }

  /// Returns the paragraphs of the remark; none for variants of one system.
  func lines(about metric: String) -> [String] {
    guard differ else { return [] }
    let requested = ["pixels_of_request", "requested_height_share"].contains(metric)
    let remark =
      "note: \(metric) is against what each system requests: compare systems by pixels_of_screen or mos"
    return [estimators] + (requested ? [remark] : [])
  }

  private var estimators: String {
    let names = plans.map(\.estimatorName)
    let known = names.uniqued()
    guard known.count > 1 else {
      let strange = plans.filter { !$0.hasOwnEstimators }.map(\.system.name).uniqued()
      return "note: all variants have estimator \(known[0])"
        + (strange.isEmpty
          ? ", which their systems are deployed with"
          : ", which \(strange.joined(separator: " and ")) \(strange.count > 1 ? "are" : "is") not deployed with")
    }
    let groups = known.map { name in
      "\(name) in " + zip(labels, names).filter { $0.1 == name }.map { "'\($0.0)'" }.joined(separator: ", ")
    }
    let alike = "'--set estimator=\(OwnEstimator.uplinks)' has them alike"
    return "note: estimators differ: \(groups.joined(separator: "; ")); \(alike)"
  }
}
