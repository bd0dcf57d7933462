import Allocation
import Ladder
import Meeting
import Metrics
import Plan
import Quantity
import Systems

/// Explanation of a tile's quality at a moment, with changes that would have improved it.
struct Explanation {
  /// A step from the link's capacity to the rate left for the tile [bit/s].
  struct Step: Equatable {
    enum Kind: String {
      /// Rate left after the preceding steps.
      case subtotal
      /// Rate that a step adds or takes away.
      case change
    }
    let kind: Kind
    let label: String
    let rate: BitRate
  }

  let viewer: String
  let source: String
  let moment: SimTime
  let decision: ReplayedDecision
  /// Rule that made the decision; `nil` for one without a description.
  let rule: RuleDescription?
  /// Budget at which the rule, with the same knowledge, would give the tile more; `nil` if no budget would, or if
  /// something other than bandwidth limits the tile.
  let threshold: Threshold?
  let remedies: [RemedySentence]

  /// Additional budget at which the allocation rule alone gives the tile a higher layer.
  struct Threshold: Equatable {
    let extra: BitRate
    let layer: Layer
  }

  /// Limitation as written to `streams.csv`.
  var limitation: String { decision.shown.limitation.rawValue }

  /// Rates from the link's capacity down to the rate left for the tile; empty if nothing was known of the downlink.
  var steps: [Step] {
    let budget = decision.row.budget
    guard let estimate = budget.estimate, let available = budget.available.rate, let total = budget.total.rate
    else { return [] }
    var steps: [Step] = []
    if let link = decision.link {
      steps.append(Step(kind: .subtotal, label: "capacity of \(link.name)", rate: link.capacity))
      let difference = estimate - link.capacity
      if difference != .zero {
        let label = difference < .zero ? "not in the estimate" : "estimated beyond the capacity"
        steps.append(Step(kind: .change, label: label, rate: difference))
      }
    }
    steps.append(Step(kind: .subtotal, label: "estimate", rate: estimate))
    let reserves = [
      ("voices", budget.voices), ("padding", budget.padding), ("RTP headers", budget.headers),
      ("retransmissions", budget.repairs),
    ]
    for (label, rate) in reserves where rate > .zero {
      steps.append(Step(kind: .change, label: label, rate: .zero - rate))
    }
    if total < available {
      steps.append(Step(kind: .change, label: "above the cap", rate: total - available))
    }
    steps.append(Step(kind: .subtotal, label: "budget of the videos", rate: total))
    for tile in decision.before where tile.taken > .zero {
      steps.append(
        Step(kind: .change, label: "\(tile.rank). \(tile.name) \(tile.text)", rate: .zero - tile.taken))
    }
    if !decision.before.isEmpty {
      steps.append(
        Step(kind: .subtotal, label: "left for \(source)", rate: total - decision.row.givenBefore))
    }
    steps.append(
      Step(
        kind: .change, label: "\(decision.own.rank). \(source) \(decision.own.text)",
        rate: .zero - decision.own.taken))
    if decision.taken > total { steps += overshoot(of: total) }
    return steps
  }

  /// Steps to what is sent beyond the budget, where the rule gives layers that do not fit.
  private func overshoot(of total: BitRate) -> [Step] {
    let after = decision.after.filter { $0.taken > .zero }
    var steps: [Step] = []
    if let only = after.first, after.count == 1 {
      steps.append(
        Step(kind: .change, label: "\(only.rank). \(only.name) \(only.text)", rate: .zero - only.taken))
    } else if !after.isEmpty {
      let taken = after.reduce(.zero) { $0 + $1.taken }
      steps.append(Step(kind: .change, label: "\(after.count) more after it", rate: .zero - taken))
    }
    steps.append(Step(kind: .subtotal, label: "sent beyond the budget", rate: total - decision.taken))
    return steps
  }
}

extension ReplayedDecision.Tile {
  /// Given layer in words.
  var text: String { given.map { "\($0.format)" } ?? "nothing" }
}

extension Explanation {
  /// - Parameter repetitions: number of repetitions in which each change of the scenario is tried; 0 for none.
  init(
    _ run: ExplainedRun, viewer: String, source: String, at moment: SimTime, repetitions: Int,
    _ progress: (String) -> Void
  ) throws {
    let decision = try run.decision(viewer: viewer, source: source, at: moment)
    let rules = type(of: run.plan.system).description.rules + RuleDescription.common
    let threshold = Self.threshold(of: decision)
    self.init(
      viewer: viewer, source: source, moment: moment, decision: decision,
      rule: rules.first { $0.name == decision.row.rule }, threshold: threshold,
      remedies: try Self.remedies(run, viewer, decision, threshold, at: moment, repetitions, progress))
  }

  /// Maximum number of budgets to examine.
  private static let searchLimit = 10_000

  private static func threshold(of decision: ReplayedDecision) -> Threshold? {
    let words = [decision.shown.limitation, Limitation(rawValue: decision.row.reason)]
    guard words.allSatisfy({ $0 == .bandwidth || $0 == .starting }) else { return nil }
    guard let spendable = decision.spendable.rate else { return nil }
    var budget = spendable
    let now = decision.given(budget: budget)
    // Some servers decide incrementally; deciding everything at once would give another result.
    guard now.layer?.id == decision.own.given?.id else { return nil }
    var rise = now.rise
    for _ in 0..<searchLimit {
      guard let step = rise, step > 0 else { return nil }
      budget += BitRate(bitsPerSecond: step)
      let next = decision.given(budget: budget)
      if let layer = next.layer, decision.own.given.map({ layer.id > $0.id }) ?? true {
        return Threshold(extra: budget - spendable, layer: layer)
      }
      rise = next.rise
    }
    return nil
  }
}
