package import Allocation
import Ladder
import Plan
package import Quantity
package import Systems

/// Decider for one viewer's subscriptions at any budget.
package protocol ViewerDecider: Sendable {
  /// Decides at a budget.
  ///
  /// - Returns: one grant for each subscription, in the order of ``wishes``, and the names of the rules that decided.
  func grants(budget: BitRate) -> (grants: [Grant], rules: [String], margin: BudgetMargin)
  var wishes: [Subscription] { get }
}

/// A policy without a memory.
package struct PolicyDecider: ViewerDecider {
  let policy: any AllocationPolicy
  /// Maximum rate that the client accepts.
  let cap: RateLimit
  /// Decoder limit of the viewer's device; `nil` if none is stated.
  let limit: DecoderLimit?
  package let wishes: [Subscription]
  /// Ranks of the subscriptions in the order of service, from 1.
  private let ranks: [Int]
  /// Name of the policy for each subscription, kept because finding it takes long.
  private let rules: [String]

  package init(policy: any AllocationPolicy, cap: RateLimit, limit: DecoderLimit?, wishes: [Subscription]) {
    self.policy = policy
    self.cap = cap
    self.limit = limit
    self.wishes = wishes
    ranks = policy.ranks(of: wishes)
    rules = Array(repeating: policy.ruleName, count: wishes.count)
  }

  package func grants(budget: BitRate) -> (grants: [Grant], rules: [String], margin: BudgetMargin) {
    var margin = BudgetMargin()
    var grants = policy.allocate(budget: RateLimit(budget), cap: cap, wishes: wishes, within: limit, &margin)
    grants.complete(ranks: ranks)
    return (grants, rules, margin)
  }
}

extension PolicyDecider {
  init(_ plan: MeetingPlan, _ viewer: Int, _ scene: Scene) {
    self.init(
      policy: plan.system.policy, cap: plan.receiveCap(of: viewer),
      limit: plan.participants[viewer].capabilities.decode, wishes: scene.wishes)
  }
}

/// A server's rule with its input.
package struct RuleDecider: ViewerDecider {
  private let rule: any ServerRule
  private let state: AllocationState

  /// Creates a decider.
  ///
  /// - Parameter state: input of the server's decision; its budget is not used.
  package init(_ rule: any ServerRule, _ state: AllocationState) {
    self.rule = rule
    self.state = state
  }

  package var wishes: [Subscription] { state.subscriptions.map(\.wish) }

  package func grants(budget: BitRate) -> (grants: [Grant], rules: [String], margin: BudgetMargin) {
    var state = state
    state.budget = budget
    let outcome = rule.decide(state)
    let grants = outcome.decisions.indices.map { place in
      let decision = outcome.decisions[place]
      let layer = decision.layer.flatMap { id in state.subscriptions[place].layers.last { $0.id == id } }
      return Grant(decision, of: state.subscriptions[place].wish, layer)
    }
    return (grants, outcome.decisions.map(\.rule), outcome.margin)
  }
}

extension Scene {
  /// Returns the input of a server's decision on the scene, with all layers arriving.
  func state(after previous: [PreviousLayer]) -> AllocationState {
    let subscriptions = wishes.sorted { $0.source < $1.source }.map { wish in
      var subscription = MeasuredSubscription(wish: wish, layers: wish.ladder)
      guard let before = previous.first(where: { $0.source == names[wish.source] }) else {
        return subscription
      }
      subscription.target = before.target
      subscription.current = before.current
      subscription.sinceDowngrade = before.downgraded
      if let since = before.since, let encoding = before.current?.encoding {
        subscription.ages = Array(repeating: nil, count: encoding) + [since]
      }
      return subscription
    }
    return AllocationState(budget: .zero, subscriptions: subscriptions, demand: demand)
  }
}
