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

/// Changes of a meeting that are worth trying on a tile, by its limitation and the causes of its freezes.
struct RemedyCandidates {
  typealias Candidate = (remedy: Remedy, change: String)

  let plan: MeetingPlan
  let viewer: Int
  let decision: ReplayedDecision
  let threshold: Explanation.Threshold?

  /// Lists of changes, of each of which the first that holds is reported; the mildest come first.
  var lists: [[Candidate]] {
    var known: Set<String> = []
    let all = (againstLimitation + decision.freezes.flatMap(against))
      .map { $0.filter { known.insert($0.change).inserted } }
      .filter { !$0.isEmpty }
    // All increases of one link are one list.
    var lists: [[Candidate]] = []
    for list in all {
      let link = list[0].remedy.widening?.link
      if let link, let place = lists.firstIndex(where: { $0[0].remedy.widening?.link == link }) {
        lists[place] = (lists[place] + list).sorted {
          $0.remedy.widening?.rate ?? .zero < $1.remedy.widening?.rate ?? .zero
        }
      } else {
        lists.append(list)
      }
    }
    return lists
  }

  /// Sets of changes of links, estimates and the viewer's own limits that may help together where none does alone: those
  /// of the side that the limitation names, then all; what is left out first comes last in a set.
  var combined: [[Candidate]] {
    if case .none = decision.shown.limitation, !decision.freezes.isEmpty { return [losslessLinks] }
    let isUp: Bool
    switch decision.shown.limitation {
    case .senderUplink: isUp = true
    case .bandwidth, .starting, .requestCap, .device, .hold, .switching: isUp = false
    case .sender, .layerMissing, .policy, .offScreen, .muted, .none: return []
    }
    let id = receiver.id
    let limits: [Candidate] = [
      (.open720p, "720p enabled by \(id)"), (.noReceiveCap, "no receive cap of \(id)"),
      (.unlimitedDecoder, "a device of \(id) without a decode limit"),
    ]
    let lacking = max(decision.row.missing, threshold?.extra ?? .zero, Self.leastIncrease)
    let extra = max(lacking.scaled(by: 4), askedRate.scaled(by: 1.2))
    let down =
      lossless(receiver.down) + widened(receiver.down, by: extra) + limits
      + knownCapacity(isOfDownlinks: true)
    let up =
      lossless(publisher.up) + widened(publisher.up, by: extra) + knownCapacity(isOfDownlinks: false)
    return [isUp ? up : down, down + up].map { set in
      set.filter { $0.remedy.applied(to: plan, viewer: viewer) != nil }
    }
  }

  /// Links of the tile without loss.
  var losslessLinks: [Candidate] { lossless(receiver.down) + lossless(publisher.up) }

  private var tile: ReplayedDecision.Tile { decision.own }
  private var receiver: ParticipantPlan { plan.participants[viewer] }
  private var publisher: ParticipantPlan {
    plan.participants[plan.namedSources[tile.source].participant]
  }

  /// Rate of the source up to the requested size.
  private var askedRate: BitRate {
    plan.bitrate(of: tile.source, upTo: tile.requested.resolution.lines)
  }

  /// Adds capacity for a quarter, and for all, of what the viewer requests, with a margin.
  private func amply(_ route: [Int]) -> [Candidate] {
    let all = ([tile] + decision.others).reduce(BitRate.zero) {
      $0 + plan.bitrate(of: $1.source, upTo: $1.requested.resolution.lines)
    }
    return [0.3, 1.2].flatMap { widened(route, by: all.scaled(by: $0)) }
  }

  /// Minimum increase of a link's capacity to try if no threshold is known [our model].
  private static let leastIncrease = BitRate.kilobits(200)

  /// Links of key frames and, in the other direction, of the requests for them.
  private var keyFrameRoute: [Int] { receiver.down + publisher.up + publisher.down + receiver.up }

  // MARK: By cause

  /// Candidates on the link where a freeze's frames stayed.
  private func against(_ freeze: Freeze) -> [[Candidate]] {
    let (up, down) = (publisher.up, receiver.down)
    switch freeze.cause {
    case .encoder, .uplink: return wideningUplink + [lossless(up)]
    case .receiver:
      let down = plan.participants[freeze.slowest ?? viewer].down
      let extra = more(Self.leastIncrease, on: down) + more(tile.given?.bitrate ?? .zero, on: down)
      return [lossless(down), extra] + fewerTiles + [knownCapacity(isOfDownlinks: true)]
    case .downlink:
      let extra = max(decision.row.budget.total.excess(of: decision.taken), Self.leastIncrease)
      return [lossless(down), more(extra, on: down)] + fewerTiles + [knownCapacity(isOfDownlinks: true)]
        + reliefs
    case .frameRate: return []
    case .server, .repair, .keyFrame, .decodeOrder:
      // Key frame requests travel in the other direction.
      let others = publisher.down + receiver.up
      // Packets that a full queue drops are not lost by the link.
      let wider =
        freeze.packetsMissing.dropped > 0
        ? [more(Self.leastIncrease, on: down), more(Self.leastIncrease, on: up)] : []
      return [lossless(down), lossless(up), lossless(others)] + wider
    }
  }

  private var againstLimitation: [[Candidate]] {
    let id = receiver.id
    if decision.waitsForKeyFrameAlone { return [lossless(keyFrameRoute)] }
    switch decision.shown.limitation {
    case .starting where decision.row.missing <= .zero:
      // A client may have fallen back because of its downlink, which the rule does not count.
      return wideningUplink + [more(max(tile.given?.bitrate ?? .zero, Self.leastIncrease), on: receiver.down)]
    case .bandwidth, .starting: return againstBandwidth
    case .senderUplink: return wideningUplink
    case .requestCap:
      return [
        [(.open720p, "720p enabled by \(id)")], [(.noReceiveCap, "no receive cap of \(id)")], largerTiles,
      ]
    case .device: return [[(.unlimitedDecoder, "a device of \(id) without a decode limit")]]
    case .sender: return [otherCaptures]
    case .layerMissing, .policy: return [largerTiles, otherCaptures]
    case .hold: return [knownCapacity(isOfDownlinks: true), more(Self.leastIncrease, on: receiver.down)]
    case .switching:
      // On a downlink that is short, key frames get lost.
      let wider =
        decision.row.missing > .zero
        ? [more(decision.row.missing, on: receiver.down) + amply(receiver.down)] : []
      return [lossless(keyFrameRoute)] + wider + [knownCapacity(isOfDownlinks: true)]
    case .offScreen, .muted, .none: return []
    }
  }

  private var againstBandwidth: [[Candidate]] {
    // Grants beyond the budget need room before another layer does, and so does a dark tile's own layer, unless all it
    // lacks is a key frame.
    let excess = max(
      decision.row.budget.total.excess(of: decision.taken),
      decision.state.budget.total.excess(of: decision.state.taken),
      decision.shown.format == nil && decision.state.wait == nil ? Self.leastIncrease : .zero)
    let extra = max(threshold?.extra ?? max(decision.row.missing, Self.leastIncrease), excess)
    // Losses may be what keeps the estimate down, or what the grants that fit do not get through.
    var lists = [lossless(receiver.down)]
    lists.append(more(extra, on: receiver.down) + amply(receiver.down))
    if decision.row.budget.voices > .zero { lists.append([(.oneVoice, "'audio.forward: 1'")]) }
    if decision.row.budget.cap < decision.row.budget.available {
      lists.append([(.noReceiveCap, "no receive cap of \(receiver.id)")])
    }
    let largest = decision.before.sorted { $0.taken > $1.taken }.prefix(3)
    lists += largest.map { [(.lowPriority($0.name), "\($0.name) at a low priority")] }
    lists.append(largest.compactMap { smallerTile(of: $0.name) })
    if let first = largest.first { lists.append(smallerCaptures(of: first)) }
    // A system that sends what is asked for, whatever the budget, is asked for less.
    if excess > .zero { lists.append(smallerTiles) }
    return lists + fewerTiles + reliefs + [knownCapacity(isOfDownlinks: true)]
  }

  // MARK: Kinds of changes

  private func lossless(_ route: [Int]) -> [Candidate] {
    route.map { (.lossless(link: $0), "no loss and jitter on \(plan.links[$0].name)") }
  }

  private var reliefs: [[Candidate]] { plan.reliefs.map { [(.setting($0), "'\($0.text)'")] } }

  /// Changes for a sender with too narrow an uplink.
  private var wideningUplink: [[Candidate]] {
    [
      lossless(publisher.up),
      more(max(tile.given?.bitrate ?? .zero, Self.leastIncrease), on: publisher.up),
      widened(publisher.up, by: askedRate.scaled(by: 1.2)),
      knownCapacity(isOfDownlinks: false), otherCaptures,
    ]
  }

  /// Halves the size of a tile; `nil` if it is already small, or if all tiles share one size.
  private func smallerTile(of name: String) -> Candidate? {
    guard let view = receiver.view, !view.hasOneSize, let size = view.tileSize(of: name),
      min(size.width, size.height) >= 120
    else { return nil }
    let half = Resolution(width: size.width / 4 * 2, height: size.height / 4 * 2)
    return (.tile(name, half), "\(name) in a tile of \(half)")
  }

  /// Captures the source of another tile in smaller formats.
  private func smallerCaptures(of other: ReplayedDecision.Tile) -> [Candidate] {
    guard let capture = plan.capture(of: other.source) else { return [] }
    let isScreen = StreamNumbering(plan).sources[other.source].isScreen
    return SmallerCapture.formats(isScreen: isScreen, below: capture).map { captured(other, at: $0) }
  }

  private func captured(_ tile: ReplayedDecision.Tile, at format: VideoFormat) -> Candidate {
    (
      .capture(format, source: tile.source),
      "\(tile.name) captured at \(format) with the system's own ladder"
    )
  }

  /// Shows fewer tiles at a time: pages, where there is more than one, and the stage alone.
  private var fewerTiles: [[Candidate]] {
    let pages = [16, 9, 4].filter { $0 < decision.others.count }
      .map { Candidate(.pages(of: $0), "pages of \($0) tiles ('per-page: \($0)')") }
    guard receiver.view?.isStage(tile.name) ?? false else { return [pages] }
    return [pages, [(.onlyStage, "only the stage ('view: {stage: \(tile.name)}')")]]
  }

  /// Enlarges the tile to each larger size for which systems have encodings.
  private var largerTiles: [Candidate] { resized([.p360, .p720, .p1080]) { $0.lines > $1.lines } }

  /// Shrinks the tile to each smaller size for which systems have encodings, the largest first.
  private var smallerTiles: [Candidate] { resized([.p720, .p360, .p180]) { $0.lines < $1.lines } }

  private func resized(
    _ sizes: [Resolution], where isTried: (_ size: Resolution, _ own: Resolution) -> Bool
  ) -> [Candidate] {
    guard let view = receiver.view, let own = view.tileSize(of: tile.name) else { return [] }
    let subject = view.hasOneSize && !view.isStage(tile.name) ? "everybody" : tile.name
    return sizes.filter { isTried($0, own) }.map {
      (.tile(tile.name, $0), "\(subject) in a tile of \($0)")
    }
  }

  /// Captures the source in its own format with the system's ladder, then in the requested format.
  private var otherCaptures: [Candidate] {
    guard let capture = plan.capture(of: tile.source) else { return [] }
    let asked = tile.requested
    let larger = VideoFormat(
      asked.resolution.lines > capture.resolution.lines ? asked.resolution : capture.resolution,
      milliFramesPerSecond: max(asked.milliFramesPerSecond, capture.milliFramesPerSecond))
    let own: [Candidate] = [
      (.capture(capture, source: tile.source), "\(tile.name) with the system's own ladder")
    ]
    return larger == capture ? own : own + [captured(tile, at: larger)]
  }

  /// Replaces the estimator with one that knows the links' capacity.
  private func knownCapacity(isOfDownlinks: Bool) -> [Candidate] {
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
  private func more(_ rate: BitRate, on route: [Int]) -> [Candidate] {
    rate > .zero ? [1.2, 2, 4].flatMap { widened(route, by: rate.scaled(by: $0)) } : []
  }

  private func widened(_ route: [Int], by rate: BitRate) -> [Candidate] {
    guard let link = route.min(by: { plan.capacity(of: $0) < plan.capacity(of: $1) }) else { return [] }
    return [widened(link, by: (rate.bitsPerSecond + 999) / 1000)]
  }

  private func widened(_ link: Int, by kilobits: Int64) -> Candidate {
    (.capacity(.kilobits(kilobits), link: link), "\(kilobits) kbps more on \(plan.links[link].name)")
  }

  /// Returns an increase of a link's capacity half-way between two others; `nil` for other changes, or if the larger one is
  /// less than a third above the smaller.
  ///
  /// - Parameter less: `nil` for no increase.
  func halfway(from less: Candidate?, to more: Candidate) -> Candidate? {
    guard let (most, link) = more.remedy.widening else { return nil }
    var least = BitRate.zero
    if let less {
      guard let (rate, other) = less.remedy.widening, other == link else { return nil }
      least = rate
    }
    let (low, high) = (least.bitsPerSecond / 1000, most.bitsPerSecond / 1000)
    guard high * 3 > low * 4, high - low > 20 else { return nil }
    return widened(link, by: (low + high) / 20 * 10)
  }
}

extension MeetingPlan {
  /// Initial capacity of a link; zero for a link with steps or a trace.
  fileprivate func capacity(of link: Int) -> BitRate { links[link].parameters.capacity.constantRate ?? .zero }
}

extension Remedy {
  /// The added capacity, and the link's index; `nil` for other changes.
  fileprivate var widening: (rate: BitRate, link: Int)? {
    if case .capacity(let rate, let link) = self { (rate, link) } else { nil }
  }
}
