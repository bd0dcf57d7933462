package import Allocation
import CongestionControl
import Ladder
package import Quantity

/// A server that shares a viewer's downlink by a rule, whenever its schedule, a subscription or a layer triggers it.
package struct RuleServer: ViewerServer {
  private let rule: any ServerRule
  private var schedule: any ServerSchedule
  /// Tracks in the order of the sources.
  private var tracks: [RuleTrack] = []
  private var demand = ViewerDemand()
  /// Publishers' ranks in the order of speech, by source, in a server that hears speakers; empty in any other.
  private var speechRanks: [Int?] = []
  /// Last estimate; `nil` before the first.
  private var budget: BitRate?
  /// Set until the server has looked at all layers and decided.
  private var isDue = false
  package private(set) var lastState: AllocationState?
  private var hasChanged = false
  private var commands: [SenderCommand] = []

  package init(_ rule: any ServerRule, _ schedule: any ServerSchedule) {
    self.rule = rule
    self.schedule = schedule
  }

  // MARK: Inputs

  package mutating func handle(_ input: ServerInput, at now: SimTime) -> [ServerAction] {
    switch input {
    case .begin(let estimate): if budget == nil { receive(estimate, at: now) }
    case .demand(let demand): follow(demand)
    case .subscribe(let wish, let layers): subscribe(wish, to: wish.source, layers, at: now)
    case .unsubscribe(let source): subscribe(nil, to: source, MeasuredLayers(), at: now)
    case .layers(let layers, let source): follow(layers, of: source, at: now)
    case .speech(let ranks): hear(ranks)
    case .forwarded(let layer, let source): noteForwarded(layer, of: source)
    case .report(.estimate(let estimate, _, _)): receive(estimate, at: now)
    case .look(let layers, let queued): decide(layers, queued: queued, at: now)
    case .timer: if let due = schedule.dueAt, now >= due { isDue = true }
    case .report(.congestion), .settings, .probed: break
    }
    return takeActions()
  }

  private mutating func takeActions() -> [ServerAction] {
    var actions: [ServerAction] = isDue ? [.look] : []
    if hasChanged { actions.append(.decide) }
    hasChanged = false
    actions += commands.map(ServerAction.command)
    commands = []
    if let due = schedule.dueAt { actions.append(.wake(at: due)) }
    return actions
  }

  private mutating func subscribe(
    _ wish: Subscription?, to source: Int, _ layers: MeasuredLayers, at now: SimTime
  ) {
    let place = tracks.firstIndex { $0.source >= source } ?? tracks.count
    let isKnown = place < tracks.count && tracks[place].source == source
    guard var wish else {
      guard isKnown else { return }
      tracks.remove(at: place)
      isDue = true
      return
    }
    if !speechRanks.isEmpty { wish.demand.speechRank = speechRanks[source] }
    if !isKnown {
      tracks.insert(RuleTrack(source: source, wish: wish, since: now), at: place)
      isDue = true
    } else {
      if schedule.reacts(to: wish, after: tracks[place].wish) { isDue = true }
      // What was decided has to exist: a sender of spatial layers may send fewer of them.
      if let layer = tracks[place].decision?.layer, !wish.has(layer) { isDue = true }
      tracks[place].wish = wish
    }
    tracks[place].measure(layers, at: now)
  }

  package var hearsSpeakers: Bool { schedule.triggers.hearsSpeakers }

  private mutating func hear(_ ranks: [Int?]) {
    speechRanks = ranks
    for place in tracks.indices {
      let before = tracks[place].wish.demand.speechRank
      tracks[place].wish.demand.speechRank = ranks[tracks[place].source]
      guard tracks[place].wish.demand.speechRank == 0, before != 0 else { continue }
      if schedule.reacts(toSpeaker: tracks[place].wish, demand) { isDue = true }
    }
  }

  private mutating func follow(_ demand: ViewerDemand) {
    guard demand != self.demand else { return }
    self.demand = demand
    isDue = true
  }

  private mutating func follow(_ layers: MeasuredLayers, of source: Int, at now: SimTime) {
    guard let place = tracks.firstIndex(where: { $0.source == source }) else { return }
    let before = tracks[place].layers
    tracks[place].measure(layers, at: now)
    let isNews =
      switch schedule.triggers.layers {
      case .encodings: layers.available != before.available
      case .startingLayers: layers.hasMore(than: before)
      }
    if isNews { isDue = true }
  }

  private mutating func noteForwarded(_ layer: LayerID?, of source: Int) {
    guard let place = tracks.firstIndex(where: { $0.source == source }) else { return }
    tracks[place].current = layer
  }

  private mutating func receive(_ estimate: BitRate, at now: SimTime) {
    budget = estimate
    if schedule.receive(estimate, allocated: allocated, at: now) { isDue = true }
  }

  // MARK: Decisions

  /// Total rate of the last decisions, as measured then or now.
  private var allocated: BitRate {
    let remembers = schedule.triggers.remembersRates
    return tracks.reduce(.zero) { $0 + (remembers ? $1.decidedRate : $1.rate(of: $1.decision?.layer)) }
  }

  private mutating func decide(_ layers: [MeasuredLayers], queued: ByteCount, at now: SimTime) {
    for (place, layers) in layers.enumerated() { tracks[place].measure(layers, at: now) }
    isDue = false
    guard let budget else { return }
    var state = AllocationState(
      budget: budget, subscriptions: tracks.map { $0.subscription(at: now) }, demand: demand)
    schedule.complete(&state, queued: queued, at: now)
    lastState = state
    let outcome = rule.decide(state)
    for (place, var decision) in outcome.decisions.enumerated() {
      if decision.isDowngrade { tracks[place].downgradedAt = now }
      // The rule states the rate of a layer that has not been measured itself.
      tracks[place].decidedRate =
        decision.bitrate > .zero ? decision.bitrate : tracks[place].rate(of: decision.layer)
      decision.bitrate = .zero
      if tracks[place].decision != decision { hasChanged = true }
      tracks[place].decision = decision
    }
    schedule.noteDecision(at: now)
    commands += schedule.commands(on: state, at: now)
  }

  // MARK: Results

  package func decision(on source: Int) -> SourceDecision? {
    guard let track = tracks.first(where: { $0.source == source }), var decision = track.decision else {
      return nil
    }
    decision.bitrate = track.decidedRate
    decision.request = decision.layer?.encoding
    return decision
  }

  package var servedOrder: [Int] {
    tracks.filter { $0.decision != nil }
      .sorted { ($0.decision?.rank ?? 0, $0.source) < ($1.decision?.rank ?? 0, $1.source) }.map(\.source)
  }

  package func grant(for wish: Subscription) -> Grant {
    guard let track = tracks.first(where: { $0.source == wish.source }), let decision = track.decision else {
      return Grant.unhindered(wish, nil)
    }
    // Forwarded layers are accounted for with the ladder's names and rates.
    let layer = decision.layer.flatMap { id in
      wish.ladder.last { $0.id.encoding == id.encoding && $0.id.temporal <= id.temporal }
    }
    return Grant(decision, of: wish, layer)
  }
}

extension MeasuredLayers {
  /// Checks whether a layer arrives that did not arrive before.
  fileprivate func hasMore(than before: MeasuredLayers) -> Bool {
    rates.indices.contains { encoding in
      rates[encoding].indices.contains { temporal in
        let layer = LayerID(encoding: encoding, temporal: temporal)
        return self[layer] > .zero && before[layer] == .zero
      }
    }
  }
}

/// State of one source in a rule server.
private struct RuleTrack: Sendable {
  let source: Int
  private let since: SimTime
  var wish: Subscription
  private(set) var layers = MeasuredLayers()
  /// Times at which the encodings began to arrive; `nil` for one that does not arrive.
  private var arrivesSince: [SimTime?] = []
  var current: LayerID?
  var decision: SourceDecision?
  /// Rate of the decided layer at the time of the decision.
  var decidedRate = BitRate.zero
  var downgradedAt: SimTime?

  init(source: Int, wish: Subscription, since: SimTime) {
    self.source = source
    self.wish = wish
    self.since = since
  }

  mutating func measure(_ layers: MeasuredLayers, at now: SimTime) {
    self.layers = layers
    while arrivesSince.count < layers.rates.count { arrivesSince.append(nil) }
    for encoding in arrivesSince.indices {
      let arrives = layers.available.contains(encoding)
      arrivesSince[encoding] = arrives ? arrivesSince[encoding] ?? now : nil
    }
  }

  func rate(of layer: LayerID?) -> BitRate {
    guard let layer else { return .zero }
    return wish.ladder.first { $0.id == layer }.map(rate) ?? layers[layer]
  }

  /// Returns the rate of a layer as forwarded to the viewer.
  private func rate(of layer: Layer) -> BitRate {
    layer.thinning.map { layers[layer.id].scaled(by: $0.share) } ?? layers[layer.id]
  }

  func subscription(at now: SimTime) -> MeasuredSubscription {
    let measured = wish.ladder.map { layer in
      var layer = layer
      layer.bitrate = rate(of: layer)
      return layer
    }
    var subscription = MeasuredSubscription(
      wish: wish, layers: measured, current: current, target: decision?.layer)
    subscription.followingRate = self.layers.followingRate
    subscription.ages = arrivesSince.map { since in since.map { now - $0 } ?? .zero }
    subscription.age = now - since
    subscription.beyondDevice = wish.confinement.beyondDevice
    if let beyond = wish.confinement.beyondDevice, rate(of: beyond) > .zero {
      subscription.beyondDevice?.bitrate = rate(of: beyond)
    }
    subscription.sinceDowngrade = downgradedAt.map { now - $0 }
    return subscription
  }
}
