import Ladder
import Quantity
import Systems

/// GSO-Simulcast's control algorithm (Lin et al., SIGCOMM 2022, section 4): knapsack, merge, reduction.
///
/// 1. Each subscriber takes the levels with the greatest total QoE that its downlink carries, at most one from each
///    publisher.
/// 2. All subscribers to a size of a source get the lowest rate that any of them takes.
/// 3. A publisher whose streams exceed its uplink sends the best combination of lower levels of the same sizes that
///    fits; if none fits, it loses the highest requested size, and the algorithm restarts without that size.
///
/// The points that the paper leaves open are our model. Ties go to the subscription with the larger size, then to the
/// earlier one: among choices of the same total QoE, the one that gives it more. The best combination has the greatest
/// QoE over all its receivers, with ties going to the larger size. Of a camera and a screen share behind one uplink,
/// the one with the larger size loses it first, and at the same size the later one. Bandwidth freed by the merge and
/// the in-place reduction is not given to others.
package struct GSOSolver: Sendable {
  let problem: GSOProblem
  /// Sources of each publisher.
  let sourcesOfPublisher: [Range<Int>]
  /// Sources by number.
  private(set) var sources: [Source]
  /// Order of each subscriber's subscriptions, by precedence in ties.
  private let orders: [[Int]]

  struct Source: Sendable {
    var levels: [QualityLevel]
    let sizes: [Resolution]
    /// Size of each level.
    let sizeOf: [Int]
    /// Flags of removed sizes, by size.
    var isRemoved: [Bool]

    init(_ levels: [QualityLevel]) {
      self.levels = levels
      let sizes = levels.sizes
      self.sizes = sizes
      sizeOf = levels.map { level in sizes.firstIndex(of: level.size) ?? 0 }
      isRemoved = sizes.map { _ in false }
    }

    /// Lists the levels within a request; the best of them has the greatest QoE and the lowest rate.
    func allowed(upTo limit: Resolution) -> [Int] {
      levels.indices.filter {
        levels[$0].size.lines <= limit.lines && levels[$0].bitrate > .zero && !isRemoved[sizeOf[$0]]
      }
    }

    func best(upTo limit: Resolution) -> Int? {
      allowed(upTo: limit).min {
        (levels[$1].qoe, levels[$0].bitrate, $0) < (levels[$0].qoe, levels[$1].bitrate, $1)
      }
    }
  }

  /// One stream of a publisher.
  private struct Stream: Hashable {
    var source: Int
    var size: Int
  }

  package init(_ problem: GSOProblem) {
    self.problem = problem
    var first = 0
    sourcesOfPublisher = problem.publishers.map { publisher in
      defer { first += publisher.sources.count }
      return first..<(first + publisher.sources.count)
    }
    sources = problem.publishers.flatMap { $0.sources.map(Source.init) }
    orders = problem.subscribers.map { subscriber in
      let own = subscriber.subscriptions
      return own.indices.sorted { a, b in
        own[a].limit.pixels == own[b].limit.pixels ? a < b : own[a].limit.pixels > own[b].limit.pixels
      }
    }
  }

  /// Decides for the whole meeting.
  ///
  /// - Parameter subscriber: subscriber whose ``GSOSolution/nextDownlink`` is to be found; `nil` for none.
  package mutating func solve(nextFor subscriber: Int? = nil) -> GSOSolution {
    for source in sources.indices { sources[source].isRemoved = sources[source].sizes.map { _ in false } }
    let ideal = bestLevels()
    var chosen = problem.subscribers.map { $0.subscriptions.map { _ in Int?.none } }
    var isStale = problem.subscribers.map { _ in true }
    var next: Int64?
    var rounds = 0
    while true {
      rounds += 1
      for index in isStale.indices where isStale[index] {
        let knapsack = knapsack(of: index)
        let capacity = problem.subscribers[index].downlink.bitsPerSecond
        for (subscription, level) in zip(orders[index], knapsack.solve(capacity: capacity)) {
          chosen[index][subscription] = level
        }
        guard index == subscriber, let change = knapsack.nextChange(after: capacity) else { continue }
        next = min(next ?? change, change)
      }
      let merged = merge(chosen)
      guard let removed = removal(merged) else {
        return solution(ideal: ideal, chosen: chosen, merged: merged, next: next, rounds: rounds)
      }
      sources[removed.source].isRemoved[removed.size] = true
      // A subscriber that had not chosen the size makes the same choice without it.
      isStale = chosen.indices.map { index in
        zip(problem.subscribers[index].subscriptions, chosen[index]).contains { subscription, level in
          subscription.source == removed.source
            && level.map { sources[removed.source].sizeOf[$0] } == removed.size
        }
      }
    }
  }

  /// Returns a subscriber's choice with another downlink, among the levels left by the last reduction, and on request
  /// the lowest downlink above it with another choice.
  func choice(
    of subscriber: Int, downlink: BitRate, isNextAsked: Bool
  ) -> (levels: [Int?], nextDownlink: BitRate?) {
    let knapsack = knapsack(of: subscriber)
    var levels = problem.subscribers[subscriber].subscriptions.map { _ in Int?.none }
    for (place, level) in zip(orders[subscriber], knapsack.solve(capacity: downlink.bitsPerSecond)) {
      levels[place] = level
    }
    let next = isNextAsked ? knapsack.nextChange(after: downlink.bitsPerSecond) : nil
    return (levels, next.map { BitRate(bitsPerSecond: $0) })
  }

  func bestLevels() -> [[Int?]] {
    problem.subscribers.map { $0.subscriptions.map { sources[$0.source].best(upTo: $0.limit) } }
  }

  // MARK: The three steps

  private func knapsack(of subscriber: Int) -> ChoiceKnapsack {
    let subscriptions = problem.subscribers[subscriber].subscriptions
    return ChoiceKnapsack(
      orders[subscriber].map { index in
        let subscription = subscriptions[index]
        let source = sources[subscription.source]
        return source.allowed(upTo: subscription.limit).map { level in
          ChoiceKnapsack.Item(
            cost: source.levels[level].bitrate.bitsPerSecond,
            value: Int64(source.levels[level].qoe) * Int64(subscription.weight), tag: level)
        }
      })
  }

  /// Returns the level with the lowest rate that any subscriber takes, by source, then by size.
  private func merge(_ chosen: [[Int?]]) -> [[Int?]] {
    var merged = sources.map { $0.sizes.map { _ in Int?.none } }
    for (subscriber, own) in zip(problem.subscribers, chosen) {
      for (subscription, level) in zip(subscriber.subscriptions, own) {
        guard let level else { continue }
        let source = subscription.source
        let size = sources[source].sizeOf[level]
        let levels = sources[source].levels
        if let before = merged[source][size], levels[before].bitrate <= levels[level].bitrate { continue }
        merged[source][size] = level
      }
    }
    return merged
  }

  /// Returns the stream lost by the first publisher whose uplink cannot carry its streams even at their lowest rates;
  /// `nil` if all uplinks can.
  private func removal(_ merged: [[Int?]]) -> Stream? {
    for publisher in problem.publishers.indices {
      let streams = streams(of: publisher, merged)
      let least = streams.reduce(Int64(0)) { sum, stream in
        sum
          + (levels(of: stream, merged).map { sources[stream.source].levels[$0].bitrate.bitsPerSecond }.min()
            ?? 0)
      }
      if let highest = streams.first, least > problem.publishers[publisher].uplink.bitsPerSecond {
        return highest
      }
    }
    return nil
  }

  /// Lists a publisher's streams in the order in which it loses them.
  private func streams(of publisher: Int, _ merged: [[Int?]]) -> [Stream] {
    let streams = sourcesOfPublisher[publisher].flatMap { source in
      merged[source].indices.filter { merged[source][$0] != nil }.map { Stream(source: source, size: $0) }
    }
    return streams.sorted { a, b in
      let (one, other) = (sources[a.source].sizes[a.size].pixels, sources[b.source].sizes[b.size].pixels)
      return one == other ? a.source > b.source : one > other
    }
  }

  /// Lists the levels that may replace a merged one: those of the same size, at no higher rate.
  private func levels(of stream: Stream, _ merged: [[Int?]]) -> [Int] {
    guard let most = merged[stream.source][stream.size] else { return [] }
    let source = sources[stream.source]
    return source.levels.indices.filter {
      source.sizeOf[$0] == stream.size && source.levels[$0].bitrate > .zero
        && source.levels[$0].bitrate <= source.levels[most].bitrate
    }
  }

  /// Reduces the streams to fit the uplinks' capacities.
  func reduce(_ merged: [[Int?]], _ chosen: [[Int?]]) -> [[Int?]] {
    var reduced = merged
    let weights = receivedWeights(chosen)
    for publisher in problem.publishers.indices {
      let streams = streams(of: publisher, merged)
      let uplink = problem.publishers[publisher].uplink.bitsPerSecond
      let sum = streams.reduce(Int64(0)) { sum, stream in
        sum
          + (merged[stream.source][stream.size].map {
            sources[stream.source].levels[$0].bitrate.bitsPerSecond
          } ?? 0)
      }
      guard sum > uplink else { continue }
      let knapsack = ChoiceKnapsack(
        streams.map { stream in
          levels(of: stream, merged).map { level in
            let own = sources[stream.source].levels[level]
            return ChoiceKnapsack.Item(
              cost: own.bitrate.bitsPerSecond, value: Int64(own.qoe) * weights[stream.source][stream.size],
              tag: level)
          }
        }, isMandatory: true)
      for (stream, level) in zip(streams, knapsack.solve(capacity: uplink)) {
        reduced[stream.source][stream.size] = level
      }
    }
    return reduced
  }

  /// Returns the total weight of a size's subscribers, by source, then by size.
  private func receivedWeights(_ chosen: [[Int?]]) -> [[Int64]] {
    var weights = sources.map { $0.sizes.map { _ in Int64(0) } }
    for (subscriber, own) in zip(problem.subscribers, chosen) {
      for (subscription, level) in zip(subscriber.subscriptions, own) {
        guard let level else { continue }
        weights[subscription.source][sources[subscription.source].sizeOf[level]] += Int64(subscription.weight)
      }
    }
    return weights
  }
}
