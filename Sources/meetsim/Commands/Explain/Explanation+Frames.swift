import Allocation
import Ladder
import Meeting
import Metrics
import Plan
import Quantity

extension ReplayedDecision {
  /// Indicates that the picture is known to go on after the moment.
  func goesOn(after moment: SimTime) -> Bool { freezes.contains { $0.end.map { $0 > moment } ?? false } }

  /// Returns a sentence on why more is given than the budget holds; `nil` if it is not.
  ///
  /// - Parameters:
  ///   - setting: setting with which the server would pause tracks; `nil` if there is none.
  ///   - time: time of the decision, in words.
  func excess(_ setting: String?, at time: String) -> String? {
    guard case .bandwidth = shown.limitation, !state.budget.total.admits(state.taken) else { return nil }
    guard row.budget.total.admits(taken) else {
      return setting.map {
        "More is given than the budget holds: tracks that the server does not pause without '\($0)'."
      }
    }
    return "What is given fitted when it was decided, at \(time): "
      + (state.budget.total < row.budget.total
        ? "the server has yet to give less." : "the rates of its layers have risen since then.")
  }

  /// Sentence on a budget with which the rule would give the tile more by now; `nil` if it would not.
  var relaxed: String? {
    guard case .bandwidth = shown.limitation, !own.isGivenAll, let budget = state.budget.total.rate,
      let before = row.budget.total.rate, budget > before, let spendable = spendable.rate,
      // Some servers decide incrementally.
      given(budget: spendable).layer?.id == own.given?.id,
      let layer = given(budget: budget).layer, own.given.map({ layer.id > $0.id }) ?? true
    else { return nil }
    return
      "The budget is \(Waterfall.kilobits(budget - before)) kbps more than when it was decided: by now the rule "
      + "would give \(layer.format), and the server has yet to decide again."
  }

  /// Sentence on layers whose rates differ between the state and the decision; `nil` if none do.
  var remeasured: String? {
    let decided = [own] + others
    let isRemeasured = state.tiles.contains { tile in
      decided.contains {
        $0.source == tile.source && $0.given?.id == tile.given?.id && $0.taken != tile.taken
      }
    }
    return isRemeasured
      ? "The same layers have other rates in the state: the server goes by measured ones." : nil
  }

  /// Checks whether frames of the last interval are missing although nothing limited the tile.
  var lacksFrames: Bool {
    guard case .none = shown.limitation, freezes.isEmpty, let format = shown.format else { return false }
    return PixelShortfall(
      requestedHeight: own.requested.resolution.lines,
      requestedMilliFrames: own.requested.milliFramesPerSecond,
      height: format.resolution.lines, frames: shown.frames, over: shown.seen
    ).missing > 0
  }

  /// Checks whether the tile is given all that was asked for and shows nothing of it, or freezes, only because it waits
  /// for a key frame; not if the source's uplink or an outage keeps it off.
  var waitsForKeyFrameAlone: Bool {
    switch shown.limitation {
    case .bandwidth, .starting, .switching, .hold, .none: break
    default: return false
    }
    guard !state.isDownlinkFull, freezes.allSatisfy({ $0.packetsMissing.dropped == 0 }) else { return false }
    return state.wait != nil && own.isGivenAll && state.budget.total.admits(state.taken)
  }
}

extension Explanation {
  /// Tries links without loss on a tile that lacks frames alone: those that bring more frames in nineteen of twenty
  /// repetitions that lack some help, if half of all do.
  static func frameRemedies(
    _ run: ExplainedRun, _ viewer: Int, _ decision: ReplayedDecision, at moment: SimTime, _ repetitions: Int,
    _ progress: (String) -> Void
  ) -> Remedies {
    let tile = TilePlace(viewer: viewer, source: decision.own.source)
    typealias Replay = (decision: ReplayedDecision?, pictures: [[ReplayedPicture]])
    func replays(of plan: MeetingPlan) -> [Replay] {
      let replay = MeetingReplay(plan, seed: run.seed)
      return (0..<repetitions).map { repetition in
        (
          replay.decision(on: tile, repetition: repetition, interval: run.interval, at: moment),
          replay.pictures(watching: tile, repetition: repetition, at: moment)
        )
      }
    }
    func rate(_ replay: Replay) -> Int { replay.decision?.shown.format?.milliFramesPerSecond ?? 0 }
    func lacks(_ replay: Replay) -> Bool {
      replay.decision?.lacksFrames ?? false
    }
    progress("repeating the meeting as it is")
    let before = replays(of: run.plan)
    let lacking = before.count(where: lacks)
    let names = run.plan.namedSources.map(\.name)
    var found = Remedies()
    found.fine = before.count { replay in
      guard let decision = replay.decision, decision.shown.limitation == .none else { return false }
      return decision.freezes.isEmpty && !lacks(replay)
    }
    for (remedy, change) in RemedyCandidates(
      plan: run.plan, viewer: viewer, decision: decision, threshold: nil
    ).losslessLinks {
      guard let plan = remedy.applied(to: run.plan, viewer: viewer) else { continue }
      progress("trying \(change)")
      let after = replays(of: plan)
      let agreeing = zip(before, after).count { lacks($0) && rate($0) < rate($1) }
      guard lacking * 2 >= repetitions, agreeing * 20 >= lacking * 19 else {
        found.failed.append(change)
        continue
      }
      let tiles = names.indices.flatMap { source in
        run.plan.participants.indices.map { TilePlace(viewer: $0, source: source) }
      }
      let losers = tiles.filter { tile in
        2
          * zip(before, after).count {
            $0.pictures[tile.viewer][tile.source].isMore(than: $1.pictures[tile.viewer][tile.source])
          } >= repetitions
      }
      found.helped.append(
        RemedySentence(
          change: change, agreeing: agreeing, repetitions: lacking, tried: lacking,
          losers: losers.map { .init(viewer: run.plan.participants[$0.viewer].id, source: names[$0.source]) })
      )
    }
    return found
  }
}
