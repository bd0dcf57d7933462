import Allocation
package import Ladder
import Quantity
package import Systems

/// GSO-Simulcast's controller: ``GSOSolver`` behind audio protection, weights and the threshold for upgrades.
///
/// The threshold: a link that made the controller lower a stream counts with the capacity it had then, until its
/// capacity exceeds that by more than a share. This holds back all streams of the link, not only the one that was
/// lowered [our model].
package struct GSORule: MeetingRule {
  private let parameters: GSOParameters

  package init(_ parameters: GSOParameters) { self.parameters = parameters }

  /// Name of the rule in `decisions.csv`.
  private static let name = "gso-knapsack"
  /// Name of the rule for streams that the merge has lowered.
  private static let mergedName = "gso-merge"
  /// Name of the rule for streams that the reduction has lowered.
  private static let reducedName = "gso-reduction"

  package func levels(of kind: SourceKind, capture: VideoFormat) -> [QualityLevel] {
    switch kind {
    case .camera: GSOLevels.camera(capture: capture)
    case .screen: GSOLevels.screen(capture: capture)
    }
  }

  package func levels(of ladder: Ladder) -> [QualityLevel] { GSOLevels.levels(of: ladder) }

  package func decide(_ state: MeetingAllocationState, marginOf viewer: Int?) -> MeetingAllocationOutcome {
    let meeting = Meeting(state, parameters)
    var solver = GSOSolver(meeting.problem)
    let solution = solver.solve(nextFor: viewer)
    var margin = BudgetMargin()
    if let viewer { note(solution.nextDownlink, of: state.viewers[viewer], &margin) }
    let decisions = state.viewers.indices.map { index -> [SourceDecision] in
      let own = state.viewers[index]
      let free = free(own)
      guard free > meeting.problem.subscribers[index].downlink else {
        return decide(own, solution.choices[index], nil, meeting.places[index], meeting)
      }
      // The choice without the threshold's hold.
      let unheld = solver.choice(of: index, downlink: free, isNextAsked: index == viewer)
      if let next = unheld.nextDownlink { margin.note(rise: (next - free).bitsPerSecond) }
      return decide(own, solution.choices[index], unheld.levels, meeting.places[index], meeting)
    }
    return MeetingAllocationOutcome(
      viewers: decisions, publishers: orders(state, solution, meeting), margin: margin)
  }

  // MARK: Links

  private func free(_ viewer: MeetingViewer) -> BitRate {
    viewer.allocation.budget - parameters.audioProtection
  }

  private func note(_ next: BitRate?, of viewer: MeetingViewer, _ margin: inout BudgetMargin) {
    let free = free(viewer)
    let held = parameters.capacity(viewer.allocation.budget, heldAt: viewer.heldAt)
    guard held < free, let limit = viewer.heldAt.map(parameters.releaseLimit) else {
      if let next { margin.note(rise: next.bitsPerSecond - free.bitsPerSecond) }
      return
    }
    margin.note(rise: limit.bitsPerSecond + 1 - viewer.allocation.budget.bitsPerSecond)
  }

  // MARK: Decisions

  private func decide(
    _ viewer: MeetingViewer, _ choices: [GSOSolution.Choice], _ unheld: [Int?]?, _ places: [Int?],
    _ meeting: Meeting
  ) -> [SourceDecision] {
    let subscriptions = viewer.allocation.subscriptions
    let ranks = meeting.ranks(subscriptions, places)
    return subscriptions.indices.map { index in
      guard let place = places[index], let source = meeting.number(of: subscriptions[index].wish.source)
      else {
        return SourceDecision(layer: nil, ideal: nil, rank: ranks[index], rule: Self.name)
      }
      let choice = choices[place]
      let levels = meeting.levels[source]
      let sizes = levels.sizes
      func layer(_ level: Int?) -> LayerID? {
        level.flatMap { sizes.firstIndex(of: levels[$0].size) }.map { LayerID(encoding: $0, temporal: 0) }
      }
      let isHeld = qoe(unheld?[place], levels) > qoe(choice.chosen, levels)
      let (hindrance, rule) = hindrance(choice, isHeld: isHeld)
      var decision = SourceDecision(
        layer: layer(choice.ordered), ideal: layer(choice.ideal), hindrance: hindrance,
        missing: rule == Self.name && hindrance == .bandwidth ? choice.missing : .zero, rank: ranks[index],
        rule: rule)
      decision.bitrate = choice.ordered.map { levels[$0].bitrate } ?? .zero
      let last = viewer.lastRates.indices.contains(index) ? viewer.lastRates[index] : .zero
      decision.isDowngrade =
        decision.bitrate < last && rule == Self.name && choice.chosen != choice.available && !isHeld
      return decision
    }
  }

  /// Returns the reason why a subscription is below its ideal, and the last step responsible for it.
  private func hindrance(_ choice: GSOSolution.Choice, isHeld: Bool) -> (Limitation?, String) {
    if choice.ordered == choice.ideal { return (nil, Self.name) }
    if choice.ordered != choice.merged { return (.senderUplink, Self.reducedName) }
    let rule =
      choice.merged != choice.chosen
      ? Self.mergedName : choice.chosen == choice.available ? Self.reducedName : Self.name
    if choice.chosen == choice.available {
      // The subscriber chose the best level that is left, so its downlink is not the limit.
      return (choice.available == choice.ideal ? .policy : .senderUplink, rule)
    }
    // With an unlimited downlink, the subscriber would ask for a size that the uplink would then lose again.
    if choice.isStoppedByUplink { return (.senderUplink, rule) }
    return (isHeld && rule == Self.name ? .hold : .bandwidth, rule)
  }

  private func qoe(_ level: Int?, _ levels: [QualityLevel]) -> Int { level.map { levels[$0].qoe } ?? 0 }

  private func orders(
    _ state: MeetingAllocationState, _ solution: GSOSolution, _ meeting: Meeting
  ) -> [[EncodingOrder]] {
    var number = 0
    return state.publishers.map { publisher in
      publisher.sources.map { source in
        defer { number += 1 }
        let levels = meeting.levels[number]
        let rates = solution.orders[number].map { $0.map { levels[$0].bitrate } ?? .zero }
        let isLimited = meeting.isLimited(number, solution)
        let isLower = zip(rates, source.lastRates).contains { $0 < $1 }
        return EncodingOrder(rates: rates, isDowngrade: isLimited && isLower)
      }
    }
  }
}

extension GSOParameters {
  /// Returns the capacity of a link that counts for video.
  func capacity(_ budget: BitRate, heldAt held: BitRate?) -> BitRate {
    guard let held, budget > held, budget <= releaseLimit(held) else { return budget - audioProtection }
    return held - audioProtection
  }

  /// Returns the highest capacity at which a held link stays held.
  func releaseLimit(_ held: BitRate) -> BitRate { held + held.scaled(by: upgradeThreshold) }
}
