import Allocation
import Ladder
import Quantity
package import Systems

/// Jitsi Videobridge's allocation for one receiver.
///
/// A pure function of estimate, constraints and measured layers: it keeps no state, and each run starts afresh. A
/// budget of -1 bit/s, which upstream uses for none, does not occur.
package struct JitsiRule: ServerRule {
  private let parameters: JitsiParameters

  package init(_ parameters: JitsiParameters = JitsiParameters()) { self.parameters = parameters }

  package func decide(_ state: AllocationState) -> AllocationOutcome {
    let subscriptions = state.subscriptions
    let sources = subscriptions.map { JitsiSource($0.wish) }
    let asked = state.demand.sourceLimit.flatMap { $0 < 0 ? nil : $0 }
    let order = JitsiOrder(sources, limit: min(asked ?? .max, parameters.maximumSources))
    var entries: [JitsiLayers.Entry] = []
    entries.reserveCapacity(8 * sources.count)
    let inOrder = order.indices.map { index in
      let isOnStage = sources[index].isOnStage
      let layers = JitsiLayers(
        of: subscriptions[index].layers, isScreen: sources[index].isScreen, isOnStage: isOnStage,
        lines: order.lines[index], to: &entries, parameters)
      let step: JitsiStep = order.isLeftOut[index] ? .lastN : order.lines[index] == 0 ? .off : .round
      return JitsiWalk.Source(index: index, layers: layers, isOnStage: isOnStage, step: step)
    }
    var walk = JitsiWalk(
      inOrder, entries, budget: parameters.trustsEstimate ? state.budget.bitsPerSecond : .max,
      maximumOversend: parameters.maximumOversend.bitsPerSecond)
    walk.run()
    // The client could get a source left out by last-N by asking for more, up to the bridge's own limit.
    let isOwnLimit = asked.map { $0 <= parameters.maximumSources } ?? false
    let decisions = decisions(of: &walk, subscriptions, leftOut: isOwnLimit ? .requestCap : .policy)
    return AllocationOutcome(decisions: decisions, margin: walk.margin)
  }

  private func decisions(
    of walk: inout JitsiWalk, _ subscriptions: [MeasuredSubscription], leftOut: Limitation
  ) -> [SourceDecision] {
    let shortfalls = walk.shortfalls()
    let firstStaged = walk.sources.firstIndex { $0.isOnStage && $0.isBelowPreferred } ?? walk.sources.count
    var places = Array(repeating: 0, count: subscriptions.count)
    for (place, source) in walk.sources.enumerated() { places[source.index] = place }
    return subscriptions.indices.map { index in
      let place = places[index]
      let source = walk.sources[place]
      let count = source.layers.count
      let isBlocked = place > firstStaged && source.target < 0 && count > 0
      func id(_ target: Int) -> LayerID? {
        target < 0 ? nil : subscriptions[index].layers[walk.entries[source.layers.start + target].index].id
      }
      let hindrance: Limitation? =
        if source.step == .lastN { leftOut } else if source.target + 1 >= count { nil } else {
          shortfalls[place] > 0 ? .bandwidth : .policy
        }
      return SourceDecision(
        layer: id(source.target), ideal: id(count - 1), hindrance: hindrance,
        missing: BitRate(bitsPerSecond: shortfalls[place]), rank: place + 1,
        rule: hindrance == .policy && source.step == .lastN
          ? "maximum-sources" : (isBlocked ? JitsiStep.stage : source.step).rawValue)
    }
  }
}
