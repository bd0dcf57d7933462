import Allocation
import Ladder
import Meeting
import Metrics
import Plan
import Quantity
import Scenario
import Systems

/// Explanation of a tile's quality at a moment, with changes that would have improved it.
struct Explanation {
  let viewer: String
  let source: String
  /// Ids of all participants.
  let participants: [String]
  let moment: SimTime
  let decision: ReplayedDecision
  /// Reason why the tile is not seen; `nil` if it is.
  let unseen: UnseenTile?
  /// Rule that made the decision; `nil` for a rule without a description.
  let rule: RuleDescription?
  /// Settings of the policy that differ from the rule's defaults.
  let settings: [(key: String, value: String)]
  /// Budget at which the rule, with the same knowledge, would give the tile more; `nil` if no budget would, or if
  /// something other than bandwidth limits the tile.
  let threshold: Threshold?
  let tried: Remedies
  /// The viewer's own limit on the video that it receives.
  let receiveCap: RateLimit
  /// Setting without which the server gives more than its budget; `nil` if there is none.
  let unpaused: String?
  let repetitions: Int
  let disturbances: LinkDisturbances
  /// Set if frames are missing although nothing limits the tile.
  let lacksFrames: Bool

  /// Additional budget at which the allocation rule alone gives the tile a higher layer.
  struct Threshold: Equatable {
    let extra: BitRate
    let layer: Layer
  }

  /// Limitation as written to `streams.csv`.
  var limitation: String { decision.shown.limitation.rawValue }

  /// Waterfall of the decision in effect, as of its own time.
  var decided: Waterfall {
    Waterfall(
      link: decision.link, budget: decision.row.budget, clientCap: receiveCap,
      tiles: (decision.before + [decision.own] + decision.after), own: decision.own.source)
  }

  /// Waterfall at the requested moment.
  var now: Waterfall {
    let state = decision.state
    return Waterfall(
      link: state.link, estimate: state.estimate, hold: state.hold,
      changeThreshold: state.isWithinThreshold ? state.changeThreshold : nil, budget: state.budget,
      clientCap: receiveCap,
      tiles: state.tiles, own: decision.own.source)
  }

  /// Set if the state at the moment is still that of the decision.
  var isUnchanged: Bool { decided.steps == now.steps }
}

extension ReplayedDecision.Tile {
  /// Given layer in words.
  var text: String { given.map { "\($0.format)" } ?? "nothing" }

  /// Set if the given layer has all the requested lines and frames.
  var isGivenAll: Bool { given?.format.meets(requested) ?? false }
}

extension Explanation {
  /// - Parameter repetitions: number of repetitions in which each change of the scenario is tried; 0 for none.
  init(
    _ run: ExplainedRun, viewer: String, source: String, at moment: SimTime, repetitions: Int,
    _ progress: (String) -> Void
  ) throws {
    let decision = try run.decision(
      viewer: viewer, source: source, at: moment, repetitions: repetitions)
    let rules = type(of: run.plan.system).description.rules + RuleDescription.common
    let threshold = Self.threshold(of: decision)
    let number = try run.participant(viewer)
    let disturbances = decision.disturbances(in: run.plan, viewer: number, at: moment)
    var unseen: UnseenTile?
    switch decision.shown.limitation {
    case .offScreen, .muted:
      unseen = UnseenTile(
        run, TilePlace(viewer: number, source: decision.own.source), at: moment, tries: repetitions > 0)
    default: break
    }
    let found = Self.remedies(
      run, viewer: number, decision, threshold, disturbances, at: moment, repetitions, progress)
    self.init(
      viewer: viewer, source: source, participants: run.plan.participants.map(\.id), moment: moment,
      decision: decision, unseen: unseen,
      rule: rules.first { $0.name == decision.row.rule }, settings: run.loaded.policySettings,
      threshold: threshold, tried: found, receiveCap: run.plan.receiveCap(of: number),
      unpaused: run.plan.reliefs.first { $0.effect == .pauses && $0.apply(run.plan.system) != nil }?.text,
      repetitions: repetitions,
      disturbances: disturbances, lacksFrames: decision.lacksFrames)
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
