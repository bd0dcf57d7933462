import Allocation
import Ladder
import Quantity
package import Systems

/// mediasoup's distribution of the available bit rate (`Transport::DistributeAvailableOutgoingBitrate`).
///
/// Consumers are ordered by priority, equal ones in the order of the meeting's sources [our model: upstream leaves this
/// to a hash map]. In the first round, each consumer takes one step, in later rounds as many as its priority; the first
/// step that does not fit ends a consumer's turn, and a round without any step ends the distribution.
///
/// Losses, on which REMB's headroom depends, are not known here and count as zero.
package struct MediasoupRule: ServerRule {
  /// Maximum of upstream's counters [bit/s].
  private static let most = Int64(UInt32.max)

  private let parameters: MediasoupParameters

  package init(_ parameters: MediasoupParameters = MediasoupParameters()) { self.parameters = parameters }

  package func decide(_ state: AllocationState) -> AllocationOutcome {
    var consumers = state.subscriptions.map { MediasoupConsumer($0, parameters) }
    let active = consumers.indices.filter { consumers[$0].isActive }
    let order = active.sorted { a, b in
      let (one, other) = (consumers[a].priority, consumers[b].priority)
      return one == other ? a < b : one > other
    }
    var margin = BudgetMargin()
    // Negative after a step that took more than was left; nothing fits from then on.
    var left = min(state.budget.bitsPerSecond, Self.most)
    var isBase = true
    var hasTaken = true
    while hasTaken {
      hasTaken = false
      for place in order where !consumers[place].isDone {
        var steps = isBase ? 1 : consumers[place].priority
        while steps > 0, let cost = consumers[place].increase(within: left, &margin) {
          left -= cost
          hasTaken = true
          steps -= 1
        }
      }
      isBase = false
    }
    return AllocationOutcome(decisions: decisions(consumers, order, left: left), margin: margin)
  }

  private func decisions(_ consumers: [MediasoupConsumer], _ order: [Int], left: Int64) -> [SourceDecision] {
    var ranks = Array(repeating: 0, count: consumers.count)
    for (index, place) in order.enumerated() { ranks[place] = index + 1 }
    var last = order.count
    return consumers.indices.map { place in
      if ranks[place] == 0 {
        last += 1
        ranks[place] = last
      }
      return consumers[place].decision(rank: ranks[place], left: left)
    }
  }
}
