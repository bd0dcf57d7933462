import Allocation
import Ladder
import Quantity
import Systems

extension GSORule {
  /// A meeting in the solver's terms.
  struct Meeting {
    private(set) var problem: GSOProblem
    /// Levels by source, across all publishers.
    private(set) var levels: [[QualityLevel]] = []
    /// Indices of the subscriptions among those passed to the solver, by viewer; `nil` for one that gets nothing.
    private(set) var places: [[Int?]] = []
    /// Numbers of the sources across all publishers, by index in the meeting; -1 for none.
    private var numbers: [Int] = []

    init(_ state: MeetingAllocationState, _ parameters: GSOParameters) {
      problem = GSOProblem(publishers: [], subscribers: [])
      for publisher in state.publishers {
        for source in publisher.sources {
          while numbers.count <= source.source { numbers.append(-1) }
          numbers[source.source] = levels.count
          levels.append(source.levels)
        }
      }
      problem.publishers = state.publishers.map {
        GSOProblem.Publisher(
          uplink: parameters.capacity($0.uplink, heldAt: $0.heldAt), sources: $0.sources.map(\.levels))
      }
      for viewer in state.viewers {
        var subscriber = GSOProblem.Subscriber(
          downlink: parameters.capacity(viewer.allocation.budget, heldAt: viewer.heldAt), subscriptions: [])
        places.append(
          viewer.allocation.subscriptions.map { subscription in
            guard
              let own = Self.subscription(subscription.wish, number(of: subscription.wish.source), parameters)
            else { return nil }
            subscriber.subscriptions.append(own)
            return subscriber.subscriptions.count - 1
          })
        problem.subscribers.append(subscriber)
      }
    }

    /// Returns a source's number across all publishers; `nil` if nobody publishes it.
    func number(of source: Int) -> Int? {
      numbers.indices.contains(source) && numbers[source] >= 0 ? numbers[source] : nil
    }

    private static func subscription(
      _ wish: Subscription, _ source: Int?, _ parameters: GSOParameters
    ) -> GSOProblem.Demand? {
      guard let source, wish.absence == nil, wish.visibility == .onScreen else { return nil }
      var limit = wish.maximum.resolution
      // A level that does not fit a window, even if within the limit in lines, or that is not decoded cannot be chosen.
      if wish.confinement.isCutByWindow || wish.confinement.isCutByDevice,
        let top = wish.ladder.map(\.format.resolution).last(where: { $0.lines <= limit.lines })
      {
        limit = top
      }
      return GSOProblem.Demand(source: source, upTo: limit, weight: parameters.weight(of: wish))
    }

    /// Returns each subscription's rank in ties, from 1; subscriptions that get nothing come last.
    func ranks(_ subscriptions: [MeasuredSubscription], _ places: [Int?]) -> [Int] {
      let order = subscriptions.indices.sorted { a, b in
        guard (places[a] == nil) == (places[b] == nil) else { return places[b] == nil }
        let (one, other) = (
          subscriptions[a].wish.maximum.resolution, subscriptions[b].wish.maximum.resolution
        )
        return one.pixels == other.pixels ? a < b : one.pixels > other.pixels
      }
      var ranks = subscriptions.map { _ in 0 }
      for (place, index) in order.enumerated() { ranks[index] = place + 1 }
      return ranks
    }

    /// Checks whether the uplink keeps a source below a level that some subscriber would take.
    func isLimited(_ source: Int, _ solution: GSOSolution) -> Bool {
      zip(problem.subscribers, solution.choices).contains { subscriber, choices in
        zip(subscriber.subscriptions, choices).contains { subscription, choice in
          subscription.source == source
            && (choice.ordered != choice.merged || choice.available != choice.ideal)
        }
      }
    }
  }
}

extension GSOParameters {
  /// Returns a subscription's QoE factor [1/1000].
  func weight(of wish: Subscription) -> Int {
    var weight = 1.0
    if wish.isScreenShare { weight *= screenWeight }
    if wish.demand.isOnStage { weight *= stageWeight }
    if wish.demand.speechRank == 0 { weight *= speakerWeight }
    return min(max(1, Int((weight * 1000).rounded())), GSOProblem.Demand.maximumWeight)
  }
}
