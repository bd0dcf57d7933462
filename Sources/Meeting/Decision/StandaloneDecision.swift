package import Allocation
package import Ladder
package import Quantity
import Systems

/// What a system would give each source of one viewer at each budget: the decision alone, without packets.
///
/// The wishes are those of the viewer's client at a moment of the scenario, after everything that it debounces has taken
/// effect; all layers arrive that the sources' ladders have, at the rates that the scenario lists or the ladder names. The
/// code that decides is that of a run.
package struct StandaloneDecision: Sendable {
  /// A source of others, in the order of the meeting's sources.
  package struct Source: Sendable {
    /// `ID`, or `ID/screen` for a screen share.
    package var name: String
    package var layers: [Layer]
  }

  /// What one source is given.
  package struct Row: Hashable, Sendable {
    /// Index in ``sources``.
    package var source: Int
    /// Place in the order in which sources are served, from 1; `nil` for one that is not subscribed to.
    package var rank: Int?
    /// `nil` for nothing.
    package var layer: Layer?
    package var limitation: Limitation
    /// Further budget for the next layer; zero where bandwidth is not the limit.
    package var missing: BitRate
    package var rule: String
  }

  package let sources: [Source]
  private let decider: any ViewerDecider

  /// - Parameters:
  ///   - viewer: index of a participant with a view.
  ///   - at: moment of the scenario's timeline.
  ///   - previous: what was forwarded before, by ``Source/name``.
  /// - Returns: `nil` if the viewer has no view.
  package init?(_ plan: MeetingPlan, viewer: Int, at: SimTime, previous: [PreviousLayer] = []) {
    guard let scene = Scene(plan, viewer: viewer, at: at) else { return nil }
    sources = scene.remoteSources.map {
      Source(name: scene.name(of: $0), layers: scene.roster.sources[$0].ladder)
    }
    let places = Dictionary(uniqueKeysWithValues: scene.remoteSources.enumerated().map { ($1, $0) })
    if let rule = plan.system.meetingRule {
      decider = MeetingDecider(rule, plan, viewer, scene, places, at: at)
    } else if let rule = plan.system.statedRule {
      decider = RuleDecider(rule, scene, places, previous)
    } else {
      decider = PolicyDecider(plan, viewer, scene, places)
    }
  }

  /// One row for each source, in their order, or for each subscription to it where there are several, and how much more
  /// budget may change one; `nil` if no budget does.
  package func rows(budget: BitRate) -> (rows: [Row], rise: Int64?) {
    let (decided, margin) = decider.rows(budget: budget)
    let rows = sources.indices.flatMap { source in
      let own = decided.filter { $0.source == source }
      return own.isEmpty
        ? [Row(source: source, rank: nil, layer: nil, limitation: .offScreen, missing: .zero, rule: "")] : own
    }
    return (rows, margin.rise)
  }
}

/// What was forwarded of a source before a decision.
package struct PreviousLayer: Hashable, Sendable {
  /// As in ``StandaloneDecision/Source/name``.
  package var source: String
  /// What was decided; `nil` for nothing.
  package var target: LayerID?
  /// The encoding that is forwarded, where that is another.
  package var currentEncoding: Int?
  /// For how long the forwarded encoding has arrived; `nil` for longer than any rule asks.
  package var since: SimDuration?
  /// Time since bandwidth made the server take a lower encoding; `nil` for longer than any rule asks.
  package var downgraded: SimDuration?

  package init(source: String, target: LayerID?) {
    self.source = source
    self.target = target
  }

  /// What is forwarded.
  var current: LayerID? {
    guard let encoding = currentEncoding else { return target }
    return LayerID(encoding: encoding, temporal: target?.temporal ?? 0)
  }
}

/// Decides on one viewer's wishes, budget by budget; rows by place of the source among those of others.
protocol ViewerDecider: Sendable {
  func rows(budget: BitRate) -> (rows: [StandaloneDecision.Row], margin: BudgetMargin)
}

/// A policy without a memory.
private struct PolicyDecider: ViewerDecider {
  private let policy: any AllocationPolicy
  private let cap: BitRate
  private let limit: DecoderLimit?
  private let wishes: [Wish]
  private let places: [Int: Int]
  private let rule: String

  init(_ plan: MeetingPlan, _ viewer: Int, _ scene: Scene, _ places: [Int: Int]) {
    let capabilities = plan.participants[viewer].capabilities
    policy = plan.system.policy
    rule = String(describing: type(of: policy))
    cap = min(capabilities.receiveCap ?? .unlimited, plan.system.receiveCap)
    limit = capabilities.decode
    wishes = scene.wishes
    self.places = places
  }

  func rows(budget: BitRate) -> (rows: [StandaloneDecision.Row], margin: BudgetMargin) {
    var margin = BudgetMargin()
    let grants = policy.allocate(budget: budget, cap: cap, wishes: wishes, within: limit, &margin)
    let rows = zip(wishes, grants).enumerated().compactMap { place, pair in
      let (wish, grant) = pair
      return places[wish.source].map {
        StandaloneDecision.Row(
          source: $0, rank: place + 1, layer: grant.layer, limitation: grant.limitation,
          missing: grant.missing, rule: rule)
      }
    }
    return (rows, margin)
  }
}

/// A server's rule.
private struct RuleDecider: ViewerDecider {
  private let rule: any ServerRule
  private let state: AllocationState
  private let places: [Int: Int]

  init(_ rule: any ServerRule, _ scene: Scene, _ places: [Int: Int], _ previous: [PreviousLayer]) {
    self.rule = rule
    self.places = places
    let wishes = scene.wishes.sorted { $0.source < $1.source }
    let subscriptions = wishes.map { wish in
      var subscription = Subscription(wish: wish, layers: scene.roster.sources[wish.source].ladder)
      guard let before = previous.first(where: { $0.source == scene.name(of: wish.source) }) else {
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
    state = AllocationState(budget: .zero, subscriptions: subscriptions, demand: scene.demand)
  }

  func rows(budget: BitRate) -> (rows: [StandaloneDecision.Row], margin: BudgetMargin) {
    var state = state
    state.budget = budget
    let outcome = rule.decide(state)
    let rows = zip(state.subscriptions, outcome.decisions).compactMap { subscription, decision in
      places[subscription.wish.source].map {
        let layer = decision.layer.flatMap { id in subscription.layers.last { $0.id == id } }
        let grant = Grant(decision, of: subscription.wish, layer)
        return StandaloneDecision.Row(
          source: $0, rank: decision.rank, layer: grant.layer, limitation: grant.limitation,
          missing: grant.missing, rule: decision.rule)
      }
    }
    return (rows, outcome.margin)
  }
}
