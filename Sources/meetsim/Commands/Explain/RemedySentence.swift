import Allocation
import Ladder
import Meeting
import Metrics
import Network
import Quantity

/// A change of the scenario that has given the tile more in most repetitions, in words.
struct RemedySentence: Equatable {
  /// What would have to be different.
  let change: String
  let agreeing: Int
  let repetitions: Int
  /// Other tiles that lose a layer in half of the repetitions at least, as `VIEWER sees SOURCE`.
  let losers: [String]
}

extension Explanation {
  /// Changes that help in four of five repetitions at least.
  static func remedies(
    _ run: ExplainedRun, _ viewer: String, _ decision: ReplayedDecision, _ threshold: Threshold?,
    at moment: SimTime, _ repetitions: Int, _ progress: (String) -> Void
  ) throws -> [RemedySentence] {
    let candidates = try candidates(run, viewer, decision, threshold)
    guard repetitions > 0, !candidates.isEmpty else { return [] }
    let number = try run.participant(viewer)
    let names = MeetingReplay.sources(of: run.plan).map(\.name)
    progress("repeating the meeting as it is")
    let baseline = (0..<repetitions).map {
      MeetingReplay.grants(in: run.plan, seed: run.seed, repetition: $0, at: moment)
    }
    return candidates.compactMap { candidate in
      for (remedy, change) in candidate {
        progress("trying \(change)")
        guard
          let trial = RemedyTrial(
            remedy, of: run.plan, seed: run.seed, viewer: number, source: decision.own.source, at: moment,
            baseline: baseline), trial.holds
        else { continue }
        return RemedySentence(
          change: change, agreeing: trial.agreeing, repetitions: trial.repetitions,
          losers: trial.losers.map { "\(run.plan.participants[$0.viewer].id) sees \(names[$0.source])" })
      }
      return nil
    }
  }

  /// What might help against each limitation: lists of which the first that holds counts, mildest first.
  private static func candidates(
    _ run: ExplainedRun, _ viewer: String, _ decision: ReplayedDecision, _ threshold: Threshold?
  ) throws -> [[(Remedy, String)]] {
    let number = try run.participant(viewer)
    guard let limitation = Limitation(rawValue: decision.row.reason) else { return [] }
    switch limitation {
    case .bandwidth, .starting:
      let extra = threshold?.extra ?? decision.row.missing
      var lists = [more(extra, on: run.plan.participants[number].down, run.plan)]
      if decision.row.budget.voices > .zero { lists.append([(.oneVoice, "'audio.forward: 1'")]) }
      if decision.row.budget.cap < decision.row.budget.available {
        lists.append([(.noReceiveCap, "no receive cap of \(viewer)")])
      }
      for tile in decision.before.sorted(by: { $0.taken > $1.taken }).prefix(3) {
        lists.append([(.lowPriority(tile.name), "\(tile.name) at a low priority")])
      }
      return lists
    case .senderUplink:
      let sender = MeetingReplay.sources(of: run.plan)[decision.own.source].participant
      let wanted = decision.own.given?.bitrate ?? .zero
      return [more(max(wanted, .kilobits(200)), on: run.plan.participants[sender].up, run.plan)]
    case .requestCap:
      return [[(.open720p, "720p enabled by \(viewer)")], [(.noReceiveCap, "no receive cap of \(viewer)")]]
    case .device: return [[(.unlimitedDecoder, "a device of \(viewer) without a decode limit")]]
    case .offScreen, .muted, .sender, .layerMissing, .hold, .switching, .policy, .none: return []
    }
  }

  /// More capacity on the narrowest link of a route, in growing amounts: estimators need room above what is sent.
  private static func more(_ rate: BitRate, on route: [Int], _ plan: MeetingPlan) -> [(Remedy, String)] {
    guard let link = route.min(by: { plan.capacity(of: $0) < plan.capacity(of: $1) }), rate > .zero else {
      return []
    }
    return [1.2, 2, 4].map { factor in
      let kilobits = (rate.scaled(by: factor).bitsPerSecond + 999) / 1000
      return (
        .capacity(.kilobits(kilobits), link: link), "\(kilobits) kbps more on \(plan.links[link].name)"
      )
    }
  }
}

extension MeetingPlan {
  /// What a link carries at first.
  fileprivate func capacity(of link: Int) -> BitRate { links[link].parameters.capacity.constantRate ?? .zero }
}
