import Allocation
import CongestionControl
import Ladder
import Meeting
import Metrics
import Network
import Parameters
import Plan
import Quantity
import Systems

/// A change to the scenario that improved the tile in most repetitions, in words.
struct RemedySentence: Equatable {
  /// Description of the change.
  let change: String
  let agreeing: Int
  /// Number of these repetitions in which only the freezes are shorter.
  var smoother = 0
  let repetitions: Int
  /// Other tiles that lose a layer in at least half of the repetitions.
  let losers: [Tile]

  /// Effect on the tile, in words.
  var effect: String {
    switch smoother {
    case 0: "has more"
    case agreeing: "is frozen for less than half as long"
    default: "has more, or is frozen for less than half as long,"
    }
  }

  /// A viewer's tile of a source, by name.
  struct Tile: Equatable {
    let viewer: String
    let source: String
  }
}

/// Changes tried on a tile.
struct Remedies {
  var helped: [RemedySentence] = []
  /// Changes that did not help, in words.
  var failed: [String] = []
  /// Number of repetitions in which the unchanged tile lacks nothing at the moment.
  var fine = 0
}

extension Explanation {
  /// Finds changes that help in nine of ten repetitions and, including as many further ones, in nineteen of twenty.
  /// Nearly all of these also help in eight of ten other repetitions.
  static func remedies(
    _ run: ExplainedRun, _ viewer: String, _ decision: ReplayedDecision, _ threshold: Threshold?,
    _ outages: [Outage], at moment: SimTime, _ repetitions: Int, _ progress: (String) -> Void
  ) throws -> Remedies {
    let candidates =
      outages.map { [(Remedy.uninterrupted(link: $0.number), "no outage of \($0.link)")] }
      + (try candidates(run, viewer, decision, threshold))
    guard repetitions > 0, !candidates.isEmpty else { return Remedies() }
    let number = try run.participant(viewer)
    let names = MeetingReplay.sources(of: run.plan).map(\.name)
    var baseline: [[[ReplayedPicture]]] = []
    func tried(_ remedy: Remedy, _ change: String, in repetitions: Range<Int>) -> RemedyTrial? {
      if baseline.count < repetitions.upperBound { progress("repeating the meeting as it is") }
      while baseline.count < repetitions.upperBound {
        baseline.append(
          MeetingReplay.pictures(
            in: run.plan, seed: run.seed, repetition: baseline.count, watching: (number, decision.own.source),
            at: moment))
      }
      progress("trying \(change)")
      return RemedyTrial(
        remedy, of: run.plan, seed: run.seed, viewer: number, source: decision.own.source,
        requested: decision.own.requested, at: moment, baseline: baseline[repetitions])
    }
    var found = Remedies()
    for candidate in candidates {
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
    found.fine = baseline.prefix(repetitions).count {
      $0[number][decision.own.source].meets(decision.own.requested)
    }
    return found
  }

  /// Returns the outages of the tile's links during the moment or one of its freezes; none for a tile that lacks
  /// nothing.
  static func outages(
    on plan: MeetingPlan, _ viewer: Int, _ decision: ReplayedDecision, at moment: SimTime
  ) -> [Outage] {
    let sender = MeetingReplay.sources(of: plan)[decision.own.source].participant
    let lasting = max(.zero, moment - .seconds(1))...moment
    var times = decision.freezes.map { $0.begin...max($0.begin, $0.end ?? moment) }
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
    // Key frame requests travel in the other direction.
    let requests = publisher.down.filter { link in !ways.contains { $0.0 == link } }
    return ways.flatMap { outages(of: $0, $1, in: times) }
      + requests.flatMap { outages(of: $0, publisher.transport, in: asked) }
  }

  /// Candidate changes for each limitation. From each list, the first that holds is reported; the mildest come first.
  private static func candidates(
    _ run: ExplainedRun, _ viewer: String, _ decision: ReplayedDecision, _ threshold: Threshold?
  ) throws -> [[(Remedy, String)]] {
    let number = try run.participant(viewer)
    let freezes = try decision.freezes.flatMap { try self.candidates(run, number, decision, against: $0) }
    let own = try candidatesOfWord(run, number, viewer, decision, threshold)
    var known: Set<String> = []
    return (own + freezes).map { $0.filter { known.insert($0.1).inserted } }.filter { !$0.isEmpty }
  }

  /// Candidate changes against a freeze, on the link where its frames were held up.
  private static func candidates(
    _ run: ExplainedRun, _ viewer: Int, _ decision: ReplayedDecision, against freeze: Freeze
  ) throws -> [[(Remedy, String)]] {
    let plan = run.plan
    let sender = MeetingReplay.sources(of: plan)[decision.own.source].participant
    let (up, down) = (plan.participants[sender].up, plan.participants[viewer].down)
    func lossless(_ route: [Int]) -> [(Remedy, String)] { Self.lossless(route, plan) }
    switch freeze.cause {
    case .encoder, .uplink: return uplink(of: decision.own, plan) + [lossless(up)]
    case .receiver:
      let down = plan.participants[freeze.slowest ?? viewer].down
      let extra =
        more(leastIncrease, on: down, plan) + more(decision.own.given?.bitrate ?? .zero, on: down, plan)
      return [lossless(down), extra, pages(decision), knownCapacity(isOfDownlinks: true)]
    case .downlink:
      let extra = max(decision.row.budget.total.excess(of: decision.taken), leastIncrease)
      return [
        lossless(down), more(extra, on: down, plan), pages(decision), knownCapacity(isOfDownlinks: true),
      ]
        + reliefs(plan)
    case .frameRate: return []
    case .server, .repair, .keyFrame, .decodeOrder:
      // Requests travel in the other direction.
      let others = plan.participants[sender].down + plan.participants[viewer].up
      // Packets dropped by a full queue do not count as loss on the link.
      let wider =
        freeze.packetsDropped > 0
        ? [more(leastIncrease, on: down, plan), more(leastIncrease, on: up, plan)] : []
      return [lossless(down), lossless(up), lossless(others)] + wider
    }
  }

  private static func lossless(_ route: [Int], _ plan: MeetingPlan) -> [(Remedy, String)] {
    route.map { (.lossless(link: $0), "no loss and jitter on \(plan.links[$0].name)") }
  }

  private static func reliefs(_ plan: MeetingPlan) -> [[(Remedy, String)]] {
    plan.reliefs.map { [(.setting($0), "'\($0.text)'")] }
  }

  private static func candidatesOfWord(
    _ run: ExplainedRun, _ number: Int, _ viewer: String, _ decision: ReplayedDecision,
    _ threshold: Threshold?
  ) throws -> [[(Remedy, String)]] {
    switch decision.shown.limitation {
    case .starting where decision.row.missing <= .zero: return uplink(of: decision.own, run.plan)
    case .bandwidth, .starting:
      // Grants beyond the budget need room before another layer does, and so does a dark tile's own layer.
      let excess = max(
        decision.row.budget.total.excess(of: decision.taken),
        decision.state.budget.total.excess(of: decision.state.taken),
        decision.shown.format == nil ? leastIncrease : .zero)
      let extra = max(threshold?.extra ?? max(decision.row.missing, leastIncrease), excess)
      let down = run.plan.participants[number].down
      // The grants fit, but do not arrive.
      var lists = decision.row.missing <= .zero ? [lossless(down, run.plan)] : []
      lists.append(more(extra, on: down, run.plan))
      if decision.row.budget.voices > .zero { lists.append([(.oneVoice, "'audio.forward: 1'")]) }
      if decision.row.budget.cap < decision.row.budget.available {
        lists.append([(.noReceiveCap, "no receive cap of \(viewer)")])
      }
      let largest = decision.before.sorted { $0.taken > $1.taken }.prefix(3)
      for tile in largest {
        lists.append([(.lowPriority(tile.name), "\(tile.name) at a low priority")])
      }
      lists.append(largest.compactMap { smallerTile(of: $0.name, run.plan.participants[number].view) })
      lists.append(pages(decision))
      return lists + reliefs(run.plan) + [knownCapacity(isOfDownlinks: true)]
    case .senderUplink: return uplink(of: decision.own, run.plan)
    case .requestCap:
      return [
        [(.open720p, "720p enabled by \(viewer)")], [(.noReceiveCap, "no receive cap of \(viewer)")],
        largerTiles(of: decision.own, run.plan.participants[number].view),
      ]
    case .device: return [[(.unlimitedDecoder, "a device of \(viewer) without a decode limit")]]
    case .sender: return [cameras(of: decision.own, run.plan)]
    case .layerMissing, .policy:
      return [
        largerTiles(of: decision.own, run.plan.participants[number].view),
        cameras(of: decision.own, run.plan),
      ]
    case .hold:
      return [
        knownCapacity(isOfDownlinks: true),
        more(leastIncrease, on: run.plan.participants[number].down, run.plan),
      ]
    case .switching:
      let sender = MeetingReplay.sources(of: run.plan)[decision.own.source].participant
      let (receiver, publisher) = (run.plan.participants[number], run.plan.participants[sender])
      // Key frame requests travel in the other direction.
      let links = receiver.down + publisher.up + publisher.down + receiver.up
      return [lossless(links, run.plan)] + [knownCapacity(isOfDownlinks: true)]
    case .offScreen, .muted, .none: return []
    }
  }

  /// Minimum increase of a link's capacity to try if no threshold is known [our model].
  private static let leastIncrease = BitRate.kilobits(200)

  /// Candidate changes for a sender with too narrow an uplink.
  private static func uplink(of tile: ReplayedDecision.Tile, _ plan: MeetingPlan) -> [[(Remedy, String)]] {
    let sender = MeetingReplay.sources(of: plan)[tile.source].participant
    let wanted = tile.given?.bitrate ?? .zero
    return [
      more(max(wanted, leastIncrease), on: plan.participants[sender].up, plan),
      knownCapacity(isOfDownlinks: false), cameras(of: tile, plan),
    ]
  }

  /// Halves the size of a tile; `nil` if it is already small, or if all tiles share one size.
  private static func smallerTile(of name: String, _ view: ViewPlan?) -> (Remedy, String)? {
    guard let view, !view.hasOneSize, let size = view.tileSize(of: name), min(size.width, size.height) >= 120
    else { return nil }
    let half = Resolution(width: size.width / 4 * 2, height: size.height / 4 * 2)
    return (.tile(name, half), "\(name) in a tile of \(half)")
  }

  /// Shows fewer tiles at a time, if there are more than a page of them; empty otherwise.
  private static func pages(_ decision: ReplayedDecision) -> [(Remedy, String)] {
    [16, 9, 4].filter { $0 < decision.others.count }.map {
      (.pages(of: $0), "pages of \($0) tiles ('per-page: \($0)')")
    }
  }

  /// Enlarges the tile to each larger size for which systems have encodings.
  private static func largerTiles(of tile: ReplayedDecision.Tile, _ view: ViewPlan?) -> [(Remedy, String)] {
    guard let view, let size = view.tileSize(of: tile.name) else { return [] }
    let subject = view.hasOneSize ? "everybody" : tile.name
    return [Resolution.p360, .p720, .p1080].filter { $0.lines > size.lines }.map {
      (.tile(tile.name, $0), "\(subject) in a tile of \($0)")
    }
  }

  /// Captures the source in its own format with the system's ladder, then in the requested format.
  private static func cameras(of tile: ReplayedDecision.Tile, _ plan: MeetingPlan) -> [(Remedy, String)] {
    guard let capture = plan.capture(of: tile.source) else { return [] }
    let asked = tile.requested
    let larger = VideoFormat(
      asked.resolution.lines > capture.resolution.lines ? asked.resolution : capture.resolution,
      milliFramesPerSecond: max(asked.milliFramesPerSecond, capture.milliFramesPerSecond))
    let ladder = "\(tile.name) with the system's own ladder"
    let own: [(Remedy, String)] = [(.capture(capture, source: tile.source), ladder)]
    guard larger != capture else { return own }
    return own + [(.capture(larger, source: tile.source), "\(tile.name) captured at \(larger) and \(ladder)")]
  }

  /// Replaces the estimator with one that knows the links' capacity.
  private static func knownCapacity(isOfDownlinks: Bool) -> [(Remedy, String)] {
    let known = Registry<Estimator>.estimators.entries.first { $0.configuration().traits.input == .capacity }
    guard let known else { return [] }
    let direction = isOfDownlinks ? "down" : "up"
    return [
      (
        .estimator(known.configuration(), isOfDownlinks: isOfDownlinks),
        "an estimator that knows the capacity ('estimator: {\(direction): \(known.name)}')"
      )
    ]
  }

  /// Adds capacity to the narrowest link of a route, in growing amounts: estimators need headroom above the sent rate.
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
  /// Initial capacity of a link; zero for a link with steps or a trace.
  fileprivate func capacity(of link: Int) -> BitRate { links[link].parameters.capacity.constantRate ?? .zero }
}
