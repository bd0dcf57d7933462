package import Allocation
import CongestionControl
import Ladder
package import Quantity
package import Systems

/// LiveKit's stream allocator, for one viewer.
///
/// After LiveKit 1.13.5, `pkg/sfu/streamallocator` and the allocating half of `pkg/sfu/forwarder.go`. While the
/// allocator is *stable*, every track has the best subscribed layer, whatever the downlink carries. Congestion makes it
/// *deficient*: the capacity is shared out layer by layer, and every change has to fit. Probes raise the capacity again
/// until no track is deficient.
///
/// Where LiveKit's order is random (equal tracks come from a hash map), it is that of the participants in the scenario
/// [our model].
package struct LiveKitServer: ViewerServer {
  package enum State: String, Sendable { case stable, deficient }

  let parameters: LiveKitServerParameters
  private var settings: ReceivedTrackSettings
  /// Set while the viewer's app is in the background and stays subscribed to the tracks that it disables.
  private var keepsTracks = false
  var tracks: [ServerTrack] = []
  package private(set) var state = State.stable
  /// Capacity used for allocations [bit/s].
  var committed: Int64 = 0
  var detector: RemoteBandwidthDetector
  /// Sender's own detector; `nil` if viewers report estimates.
  var sender: SenderDetector?
  /// Probe in flight or settling; `isSending` while its bursts continue.
  var probe: (cluster: ServerProbe, isSending: Bool)?
  /// Set once the current probe has congested the path.
  private var hasProbeCongested = false
  /// Video sent to the viewer since the start [byte].
  private(set) var sentBytes: Int64 = 0
  /// Last time at which ``sentBytes`` was seen to grow.
  private var sentAt: SimTime
  private var looksAt: SimTime
  private var roundTripReadAt: SimTime?
  var burstAt: SimTime?
  private var hasChanged = false
  var events: [SystemEvent] = []

  /// Creates the server's allocator for a viewer who has joined.
  ///
  /// - Parameter tracks: parameters of track settings.
  package init(
    _ parameters: LiveKitServerParameters, tracks: LiveKitParameters = LiveKitParameters(), at now: SimTime
  ) {
    self.parameters = parameters
    settings = ReceivedTrackSettings(tracks)
    detector = RemoteBandwidthDetector(parameters.probing, parameters.detection, at: now)
    sentAt = now
    looksAt = now + parameters.looks.stable
  }

  package var cap: BitRate? { committed > 0 ? BitRate(bitsPerSecond: committed) : nil }

  /// Total rate of all targets [bit/s].
  var usage: Int64 { tracks.usage }

  var congestion: PathCongestion { sender?.state ?? detector.state }

  // MARK: Inputs and actions

  package mutating func handle(_ input: ServerInput, at now: SimTime) -> [ServerAction] {
    var actions: [ServerAction] = []
    switch input {
    case .begin, .look, .speech: break
    case .demand(let demand): keepsTracks = demand.keepsTracks
    case .subscribe(let wish, let layers): subscribe(wish, to: wish.source, layers, at: now)
    case .unsubscribe(let source): unsubscribe(source, at: now)
    case .settings(let settings, let source):
      if let time = self.settings.receive(settings, of: source, at: now) { actions.append(.apply(at: time)) }
    case .layers(let layers, let source): follow(layers, of: source, at: now)
    case .forwarded(let layer, let source): noteForwarded(layer, of: source)
    case .report(let report): receive(report, at: now)
    case .timer(let sentBytes, let roundTrip, let state):
      let bytes = wake(sentBytes: sentBytes, roundTrip: roundTrip, state, at: now)
      if bytes > 0 { actions.append(.probe(bytes: bytes)) }
    case .probed(let bytes): noteProbe(bytes: bytes)
    }
    return actions + takeActions()
  }

  private mutating func takeActions() -> [ServerAction] {
    defer {
      hasChanged = false
      events.removeAll()
      sender?.commands.removeAll()
    }
    return (sender?.commands ?? []).map(ServerAction.command) + events.map(ServerAction.record)
      + (hasChanged ? [.decide] : []) + [.wake(at: min(looksAt, burstAt ?? looksAt))]
  }

  // MARK: Subscriptions and layers

  package mutating func complete(_ wishes: inout [Subscription], at now: SimTime) {
    for place in wishes.indices {
      let plain = wishes[place]
      settings.complete(&wishes[place], at: now)
      guard let track = track(of: plain.source), track.ignoresHiding(by: wishes[place]) else { continue }
      wishes[place] = plain
      settings.complete(&wishes[place], isKept: true, at: now)
    }
  }

  private mutating func unsubscribe(_ source: Int, at now: SimTime) {
    if keepsTracks { settings.suspend(source) } else { settings.forget(source) }
    guard let place = tracks.firstIndex(where: { $0.source == source }) else { return }
    tracks.remove(at: place)
    hasChanged = true
    adjustState(at: now)
  }

  private mutating func subscribe(
    _ wish: Subscription, to source: Int, _ layers: MeasuredLayers, at now: SimTime
  ) {
    let place = tracks.firstIndex { $0.source >= source } ?? tracks.count
    let isKnown = place < tracks.count && tracks[place].source == source
    if !isKnown {
      tracks.insert(ServerTrack(source: source), at: place)
      tracks[place].layers = TrackLayers(layers)
    }
    let before = tracks[place]
    tracks[place].subscribe(wish)
    if isKnown, before.priority != tracks[place].priority, state == .deficient { allocateAll(at: now) }
    guard !isKnown || before.maximum != tracks[place].maximum || before.isMuted != tracks[place].isMuted
    else { return }
    allocate(place, at: now)
  }

  private mutating func follow(_ layers: MeasuredLayers, of source: Int, at now: SimTime) {
    guard let place = tracks.firstIndex(where: { $0.source == source }) else { return }
    let before = tracks[place].layers
    tracks[place].layers = TrackLayers(layers)
    // Changed rates of the same layers are recorded but trigger no allocation.
    if !tracks[place].layers.areThose(of: before) { allocate(place, at: now) }
  }

  private mutating func noteForwarded(_ layer: LayerID?, of source: Int) {
    guard let place = tracks.firstIndex(where: { $0.source == source }) else { return }
    tracks[place].noteForwarded(layer)
    hasChanged = true
  }

  // MARK: The downlink

  private mutating func receive(_ report: DownlinkReport, at now: SimTime) {
    guard !tracks.isEmpty else { return }
    switch report {
    case .estimate(let estimate, let packets, let repeated):
      let change = detector.receive(
        estimate.bitsPerSecond, usage: usage, packets: packets, repeated: repeated, at: now)
      if let change { enter(detector.state, from: change.from, capacity: detector.capacity, at: now) }
    case .congestion(let state, let capacity):
      let from = sender?.state ?? .none
      if sender == nil { sender = SenderDetector() }
      sender?.report(state, capacity: capacity)
      enter(state, from: from, capacity: capacity.bitsPerSecond, at: now)
    }
  }

  private mutating func enter(
    _ congestion: PathCongestion, from before: PathCongestion, capacity: Int64, at now: SimTime
  ) {
    events.append(SystemEvent(name: "congestion", detail: "\(congestion)"))
    if congestion != .none { stopProbe(at: now) }
    if before == .earlyWarning, congestion == .none, state == .stable {
      for place in tracks.indices { tracks[place].allocateOptimal() }
      hasChanged = true
    }
    guard congestion == .congested else { return }
    guard probe == nil else {
      hasProbeCongested = true
      return
    }
    committed = capacity
    events.append(
      SystemEvent(
        name: "capacity",
        detail: "\(BitRate(bitsPerSecond: capacity)), usage \(BitRate(bitsPerSecond: usage))"))
    allocateAll(at: now)
  }

  // MARK: Time

  private mutating func wake(
    sentBytes: Int64, roundTrip: SimDuration?, _ state: SenderState?, at now: SimTime
  ) -> Int {
    if sentBytes != self.sentBytes { sentAt = now }
    self.sentBytes = sentBytes
    if let state {
      if sender == nil { sender = SenderDetector() }
      sender?.update(state)
    }
    if now >= looksAt { look(roundTrip, at: now) }
    guard let due = burstAt, now >= due else { return 0 }
    return takeBurst(at: now)
  }

  /// Performs the periodic work: probes, and readings of the round trip.
  private mutating func look(_ roundTrip: SimDuration?, at now: SimTime) {
    resetIfPaused(at: now)
    concludeProbe(at: now)
    if state == .deficient { beginProbe(at: now) }
    looksAt = now + (state == .deficient ? parameters.looks.deficient : parameters.looks.stable)
    guard let roundTrip,
      roundTripReadAt.map({ now - $0 > parameters.looks.roundTripInterval }) ?? true
    else { return }
    roundTripReadAt = now
    detector.note(roundTrip)
  }

  /// Clears the congestion state after a while if pauses are allowed, since there may be no traffic left that could end
  /// it.
  private mutating func resetIfPaused(at now: SimTime) {
    guard parameters.allowsPause, state == .deficient, congestion != .none,
      now - sentAt > parameters.looks.pausedWait
    else { return }
    resetEstimator(at: now)
  }

  /// Ends a probe without a verdict, and starts a new estimator.
  private mutating func resetEstimator(at now: SimTime) {
    stopProbe(at: now)
    probe = nil
    hasProbeCongested = false
    detector = RemoteBandwidthDetector(parameters.probing, parameters.detection, at: now)
    sender?.reset()
  }

  private mutating func concludeProbe(at now: SimTime) {
    guard probe != nil else { return }
    if sender == nil, !hasProbeCongested, detector.hasReachedGoal { stopProbe(at: now) }
    guard let verdict = sender == nil ? detector.takeVerdict(at: now) : sender?.takeVerdict() else { return }
    probe = nil
    hasProbeCongested = false
    events.append(SystemEvent(name: "probe", detail: "\(verdict)"))
    guard verdict != .congesting else { return }
    committed = max(committed, sender?.capacity ?? detector.capacity)
    boost(at: now)
  }

  /// Updates the state, which is deficient as soon as any track is.
  mutating func adjustState(at now: SimTime) {
    hasChanged = true
    let newState: State = tracks.indices.contains { tracks[$0].isDeficient } ? .deficient : .stable
    guard newState != state else { return }
    state = newState
    events.append(SystemEvent(name: "allocator", detail: state.rawValue))
    switch state {
    case .stable:
      resetEstimator(at: now)
      looksAt = now + parameters.looks.stable
    case .deficient: looksAt = now + parameters.looks.deficient
    }
  }

  // MARK: Results

  package func decision(on source: Int) -> SourceDecision? {
    guard let track = track(of: source) else { return nil }
    var decision = SourceDecision(
      layer: track.target, ideal: nil, missing: hindrance(of: track)?.missing ?? .zero, rank: 0,
      rule: track.rule.rawValue)
    decision.bitrate = BitRate(bitsPerSecond: track.usage)
    decision.request = track.request
    decision.stopsWhileWaiting = track.isDeficient
    return decision
  }

  private func track(of source: Int) -> ServerTrack? { tracks.first { $0.source == source } }

  private func hindrance(of track: ServerTrack) -> (limitation: Limitation, missing: BitRate)? {
    track.isDeficient ? track.hindrance(headroom: committed - usage) : nil
  }

  package var servedOrder: [Int] { tracks.mostImportantFirst().map { tracks[$0].source } }

  package func grant(for wish: Subscription) -> Grant {
    guard let track = track(of: wish.source) else { return .unhindered(tile: wish, nil) }
    if track.isMuted, let nothing = Grant.excluded(wish) { return nothing }
    // Until a key frame arrives, the target is the highest encoding, which the viewer's device may not decode.
    let layer = track.target.flatMap { id in
      wish.ladder.last { $0.id.encoding <= id.encoding && $0.id.temporal <= id.temporal }
    }
    guard let hindrance = hindrance(of: track) else { return .unhindered(tile: wish, layer) }
    var grant = Grant(
      source: wish.source, layer: layer, limitation: .bandwidth, missing: hindrance.missing)
    if case .hold = hindrance.limitation {
      // The viewer is told the same, and its downlink is padded as if a bit per second were missing [our model].
      grant.missing = BitRate(bitsPerSecond: 1)
      grant.isWaiting = true
    }
    return grant
  }
}
