import Allocation
import Meeting
import Network
import Plan
import Quantity
import Scenario

extension Freeze {
  /// Indicates whether a request for a packet or a key frame would have ended it earlier.
  fileprivate var awaitsAnswer: Bool {
    switch cause {
    case .repair, .keyFrame, .decodeOrder, .server: true
    case .frameRate, .encoder, .receiver, .uplink, .downlink: false
    }
  }
}

extension Explanation {
  /// Finds changes that help in nine of ten repetitions and, including as many further ones, in nineteen of twenty.
  /// Nearly all of these also help in eight of ten other repetitions.
  static func remedies(
    _ run: ExplainedRun, _ viewer: String, _ decision: ReplayedDecision, _ threshold: Threshold?,
    _ outages: [Outage], at moment: SimTime, _ repetitions: Int, _ progress: (String) -> Void
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
    let links = interrupted(by: outages)
    for link in links { test([uninterrupted([link])]) }
    if links.count > 1, found.helped.isEmpty { test([uninterrupted(links)]) }
    candidates.forEach(test)
    found.fine = baseline.prefix(repetitions).count {
      $0[number][decision.own.source].meets(decision.own.requested)
    }
    return found
  }

  private typealias NumberedLink = (number: Int, name: String)

  private static func interrupted(by outages: [Outage]) -> [NumberedLink] {
    var links: [NumberedLink] = []
    for outage in outages where !links.contains(where: { $0.number == outage.number }) {
      links.append((outage.number, outage.link))
    }
    return links
  }

  /// Returns the meeting without the outages of some links, and its name.
  private static func uninterrupted(_ links: [NumberedLink]) -> (remedy: Remedy, change: String) {
    (.uninterrupted(links: links.map(\.number)), "no outage of \(links.map(\.name).enumeration)")
  }

  /// Returns the outages of the tile's links during the moment or one of its freezes, and those of the links that its
  /// requests for packets and key frames took while it waited for these; none for a tile that lacks nothing.
  static func outages(
    on plan: MeetingPlan, _ viewer: Int, _ decision: ReplayedDecision, at moment: SimTime
  ) -> [Outage] {
    let sender = plan.namedSources[decision.own.source].participant
    let lasting = max(.zero, moment - .seconds(1))...moment
    func time(of freeze: Freeze) -> ClosedRange<SimTime> {
      freeze.begin...max(freeze.begin, freeze.end ?? moment)
    }
    var times = decision.freezes.map(time)
    switch decision.shown.limitation {
    case .none, .offScreen, .muted: break
    default: times.append(lasting)
    }
    let (receiver, publisher) = (plan.participants[viewer], plan.participants[sender])
    let ways = receiver.down.map { ($0, receiver.transport) } + publisher.up.map { ($0, publisher.transport) }
    func outages(of link: Int, _ transport: MediaTransport, in times: [ClosedRange<SimTime>]) -> [Outage] {
      plan.links[link].parameters.outages.filter { outage in
        times.contains { $0.lowerBound < outage.upperBound && outage.lowerBound <= $0.upperBound }
      }.map {
        Outage(number: link, link: plan.links[link].name, isStreamed: transport == .tcp, times: $0)
      }
    }
    let asked = decision.state.wait?.askedAt.map { [$0...$0] } ?? []
    let requests = asked + decision.freezes.filter(\.awaitsAnswer).map(time)
    let back =
      (receiver.up.map { ($0, receiver.transport) } + publisher.down.map { ($0, publisher.transport) })
      .filter { link, _ in !ways.contains { $0.0 == link } }
    return ways.flatMap { outages(of: $0, $1, in: times) }
      + back.flatMap { outages(of: $0, $1, in: requests) }
  }
}
