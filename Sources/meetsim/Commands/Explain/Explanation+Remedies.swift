import Allocation
import Meeting
import Plan
import Quantity

extension Explanation {
  /// Finds changes that help in nine of ten repetitions and, including as many further ones, in nineteen of twenty.
  /// Nearly all of these also help in eight of ten other repetitions.
  static func remedies(
    _ run: ExplainedRun, _ viewer: String, _ decision: ReplayedDecision, _ threshold: Threshold?,
    _ outages: [LinkOutage], at moment: SimTime, _ repetitions: Int, _ progress: (String) -> Void
  ) throws -> Remedies {
    let number = try run.participant(viewer)
    if repetitions > 0, decision.lacksFrames {
      return frameRemedies(run, number, decision, at: moment, repetitions, progress)
    }
    let candidates = RemedyCandidates(
      plan: run.plan, viewer: number, decision: decision, threshold: threshold
    ).lists
    guard repetitions > 0, !candidates.isEmpty || !outages.isEmpty else { return Remedies() }
    let names = run.plan.namedSources.map(\.name)
    let tile = TilePlace(viewer: number, source: decision.own.source)
    var baseline: [[[ReplayedPicture]]] = []
    func tried(_ remedy: Remedy, _ change: String, in repetitions: Range<Int>) -> RemedyTrial? {
      if baseline.count < repetitions.upperBound { progress("repeating the meeting as it is") }
      while baseline.count < repetitions.upperBound {
        baseline.append(
          run.replay.pictures(watching: tile, repetition: baseline.count, at: moment))
      }
      progress("trying \(change)")
      return RemedyTrial(
        remedy, of: run.replay, on: tile, requested: decision.own.requested, at: moment,
        baseline: baseline[repetitions])
    }
    var found = Remedies()
    // The first change of a list that helps counts.
    func test(_ candidate: [(remedy: Remedy, change: String)]) {
      var failed: [String] = []
      var helping: RemedySentence?
      for (remedy, change) in candidate where helping == nil {
        guard var trial = tried(remedy, change, in: 0..<repetitions) else { continue }
        // Since many changes are tried, ten out of ten may be chance.
        if trial.holds, let further = tried(remedy, change, in: repetitions..<2 * repetitions) {
          trial.add(further)
        }
        guard trial.isConfirmed else {
          failed.append(change)
          continue
        }
        helping = RemedySentence(
          change: change, agreeing: trial.agreeing, smoother: trial.smoother, repetitions: trial.repetitions,
          losers: trial.losers.map {
            RemedySentence.Tile(viewer: run.plan.participants[$0.viewer].id, source: names[$0.source])
          })
      }
      if let helping { found.helped.append(helping) } else { found.failed += failed }
    }
    let interrupted = outages.byLink
    for outage in interrupted { test([[outage].removed]) }
    if interrupted.count > 1, found.helped.isEmpty { test([interrupted.removed]) }
    candidates.forEach(test)
    found.fine = baseline.prefix(repetitions).count {
      $0[number][decision.own.source].meets(decision.own.requested)
    }
    return found
  }
}
