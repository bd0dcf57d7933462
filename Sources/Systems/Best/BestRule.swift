import Allocation
import Ladder
import Quantity

/// Gives the allocation of the greatest utility within the budget; see ``OptimalAllocation`` for ties, the order being
/// that of the subscriptions.
struct BestRule: ServerRule {
  /// The rules' names in `decisions.csv`.
  private enum Name {
    static let optimum = "optimum"
    static let notShown = "not-shown"
  }

  func decide(_ state: AllocationState) -> AllocationOutcome {
    let problem = AllocationProblem(
      state.subscriptions.map { $0.wish.options(of: $0.layers, staysWithinRequest: true) })
    let budget = max(0, state.budget.bitsPerSecond)
    let best = problem.optimum(within: budget, findsMargin: true)
    let decisions = state.subscriptions.enumerated().map { place, subscription in
      let choice = best.choices[place]
      let ideal = problem.ideal(of: place)
      var decision = SourceDecision(
        layer: choice.map { subscription.layers[$0].id }, ideal: ideal.map { subscription.layers[$0].id },
        rank: place + 1, rule: subscription.wish.isReceivable ? Name.optimum : Name.notShown)
      if choice != ideal, let step = problem.nextStep(of: place, after: choice) {
        decision.hindrance = .bandwidth
        decision.missing = BitRate(bitsPerSecond: step - (budget - best.rate))
      }
      return decision
    }
    return AllocationOutcome(decisions: decisions, margin: best.margin)
  }
}
