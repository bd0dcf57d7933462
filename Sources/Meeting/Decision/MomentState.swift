package import Allocation
import Endpoint
package import Ladder
import Media
import Network
import Plan
import Publishing
package import Quantity
import Serving
import SimulationKernel
package import Systems
import Viewing

/// State of a viewer's downlink and of one of its tiles at a moment, apart from the decision in effect.
package struct MomentState: Sendable {
  package let at: SimTime
  /// Narrowest link of the viewer's downlink, with its capacity; `nil` for a downlink without links.
  package let link: (name: String, capacity: BitRate)?
  /// Estimate as in `participants.csv`.
  package let estimate: BitRate
  /// Budget for a decision at the moment.
  package let budget: VideoBudget
  /// Share by which the estimate has to differ from the budget's before the server acts on it; `nil` for a server that
  /// acts on any.
  package let changeThreshold: Fraction?
  /// Set while streams are held at their rate through a dip in the estimate.
  package let isHeld: Bool
  /// The viewer's subscriptions by rank, at the rates at which the server would count them; where it measures none, at
  /// those of the last decisions.
  package let tiles: [ReplayedDecision.Tile]
  /// Rate at which the tile arrived in the last interval; `nil` before the first.
  package let arriving: BitRate?
  /// Percentage of that rate in spatial layers that the shown one is not predicted from.
  package let unusedPercent: Int
  /// End of that interval; `nil` before the first.
  package let measuredAt: SimTime?
  /// Encodings of the source, from the lowest up.
  package let encodings: [EncodingState]
  /// Rate of the source's encoder that none of its spatial layers can use; `nil` if there is none.
  package let idleRate: IdleRate?
  /// The tile's wait for a key frame; `nil` if it is not waiting.
  package let wait: KeyFrameWait?

  /// Share of the budget that the viewer's subscriptions use.
  package var taken: BitRate { tiles.reduce(.zero) { $0 + $1.taken } }

  /// An encoding, and how far it gets toward the server's decision.
  package struct EncodingState: Equatable, Sendable {
    package let name: String
    package let reach: Reach
  }

  /// Farthest point that an encoding reaches.
  package enum Reach: Equatable, Sendable {
    case unwanted
    /// Off at the sender.
    case off
    /// On, but the sender's uplink leaves it no rate, given the estimate and what that leaves for video.
    case withoutRate(estimate: BitRate, videos: BitRate)
    /// On, but granted to no viewer.
    case ungiven
    /// On, but the source's app pushes no frames.
    case unfed
    /// Sent, but no packet has reached the server in the last second, or none ever.
    case lost(hasArrived: Bool)
    /// Arriving at the server, which has not yet detected it as a layer.
    case undetected
    case detected
  }

  /// Wait for the key frame of an encoding.
  package struct KeyFrameWait: Sendable {
    package let encoding: String
    /// Time of the server's last request to the sender; `nil` for none.
    package let askedAt: SimTime?
    package let repetition: Repetition
    /// Earliest time at which the server's limits let a pending next request through; with the per-viewer request
    /// limit, if that one applies.
    package let limitedUntil: (at: SimTime, viewerLimit: KeyFrameRequestRule.ViewerLimit?)?

    /// Continuation after the last request while it stays unanswered.
    package enum Repetition: Sendable {
      /// It is repeated until the key frame comes.
      case always
      /// It is repeated once more.
      case once
      /// It was the last, and its answer may still come.
      case last
      /// Neither the server nor the viewer repeats it.
      case never
    }
  }
}

extension MeetingSimulation {
  mutating func momentState(of source: Int, to viewer: Int, at now: SimTime) -> MomentState {
    let path = Path.down(viewer)
    let budgets = parts.sfu.allocator.budgets[viewer]
    var budget = budgets.downlink
    budget.cap = budgets.decided?.cap ?? .unlimited
    if parts.sfu.allocator.hasServers, let reported = budgets.reported ?? budgets.decided {
      budget = reported
      budget.cap = budgets.decided?.cap ?? reported.cap
    }
    var changeThreshold = parts.sfu.servers.lastState(viewer)?.changeThreshold
    var estimate = parts.net.endpoints.estimate(path)
    if parts.viewers.receptions.receivesDirectly(source, viewer) {
      let sender = parts.streams.sources[source].participant
      estimate = parts.net.endpoints.estimate(parts.net.endpoints.sendingPath(of: sender))
      budget = VideoBudget(estimate: estimate)
      changeThreshold = nil
    } else if changeThreshold != nil, let decided = budgets.decided {
      budget = decided
    }
    return MomentState(
      at: now, link: narrowestLink(to: viewer, at: now), estimate: estimate, budget: budget,
      changeThreshold: changeThreshold, isHeld: budgets.isHeld, tiles: measuredTiles(of: viewer, at: now),
      arriving: recording.limitations.watch?.last?.bitrate,
      unusedPercent: recording.limitations.watch?.last?.unusedPercent ?? 0,
      measuredAt: recording.limitations.watch?.last?.at, encodings: encodingStates(of: source, at: now),
      idleRate: parts.publishers.sources[source].idleRate(parts.publishers.encoders),
      wait: keyFrameWait(for: source, viewer, at: now))
  }

  /// Returns a viewer's subscriptions by rank, at the rates that the decisions counted.
  func tiles(of viewer: Int) -> [ReplayedDecision.Tile] {
    parts.streams.sources.indices.compactMap { source in
      let track = parts.streams.track(viewer: viewer, source: source)
      guard let last = recording.decisions[track], let rank = recording.decisions.rank(of: track),
        let wish = parts.sfu.allocator.subscriptions[track]
      else { return nil }
      return ReplayedDecision.Tile(
        source: source, name: recording.sources[source], rank: rank, requested: wish.requested,
        given: parts.sfu.allocator.subscriptions.grants[track]?.layer, taken: last.taken)
    }.sorted { ($0.rank, $0.source) < ($1.rank, $1.source) }
  }

  /// Returns a viewer's subscriptions by rank, at the rates at which the server would count them now.
  private func measuredTiles(of viewer: Int, at now: SimTime) -> [ReplayedDecision.Tile] {
    tiles(of: viewer).map { decided in
      guard let layer = decided.given,
        let rate = parts.sfu.servers.rate(
          of: layer.id, decided.source, viewer, parts.sfu.forwarder.meter, at: now)
      else { return decided }
      var tile = decided
      tile.taken = rate
      return tile
    }
  }

  mutating func narrowestLink(to viewer: Int, at now: SimTime) -> (name: String, capacity: BitRate)? {
    let capacity = parts.net.links.capacity(of: Path.down(viewer), at: now)
    let link = parts.net.links.route(of: Path.down(viewer)).map(Int.init).first {
      parts.net.links.meanCapacity(of: $0, from: now, to: now) == capacity
    }
    return link.map { (parts.plan.links[$0].name, capacity) }
  }

  private func encodingStates(of source: Int, at now: SimTime) -> [MomentState.EncodingState] {
    let detected =
      parts.sfu.forwarder.meter.isOn ? parts.sfu.forwarder.meter.layers(of: source, at: now).available : nil
    return parts.streams.sources[source].encodings.enumerated().map { place, number in
      let isDetected = detected?.contains(place) ?? true
      return MomentState.EncodingState(
        name: encodingName(place, of: source), reach: reach(of: number, isDetected: isDetected, at: now))
    }
  }

  private func reach(of number: Int, isDetected: Bool, at now: SimTime) -> MomentState.Reach {
    let encoder = parts.publishers.encoders[number]
    let sender = parts.publishers.sources[encoder.source].participant
    let isDirect = parts.net.endpoints.peers.peer(of: sender) != nil
    if isDirect, encoder.isSending { return .detected }
    if isDirect, !parts.publishers.isActive(number) { return .unwanted }
    if !isDirect, !parts.sfu.forwarder.ingress[number].arrivedAt.isOlder(than: .seconds(1), at: now) {
      return isDetected ? .detected : .undetected
    }
    guard parts.publishers.isRequested(number) else { return .unwanted }
    guard parts.publishers.isActive(number) else { return .off }
    if parts.publishers.sources[encoder.source].pushedRate == 0 { return .unfed }
    guard encoder.scale > 0 else {
      return .withoutRate(
        estimate: parts.net.endpoints.estimate(parts.net.endpoints.sendingPath(of: sender)),
        videos: parts.publishers.states[sender].videoBudget)
    }
    let hasArrived = parts.sfu.forwarder.ingress[number].arrivedAt != .never
    return encoder.isSending ? .lost(hasArrived: hasArrived) : .ungiven
  }

  private func encodingName(_ place: Int, of source: Int) -> String {
    parts.publishers.sources[source].plan.ladder.encodings[place].rid
  }

  private func keyFrameWait(for source: Int, _ viewer: Int, at now: SimTime) -> MomentState.KeyFrameWait? {
    let track = parts.streams.track(viewer: viewer, source: source)
    let forwarded = parts.sfu.forwarder.switching.tracks[track]
    let isBlind = !parts.viewers.receptions[track].status.isDecodable
    let place = forwarded.isWaiting ? Int(forwarded.awaited) : Int(forwarded.current.encoding)
    guard place >= 0, forwarded.isWaiting || isBlind,
      parts.sfu.allocator.subscriptions.grants[track]?.layer != nil
    else { return nil }
    let number = parts.streams.stream(of: place, in: source)
    let requests = parts.sfu.forwarder.keyFrames[number]
    let next = parts.sfu.forwarder.nextRequest(of: number, for: track, parts.net, at: now)
    // Before the server forwards an encoding, it does not know which one to request for the viewer.
    let isPassedOn = forwarded.current.encoding >= 0 || parts.sfu.forwarder.rules.switchesUnasked
    let repetition: MomentState.KeyFrameWait.Repetition =
      if isPassedOn, parts.viewers.receptions.asksForKeyFrames(of: source, viewer, at: now) {
        .always
      } else if requests.checkAt == .never && !requests.isPending {
        .never
      } else if requests.isPending {
        requests.isRepeated || requests.isDeferred ? .once : .last
      } else {
        .always
      }
    return MomentState.KeyFrameWait(
      encoding: encodingName(place, of: source), askedAt: requests.sentAt.time, repetition: repetition,
      limitedUntil: next.at > now ? next : nil)
  }
}
