import Allocation
import Ladder
import Quantity
import Systems

/// Rule that gives the allocation of greatest utility within the budget; see ``OptimalAllocation`` for ties, which
/// follow the order of the subscriptions.
///
/// Changing the encoding takes a key frame, so the new encoding's utility must exceed the current layer's by a share of
/// the latter. While some tiles are shown, those that are not yet shown are charged for their key frame. Otherwise,
/// tiles that have just received theirs would look more expensive than all others, and on a narrow link each would give
/// way to the next. While nothing is shown, or with a share of zero, the allocation is the optimum.
struct BestRule: ServerRule {
  /// Maximum size of a key frame, as the time in which the stream produces as many bits (libvpx's bound).
  private static let keyFrameTime = SimDuration.milliseconds(300)

  private let switchingCost: Double
  private let rateWindow: SimDuration

  /// Creates the rule.
  ///
  /// - Parameters:
  ///   - switchingCost: share of the current layer's utility by which another encoding must exceed it.
  ///   - rateWindow: time over which rates are measured, key frames included.
  init(switchingCost: Double = 0, rateWindow: SimDuration = .seconds(3)) {
    self.switchingCost = switchingCost
    self.rateWindow = rateWindow
  }

  /// Names of the rules in `decisions.csv`.
  private enum Name {
    static let optimum = "optimum"
    static let notShown = "not-shown"
  }

  func decide(_ state: AllocationState) -> AllocationOutcome {
    let options = state.subscriptions.map { $0.wish.options(of: $0.layers, staysWithinRequest: true) }
    let free = AllocationProblem(options)
    let isAnyShown = state.subscriptions.contains { $0.target != nil }
    let held = zip(state.subscriptions, options).map { subscription, options in
      guard switchingCost > 0, isAnyShown else { return options }
      return subscription.target == nil
        ? withKeyFrame(options, of: subscription) : raised(options, of: subscription)
    }
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
        // The device takes precedence if a layer that it cannot decode would be worth the switch.
        let present = choice.map { held[place][$0] } ?? .none
        let beyond = subscription.optionBeyondDevice
        let fits = best.rate - present.rate + beyond.rate <= budget
        decision.hindrance = fits && beyond.utility > present.utility ? .device : .hold
      }
      return decision
    }
    return AllocationOutcome(decisions: decisions, margin: best.margin)
  }

  /// Returns the options of a subscription, with a bonus on those of the current encoding.
  private func raised(_ options: [TileOption], of subscription: MeasuredSubscription) -> [TileOption] {
    guard let target = subscription.target,
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

  /// Returns the options of a subscription with the rates of their initial key frames added.
  private func withKeyFrame(_ options: [TileOption], of subscription: MeasuredSubscription) -> [TileOption] {
    var dearer = options
    for place in options.indices where options[place].rate > 0 {
      let encoding = subscription.layers[place].id.encoding
      let whole =
        subscription.layers.last { $0.id.encoding == encoding && $0.bitrate > .zero }?.bitrate ?? .zero
      dearer[place].rate += whole.bitsPerSecond.scaled(
        by: Self.keyFrameTime.nanoseconds, per: rateWindow.nanoseconds)
    }
    return dearer
  }
}

extension MeasuredSubscription {
  fileprivate var optionBeyondDevice: TileOption {
    guard let layer = beyondDevice else { return .none }
    return wish.options(of: [layer], staysWithinRequest: true)[0]
  }
}
