import Allocation
import Ladder
import Quantity
import Systems

/// Gives the allocation of the greatest utility within the budget; see ``OptimalAllocation`` for ties, which follow the
/// order of the subscriptions.
///
/// Another encoding than the present one needs a key frame, so it must be worth more by a share of the present layer's
/// worth. Without a present layer, or with a share of zero, the allocation is the optimum.
struct BestRule: ServerRule {
  private let switchingCost: Double

  /// Creates the rule.
  ///
  /// - Parameter switchingCost: share of the present layer's worth by which another encoding must exceed it.
  init(switchingCost: Double = 0) { self.switchingCost = switchingCost }

  /// Names of the rules in `decisions.csv`.
  private enum Name {
    static let optimum = "optimum"
    static let notShown = "not-shown"
  }

  func decide(_ state: AllocationState) -> AllocationOutcome {
    let options = state.subscriptions.map { $0.wish.options(of: $0.layers, staysWithinRequest: true) }
    let free = AllocationProblem(options)
    let held = zip(state.subscriptions, options).map { raised($1, of: $0) }
    let problem = held == options ? free : AllocationProblem(held)
    let budget = max(0, state.budget.bitsPerSecond)
    let best = problem.optimum(within: budget, findsMargin: true)
    let decisions = state.subscriptions.enumerated().map { place, subscription in
      let choice = best.choices[place]
      let ideal = free.ideal(of: place)
      var decision = SourceDecision(
        layer: choice.map { subscription.layers[$0].id }, ideal: ideal.map { subscription.layers[$0].id },
        rank: place + 1, rule: subscription.wish.isReceivable ? Name.optimum : Name.notShown)
      guard choice != ideal else { return decision }
      if let step = problem.nextStep(of: place, after: choice) {
        decision.hindrance = .bandwidth
        decision.missing = BitRate(bitsPerSecond: step - (budget - best.rate))
      } else {
        // The device is named first where a layer that it cannot decode would be worth the switch.
        let present = choice.map { held[place][$0] } ?? .none
        let beyond = subscription.optionBeyondDevice
        let fits = best.rate - present.rate + beyond.rate <= budget
        decision.hindrance = fits && beyond.utility > present.utility ? .device : .hold
      }
      return decision
    }
    return AllocationOutcome(decisions: decisions, margin: best.margin)
  }

  /// Returns the options of a subscription, with a bonus on those of the present encoding.
  private func raised(_ options: [TileOption], of subscription: MeasuredSubscription) -> [TileOption] {
    guard switchingCost > 0, let target = subscription.target,
      let present = subscription.layers.firstIndex(where: { $0.id == target })
    else { return options }
    let bonus = Int64((Double(options[present].utility) * switchingCost).rounded())
    var raised = options
    for place in options.indices
    where subscription.layers[place].id.encoding == target.encoding && options[place].utility > 0 {
      raised[place].utility += bonus
    }
    return raised
  }
}

extension MeasuredSubscription {
  fileprivate var optionBeyondDevice: TileOption {
    guard let layer = beyondDevice else { return .none }
    return wish.options(of: [layer], staysWithinRequest: true)[0]
  }
}
