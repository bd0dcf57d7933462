package import Allocation
import Ladder
import Plan
package import Quantity
package import Systems

/// The controller of a system that decides for all viewers and publishers at once: its state and its orders.
package struct MeetingController {
  private let rule: any MeetingRule
  private var schedule: any MeetingSchedule
  /// Levels by source.
  private let levels: [[QualityLevel]]
  /// Subscriptions by viewer, one for each source.
  private var wishes: [[Subscription]]
  /// Demands on the whole downlink, by viewer.
  private var demands: [ViewerDemand]
  /// Rates last granted, by viewer and subscription.
  private var given: [[BitRate]]
  /// Uplink capacities for video, as last reported by the publishers, by participant.
  package var uplinks: [BitRate]
  /// Rates last ordered, by source and encoding; empty before the first decision.
  package private(set) var orders: [[BitRate]]
  /// Input of the last decision; `nil` before the first.
  package private(set) var lastState: MeetingAllocationState?

  /// Creates a system's controller; `nil` where the system has none.
  init?(_ plan: MeetingPlan, streams: StreamNumbering) {
    guard let control = plan.system.controller else { return nil }
    rule = control.rule
    schedule = control.schedule
    levels = streams.sources.indices.map { plan.levels(of: $0, streams, control.rule) }
    let count = plan.participants.count
    wishes = Array(repeating: [], count: count)
    uplinks = Array(repeating: .zero, count: count)
    demands = Array(repeating: ViewerDemand(), count: count)
    given = Array(repeating: [], count: count)
    orders = Array(repeating: [], count: streams.sourceCount)
  }

  /// Handles a viewer's subscriptions that have reached the controller. If there are two subscriptions to a source,
  /// only the larger counts [our model: a run has one track per viewer and source].
  ///
  /// - Returns: the effective subscriptions.
  package mutating func subscribe(
    _ viewer: Int, to wanted: [Subscription], _ demand: ViewerDemand, at now: SimTime
  )
    -> [Subscription]
  {
    var single: [Subscription] = []
    for wish in wanted where !single.contains(where: { $0.source == wish.source }) { single.append(wish) }
    demands[viewer] = demand
    if single != wishes[viewer] {
      wishes[viewer] = single
      given[viewer] = []
      schedule.noteChange(at: now)
    }
    return single
  }

  package mutating func receive(_ estimate: BitRate, of link: MeetingLink, at now: SimTime) {
    schedule.receive(estimate, of: link, at: now)
  }

  package func isDue(at now: SimTime) -> Bool { schedule.dueAt.map { now >= $0 } ?? false }

  /// Decides for the whole meeting.
  ///
  /// - Parameters:
  ///   - publishers: participants with capturing sources, with their uplink budgets for video.
  ///   - budgets: downlink budgets for video, by viewer.
  /// - Returns: for each viewer with subscriptions, the subscriptions, their grants and the rules that
  ///   decided, in the same order.
  package mutating func decide(
    publishers: [(participant: Int, uplink: BitRate, sources: [Int])], budgets: [BitRate], at now: SimTime
  ) -> [(viewer: Int, wishes: [Subscription], grants: [Grant], rules: [String])] {
    let viewers = wishes.indices.filter { !wishes[$0].isEmpty }
    var state = MeetingAllocationState(
      publishers: publishers.map { publisher in
        MeetingPublisher(
          participant: publisher.participant, uplink: publisher.uplink,
          sources: publisher.sources.map {
            MeetingSource(source: $0, levels: levels[$0], lastRates: orders[$0])
          })
      },
      viewers: viewers.map { viewer in
        MeetingViewer(
          participant: viewer,
          allocation: AllocationState(
            budget: budgets[viewer],
            subscriptions: wishes[viewer].map { MeasuredSubscription(wish: $0, layers: $0.ladder) },
            demand: demands[viewer]), lastRates: given[viewer])
      })
    schedule.complete(&state)
    for (index, publisher) in publishers.enumerated() {
      guard let least = leastOrder(of: publisher.sources) else { continue }
      state.publishers[index].uplink = max(state.publishers[index].uplink, least)
    }
    lastState = state
    let outcome = rule.decide(state, marginOf: nil)
    schedule.noteDecision(state, outcome, at: now)
    for (publisher, own) in zip(publishers, outcome.publishers) {
      for (source, order) in zip(publisher.sources, own) { orders[source] = order.rates }
    }
    return zip(viewers, outcome.viewers).map { viewer, decisions in
      given[viewer] = decisions.map(\.bitrate)
      let grants = zip(wishes[viewer], decisions).map { Grant($1, of: $0, $1.layer(of: $0)) }
      return (viewer, wishes[viewer], grants, decisions.map(\.rule))
    }
  }

  /// Returns the lowest level of the subscribed sources; `nil` if there are none.
  ///
  /// It is ordered whatever the uplink's estimate, and the encoder runs at the available rate: an estimate cannot grow
  /// while nothing is sent [our model].
  private func leastOrder(of sources: [Int]) -> BitRate? {
    sources.filter { source in wishes.contains { $0.contains { $0.source == source } } }
      .flatMap { levels[$0] }.map(\.bitrate).min()
  }
}

extension SourceDecision {
  /// Returns the layer of a subscription's ladder that the controller has ordered, at the ordered rate.
  fileprivate func layer(of wish: Subscription) -> Layer? {
    // A controller orders whole encodings.
    var layer = layer.flatMap { layer in wish.ladder.last { $0.id.encoding == layer.encoding } }
    layer?.bitrate = bitrate
    return layer
  }
}
