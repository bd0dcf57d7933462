package import Allocation
import Ladder
import Network
import Plan
package import Quantity
package import Systems

/// A controller that decides for the whole meeting: the viewer's downlink is the budget, and all other links are as in
/// the scenario.
package struct MeetingDecider: ViewerDecider {
  private let rule: any MeetingRule
  private var state: MeetingAllocationState
  /// Index of the viewer in the state.
  private let viewer: Int
  /// Frame rates of the captures, by source [1/1000 Hz].
  private let rates: [Int]

  init(
    _ rule: any MeetingRule, _ plan: MeetingPlan, _ viewer: Int, _ scene: Scene, at moment: SimTime
  ) {
    self.rule = rule
    state = MeetingAllocationState(publishers: [], viewers: [])
    let streams = StreamNumbering(plan)
    rates = plan.captureRates(streams)
    var own = 0
    for number in plan.participants.indices {
      let sources = streams.cameraFirst(of: number).filter { scene.roster.sources[$0].isCapturing }
      if !sources.isEmpty {
        state.publishers.append(
          MeetingPublisher(
            participant: number, uplink: plan.capacity(of: plan.participants[number].up, at: moment),
            sources: sources.map { MeetingSource(source: $0, levels: plan.levels(of: $0, streams, rule)) }))
      }
      guard let view = number == viewer ? scene : Scene(plan, viewer: number, at: moment) else { continue }
      if number == viewer { own = state.viewers.count }
      state.viewers.append(
        MeetingViewer(
          participant: number,
          allocation: AllocationState(
            budget: plan.capacity(of: plan.participants[number].down, at: moment),
            subscriptions: view.wishes.map {
              MeasuredSubscription(wish: $0, layers: view.roster.sources[$0.source].ladder)
            }, demand: view.demand)))
    }
    self.viewer = own
  }

  /// Creates a decider.
  ///
  /// - Parameters:
  ///   - state: input of the controller's decision.
  ///   - viewer: index of the viewer in the state.
  ///   - rates: frame rates of the captures, by source [1/1000 Hz].
  package init(_ rule: any MeetingRule, _ state: MeetingAllocationState, viewer: Int, rates: [Int]) {
    self.rule = rule
    self.state = state
    self.viewer = viewer
    self.rates = rates
  }

  package var wishes: [Subscription] { state.viewers[viewer].allocation.subscriptions.map(\.wish) }

  package func grants(budget: BitRate) -> (grants: [Grant], rules: [String], margin: BudgetMargin) {
    var state = state
    state.viewers[viewer].allocation.budget = budget
    let outcome = rule.decide(state, marginOf: viewer)
    let subscriptions = state.viewers[viewer].allocation.subscriptions
    let grants = zip(subscriptions, outcome.viewers[viewer]).map { subscription, decided in
      grant(subscription, decided, levels: levels(of: subscription.wish.source))
    }
    return (grants, outcome.viewers[viewer].map(\.rule), outcome.margin)
  }

  private func levels(of source: Int) -> [QualityLevel] {
    state.publishers.lazy.flatMap(\.sources).first { $0.source == source }?.levels ?? []
  }

  private func grant(
    _ subscription: MeasuredSubscription, _ decision: SourceDecision, levels: [QualityLevel]
  ) -> Grant {
    let layer = decision.layer.map { layer in
      // An encoding comes with all its temporal layers, as in a run.
      Layer(
        id: subscription.wish.ladder.last { $0.id.encoding == layer.encoding }?.id ?? layer,
        format: VideoFormat(
          levels.sizes[layer.encoding], milliFramesPerSecond: rates[subscription.wish.source]),
        bitrate: decision.bitrate)
    }
    return Grant(decision, of: subscription.wish, layer)
  }
}

extension MeetingPlan {
  /// Returns the capacity of the narrowest link of a route at a moment.
  func capacity(of route: [Int], at moment: SimTime) -> BitRate {
    route.map { link in
      var meter = CapacityMeter(profile: links[link].parameters.capacity)
      return meter.capacity(at: moment)
    }.min() ?? .zero
  }
}
