import Allocation
import Meeting
import Plan
import Quantity
import Scenario

extension Explanation {
  /// Time from which trials are announced.
  private static let patience = Duration.seconds(60)

  /// Says how long the trials may take, if that is long.
  private static func announce(_ count: Int, each time: Duration) {
    guard time * count > patience else { return }
    let minutes = (time * count / .seconds(60)).rounded(.up)
    Terminal.remark(
      "up to \(count) changes and more are tried, which may take some \(Int(minutes)) min; --repetitions 0 tries none"
    )
  }

  /// Finds changes that help in nine of ten repetitions and, including as many further ones, in nineteen of twenty.
  /// Nearly all of these also help in eight of ten other repetitions.
  static func remedies(
    _ run: ExplainedRun, viewer number: Int, _ decision: ReplayedDecision, _ threshold: Threshold?,
    _ disturbances: LinkDisturbances, at moment: SimTime, _ repetitions: Int,
    _ progress: (String) -> Void
  ) -> Remedies {
    if repetitions > 0, decision.lacksFrames {
      return frameRemedies(run, number, decision, at: moment, repetitions, progress)
    }
    let candidates = RemedyCandidates(
      plan: run.plan, viewer: number, decision: decision, threshold: threshold)
    let lists = candidates.lists
    guard repetitions > 0, !lists.isEmpty || !disturbances.isEmpty else { return Remedies() }
    let names = run.plan.namedSources.map(\.name)
    let tile = TilePlace(viewer: number, source: decision.own.source)
    let explained = run.replay.pictures(watching: tile, repetition: run.repetition, at: moment)
    var baseline: [[[ReplayedPicture]]] = []
    func tried(_ remedy: Remedy, _ change: String, in repetitions: Range<Int>) -> RemedyTrial? {
      if baseline.count < repetitions.upperBound {
        progress("repeating the meeting as it is")
        let (begin, isFirst) = (ContinuousClock.now, baseline.isEmpty)
        baseline += run.replay.pictures(
          watching: tile, repetitions: Array(baseline.count..<repetitions.upperBound), at: moment)
        if isFirst { announce(lists.reduce(0) { $0 + $1.count }, each: ContinuousClock.now - begin) }
      }
      progress("trying \(change)")
      return RemedyTrial(
        remedy, of: run.replay, on: tile, requested: decision.own.requested,
        explained: explained[number][decision.own.source], at: moment,
        baseline: baseline[repetitions])
    }
    var found = Remedies()
    func trial(of candidate: RemedyCandidates.Candidate) -> RemedyTrial? {
      guard var trial = tried(candidate.remedy, candidate.change, in: 0..<repetitions) else { return nil }
      // Since many changes are tried, ten out of ten may be chance.
      if trial.holds,
        let further = tried(candidate.remedy, candidate.change, in: repetitions..<2 * repetitions)
      {
        trial.add(further)
      }
      return trial
    }
    func sentence(on change: String, _ trial: RemedyTrial) -> RemedySentence {
      RemedySentence(
        change: change, agreeing: trial.judged.agreeing, smoother: trial.judged.smoother,
        repetitions: trial.judged.repetitions, tried: trial.tried, isOfThoseAlike: trial.isOfThoseAlike,
        losers: trial.losers.map {
          RemedySentence.Tile(viewer: run.plan.participants[$0.viewer].id, source: names[$0.source])
        })
    }
    // The first change of a list that helps counts; of capacities, the least of those between it and the one before.
    func test(_ list: [RemedyCandidates.Candidate]) {
      var failed: [(candidate: RemedyCandidates.Candidate, text: String)] = []
      func helps(_ candidate: RemedyCandidates.Candidate, always: Bool = false) -> RemedyTrial? {
        guard let trial = trial(of: candidate) else { return nil }
        let count = trial.judged
        if trial.isConfirmed, !always || count.agreeing == count.repetitions { return trial }
        let frequency = trial.isFrequent ? " (in \(count.agreeing) of \(count.repetitions))" : ""
        failed.append((candidate, candidate.change + frequency))
        return nil
      }
      for candidate in list {
        guard var trial = helps(candidate) else { continue }
        var least = candidate
        while let between = candidates.halfway(from: failed.last?.candidate, to: least) {
          // Of several amounts near the least, one would help by chance.
          guard let less = helps(between, always: true) else { continue }
          (least, trial) = (between, less)
        }
        var sentence = sentence(on: least.change, trial)
        sentence.insufficient = failed.last?.text
        sentence.hidesTiles = least.remedy.hidesTiles
        found.helped.append(sentence)
        return
      }
      found.failed += failed.map(\.text)
    }
    // Of changes that help together, those that help without the others count.
    func testTogether(_ sets: [[RemedyCandidates.Candidate]]) {
      func together(_ parts: [RemedyCandidates.Candidate]) -> RemedyCandidates.Candidate {
        parts.count == 1
          ? parts[0] : (.together(parts.map(\.remedy)), "\(parts.map(\.change).enumeration) together")
      }
      let tested = sets.filter { $0.count > 1 }
      for set in tested {
        guard let all = trial(of: together(set)), all.isConfirmed else { continue }
        var best = (parts: set, trial: all)
        var count = 0
        // A part may be needed only beside one that turns out not to be.
        repeat {
          count = best.parts.count
          for part in best.parts.reversed() where best.parts.count > 1 {
            let rest = best.parts.filter { $0.change != part.change }
            if let trial = trial(of: together(rest)), trial.isConfirmed { best = (rest, trial) }
          }
        } while best.parts.count < count
        found.helped.append(sentence(on: together(best.parts).change, best.trial))
        return
      }
      if !tested.isEmpty { found.failed.append("links, limits and estimates together") }
    }
    let interrupted = disturbances.outages.byLink
    for outage in interrupted { test([[outage].removed]) }
    if interrupted.count > 1, found.helped.isEmpty { test([interrupted.removed]) }
    for quiet in disturbances.traffic.removed { test([quiet]) }
    for list in lists { test(list) }
    found.fine = baseline.prefix(repetitions).count {
      $0[number][decision.own.source].meets(decision.own.requested)
    }
    if found.helped.isEmpty, found.fine * 2 <= repetitions {
      let undone = (interrupted.isEmpty ? [] : [interrupted.removed]) + disturbances.traffic.removed
      testTogether(candidates.combined.map { undone + $0 })
    }
    return found
  }
}
