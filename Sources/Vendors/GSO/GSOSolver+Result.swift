import Ladder
import Quantity
import Systems

/// Results of a decision for each subscription.
extension GSOSolver {
  func solution(
    ideal: [[Int?]], chosen: [[Int?]], merged: [[Int?]], next: Int64?, rounds: Int
  ) -> GSOSolution {
    let reduced = reduce(merged, chosen)
    let available = bestLevels()
    let publisherOf = sourcesOfPublisher.enumerated().flatMap { number, own in own.map { _ in number } }
    let uses = uplinkUses(chosen, publisherOf)
    let choices = problem.subscribers.indices.map { index -> [GSOSolution.Choice] in
      let subscriber = problem.subscribers[index]
      let left = subscriber.subscriptions.indices.reduce(subscriber.downlink) { left, place in
        chosen[index][place].map { left - sources[subscriber.subscriptions[place].source].levels[$0].bitrate }
          ?? left
      }
      return subscriber.subscriptions.indices.map { place in
        let source = subscriber.subscriptions[place].source
        let level = chosen[index][place]
        let size = level.map { sources[source].sizeOf[$0] }
        var choice = GSOSolution.Choice(
          ideal: ideal[index][place], available: available[index][place], chosen: level)
        choice.merged = size.flatMap { merged[source][$0] }
        choice.ordered = size.flatMap { reduced[source][$0] }
        if level != choice.available {
          choice.isStoppedByUplink = isStopped(
            at: size, choice.ideal, subscriber.subscriptions[place], uses[publisherOf[source]])
        }
        choice.missing = missing(above: level, subscriber.subscriptions[place], left: left)
        return choice
      }
    }
    return GSOSolution(
      choices: choices, orders: reduced, nextDownlink: next.map { BitRate(bitsPerSecond: $0) }, rounds: rounds
    )
  }

  /// Checks whether an uplink cannot carry any size larger than the chosen one for a subscription, with each size at
  /// its lowest rate.
  private func isStopped(
    at size: Int?, _ ideal: Int?, _ subscription: GSOProblem.Demand, _ use: UplinkUse
  ) -> Bool {
    let source = sources[subscription.source]
    guard let ideal, source.sizeOf[ideal] > size ?? -1 else { return false }
    return !source.allowed(upTo: subscription.limit).contains { level in
      let other = source.sizeOf[level]
      return other > size ?? -1 && use.carries(other, of: subscription.source, insteadOf: size)
    }
  }

  /// Returns the rate that the cheapest better level needs beyond what is left.
  private func missing(above level: Int?, _ subscription: GSOProblem.Demand, left: BitRate) -> BitRate {
    let source = sources[subscription.source]
    let (qoe, rate) = level.map { (source.levels[$0].qoe, source.levels[$0].bitrate) } ?? (0, .zero)
    let better = source.allowed(upTo: subscription.limit).filter { source.levels[$0].qoe > qoe }
    guard let next = better.map({ source.levels[$0].bitrate }).min() else { return .zero }
    return max(.zero, next - rate - left)
  }

  /// Computes the use of each publisher's uplink by its streams.
  private func uplinkUses(_ chosen: [[Int?]], _ publisherOf: [Int]) -> [UplinkUse] {
    var uses = problem.publishers.indices.map {
      UplinkUse(problem.publishers[$0].uplink, sources, in: sourcesOfPublisher[$0])
    }
    for (subscriber, own) in zip(problem.subscribers, chosen) {
      for (subscription, level) in zip(subscriber.subscriptions, own) {
        guard let level else { continue }
        let source = subscription.source
        uses[publisherOf[source]].take(sources[source].sizeOf[level], of: source)
      }
    }
    return uses
  }
}

/// Use of a publisher's uplink if each stream has the lowest rate of its size.
private struct UplinkUse {
  private let uplink: BitRate
  private let first: Int
  /// Lowest rates, by source of the publisher, then by size.
  private let rates: [[BitRate]]
  /// Numbers of subscriptions to each size, by source of the publisher, then by size.
  private var takers: [[Int]]
  private var least = BitRate.zero

  init(_ uplink: BitRate, _ sources: [GSOSolver.Source], in own: Range<Int>) {
    self.uplink = uplink
    first = own.lowerBound
    rates = sources[own].map { source in
      source.sizes.indices.map { size in
        let levels = source.levels.indices.filter { source.sizeOf[$0] == size }
        return levels.map { source.levels[$0].bitrate }.filter { $0 > .zero }.min() ?? .zero
      }
    }
    takers = rates.map { $0.map { _ in 0 } }
  }

  mutating func take(_ size: Int, of source: Int) {
    if takers[source - first][size] == 0 { least += rates[source - first][size] }
    takers[source - first][size] += 1
  }

  /// Checks whether the uplink carries all streams if one subscription changes to another size.
  func carries(_ size: Int, of source: Int, insteadOf old: Int?) -> Bool {
    let (takers, rates) = (takers[source - first], rates[source - first])
    let freed = old.map { takers[$0] == 1 ? rates[$0] : .zero } ?? .zero
    return least + (takers[size] == 0 ? rates[size] : .zero) <= uplink + freed
  }
}
