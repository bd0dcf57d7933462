import Allocation
import Ladder
import Quantity
import Systems

/// Decides on one viewer's wishes, budget by budget.
protocol ViewerDecider: Sendable {
  func tiles(budget: BitRate) -> (tiles: [RankedGrant], margin: BudgetMargin)
}

/// What a rule decides on one wish.
struct RankedGrant {
  /// Place of the source.
  var source: Int
  /// Place in the order in which sources are served, from 1.
  var rank: Int
  var wish: Wish
  var grant: Grant
  var rule: String
}

/// A policy without a memory.
struct PolicyDecider: ViewerDecider {
  let policy: any AllocationPolicy
  /// The most that the client accepts.
  let cap: BitRate
  /// What the viewer's device decodes; `nil` without a stated limit.
  let limit: DecoderLimit?
  let wishes: [Wish]
  /// Places of the sources that rows are for, by index in the meeting.
  let places: [Int: Int]

  func tiles(budget: BitRate) -> (tiles: [RankedGrant], margin: BudgetMargin) {
    var margin = BudgetMargin()
    let rule = String(describing: type(of: policy))
    let grants = policy.allocate(budget: budget, cap: cap, wishes: wishes, within: limit, &margin)
    let order = policy.order(of: wishes)
    let tiles = wishes.indices.compactMap { index in
      places[wishes[index].source].map {
        RankedGrant(
          source: $0, rank: (order.firstIndex(of: index) ?? index) + 1, wish: wishes[index],
          grant: grants[index], rule: rule)
      }
    }
    return (tiles, margin)
  }
}

extension PolicyDecider {
  init(_ plan: MeetingPlan, _ viewer: Int, _ scene: Scene, _ places: [Int: Int]) {
    let capabilities = plan.participants[viewer].capabilities
    self.init(
      policy: plan.system.policy, cap: min(capabilities.receiveCap ?? .unlimited, plan.system.receiveCap),
      limit: capabilities.decode, wishes: scene.wishes, places: places)
  }
}

/// A server's rule.
struct RuleDecider: ViewerDecider {
  private let rule: any ServerRule
  private let state: AllocationState
  private let places: [Int: Int]

  /// - Parameters:
  ///   - state: what the server knows; its budget does not count.
  ///   - places: places of the sources that rows are for, by index in the meeting.
  init(_ rule: any ServerRule, _ state: AllocationState, _ places: [Int: Int]) {
    self.rule = rule
    self.state = state
    self.places = places
  }

  func tiles(budget: BitRate) -> (tiles: [RankedGrant], margin: BudgetMargin) {
    var state = state
    state.budget = budget
    let outcome = rule.decide(state)
    let tiles = zip(state.subscriptions, outcome.decisions).compactMap { subscription, decision in
      places[subscription.wish.source].map {
        let layer = decision.layer.flatMap { id in subscription.layers.last { $0.id == id } }
        return RankedGrant(
          source: $0, rank: decision.rank, wish: subscription.wish,
          grant: Grant(decision, of: subscription.wish, layer), rule: decision.rule)
      }
    }
    return (tiles, outcome.margin)
  }
}

extension Scene {
  /// What a server knows of the scene when all layers arrive.
  func state(after previous: [PreviousLayer]) -> AllocationState {
    let subscriptions = wishes.sorted { $0.source < $1.source }.map { wish in
      var subscription = Subscription(wish: wish, layers: roster.sources[wish.source].ladder)
      guard let before = previous.first(where: { $0.source == name(of: wish.source) }) else {
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
