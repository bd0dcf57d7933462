import Allocation
import Ladder
import Quantity
import Systems

/// Gives the allocation of the greatest utility within the budget; see ``OptimalAllocation`` for ties, which follow the
/// order of the subscriptions.
///
/// Another encoding than the present one needs a key frame, so it must be worth more by a share of the present layer's
/// worth. A tile that is not shown yet counts with its key frame beside those that are: else those that have just had
/// theirs would look dearer than all others, and on a narrow link each would give way to the next. Without a present
/// layer, or with a share of zero, the allocation is the optimum.
struct BestRule: ServerRule {
  /// Time whose bits a key frame has at most (libvpx's bound).
  private static let keyFrameTime = SimDuration.milliseconds(300)

  private let switchingCost: Double
  private let rateWindow: SimDuration

  /// Creates the rule.
  ///
  /// - Parameters:
  ///   - switchingCost: share of the present layer's worth by which another encoding must exceed it.
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

  /// Returns the options of a subscription with the rates of the key frames that they begin with.
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
