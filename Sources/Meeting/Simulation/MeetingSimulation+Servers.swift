import Allocation
import Endpoint
import Metrics
import Plan
import Publishing
import Quantity
import Serving
import SimulationKernel
import Systems
import Viewing

/// Servers that decide with a memory of their own: their input, and the execution of their decisions.
extension MeetingSimulation {
  /// Passes a viewer's subscriptions on to its server, and puts the server's decisions into force.
  mutating func subscribe(
    _ viewer: Int, to wanted: [Wish], _ demand: ViewerDemand, kernel: inout Kernel
  ) {
    var wishes = wanted
    if sfu.negotiations.areUsed {
      sfu.negotiations.request(wanted.map(\.source), by: viewer)
      negotiate(with: viewer, kernel: &kernel)
      wishes.removeAll { !sfu.negotiations.hasAgreed(viewer, on: $0.source, at: kernel.now) }
    }
    var isWished = [Bool](repeating: false, count: streams.sourceCount)
    for wish in wishes { isWished[wish.source] = true }
    let first = streams.track(viewer: viewer, source: 0)
    let ended = streams.sources.indices.filter {
      !isWished[$0] && sfu.allocator.subscriptions.contains(first + $0)
    }
    let hasDecided = sfu.servers.subscribe(
      viewer, to: wishes, demand, ending: ended, within: endpoints.estimate(Path.down(viewer)),
      sfu.forwarder.meter, queued: endpoints.queued(on: Path.down(viewer)), at: kernel.now)
    if hasDecided { sfu.noteDecision(of: viewer, within: endpoints.estimate(Path.down(viewer))) }
    for source in ended {
      if !demand.keepsTracks { sfu.negotiations.forget(source, of: viewer) }
      unsubscribe(viewer, from: source, kernel: &kernel)
    }
    applyDecisions(to: wishes, of: viewer, kernel: &kernel)
    // All changes have been applied.
    _ = sfu.servers.takeChange(viewer)
    followServer(of: viewer, kernel: &kernel)
  }

  // MARK: Negotiation

  /// Takes the next step of negotiating a viewer's requested sources.
  private mutating func negotiate(with viewer: Int, kernel: inout Kernel) {
    switch sfu.negotiations.takeStep(viewer, at: kernel.now) {
    case .nothing: break
    case .wait(let until):
      sfu.reallocations.schedule(viewer, for: .negotiation, at: until, kernel: &kernel)
    case .answer(let sources):
      sendAnswer(sources, to: viewer, kernel: &kernel)
      negotiate(with: viewer, kernel: &kernel)
    case .requestOffer:
      let message = SignallingMessage.offerRequest(
        tracks: sfu.negotiations.offeredCount(of: viewer), bytes: sfu.negotiations.sizes.request)
      signalling.send(message, on: Path.down(viewer), &links, kernel: &kernel)
    }
  }

  private mutating func sendAnswer(_ sources: [Int], to viewer: Int, kernel: inout Kernel) {
    let bytes = sfu.negotiations.sizes.description(tracks: sfu.negotiations.trackCount(of: viewer))
    signalling.send(.answer(sources, bytes: bytes), on: Path.down(viewer), &links, kernel: &kernel)
  }

  /// Makes a viewer that the SFU has asked for an offer prepare it.
  mutating func prepareOffer(tracks: Int, by viewer: Int, kernel: inout Kernel) {
    let due = viewers.negotiated.prepareOffer(tracks: tracks, by: viewer, at: kernel.now)
    scheduleNegotiation(of: viewer, at: due, kernel: &kernel)
  }

  private func scheduleNegotiation(of viewer: Int, at time: SimTime, kernel: inout Kernel) {
    let connection = links.connection(of: viewer)
    kernel.schedule(at: time, tag: MeetingEvent(.negotiation, of: viewer, connection: connection).tag)
  }

  /// Sends a viewer's offer, or begins to receive its first tracks, when that is due.
  mutating func negotiationDue(of viewer: Int, kernel: inout Kernel) {
    guard people.isJoined(viewer) else { return }
    if let tracks = viewers.negotiated.takeOffer(by: viewer, at: kernel.now) {
      let bytes = viewers.negotiated.sizes.description(tracks: tracks)
      signalling.send(.offer(bytes: bytes), on: Path.up(viewer), &links, kernel: &kernel)
    }
    noteArrivals(viewers.negotiated.takeConnection(of: viewer, at: kernel.now), viewer, kernel: &kernel)
  }

  private mutating func noteArrivals(_ sources: [Int], _ viewer: Int, kernel: inout Kernel) {
    for source in sources { notify(.trackGiven(source: source), viewer, kernel: &kernel) }
  }

  /// Answers a viewer's offer that has reached the SFU: the sources that it has room for are forwarded from now on.
  mutating func answer(_ viewer: Int, kernel: inout Kernel) {
    let sources = sfu.negotiations.takeOffer(by: viewer)
    guard !sources.isEmpty else { return }
    sendAnswer(sources, to: viewer, kernel: &kernel)
    allocate(viewer: viewer, kernel: &kernel)
  }

  /// Handles an answer that has reached a viewer: its tracks are received from now on.
  mutating func accept(_ sources: [Int], by viewer: Int, kernel: inout Kernel) {
    if let connectedAt = viewers.negotiated.takeFirst(of: viewer, at: kernel.now) {
      signalling.send(.candidates, on: Path.up(viewer), &links, kernel: &kernel)
      scheduleNegotiation(of: viewer, at: connectedAt, kernel: &kernel)
    }
    for source in sources { viewers.expect(true, source: source, by: viewer, at: kernel.now) }
    if viewers.negotiated.isOneByOne {
      signalling.send(.trackRequest, on: Path.up(viewer), &links, kernel: &kernel)
    }
    noteArrivals(
      viewers.negotiated.accept(sources, by: viewer, at: kernel.now), viewer, kernel: &kernel)
  }

  /// Handles a viewer's request for its next track.
  mutating func offerTrack(to viewer: Int, kernel: inout Kernel) {
    sfu.negotiations.ask(by: viewer)
    negotiate(with: viewer, kernel: &kernel)
  }

  /// Handles a viewer's candidates: it can be reached, and is connected soon.
  mutating func connect(_ viewer: Int, kernel: inout Kernel) {
    let connectedAt = sfu.negotiations.connect(viewer, at: kernel.now)
    sfu.reallocations.schedule(viewer, for: .connection, at: connectedAt, kernel: &kernel)
  }

  /// Handles a viewer's settings of a track that have reached the SFU.
  mutating func receive(
    _ settings: TrackSettings, of source: Int, from viewer: Int, kernel: inout Kernel
  ) {
    guard let time = sfu.servers.receive(settings, of: source, viewer, at: kernel.now) else { return }
    sfu.reallocations.schedule(viewer, for: .settings(source: source), at: time, kernel: &kernel)
  }

  // MARK: News

  /// Reports that the layers of an encoding's source have changed, or were measured.
  mutating func followLayers(of encoding: Int, kernel: inout Kernel) {
    let source = streams.encodings[encoding].source
    let layers = sfu.forwarder.meter.layers(of: source, at: kernel.now)
    for viewer in people.indices where viewers.isViewer[viewer] && people.isJoined(viewer) {
      guard sfu.allocator.subscriptions.contains(streams.track(viewer: viewer, source: source)) else {
        continue
      }
      sfu.servers.follow(layers, of: source, viewer, at: kernel.now)
      followServer(of: viewer, kernel: &kernel)
    }
  }

  /// Handles the arrival of an encoding that has begun.
  mutating func beginMeasuring(_ encoding: Int, kernel: inout Kernel) {
    if sfu.forwarder.meter.takeStart(of: encoding, at: kernel.now) {
      kernel.schedule(after: sfu.forwarder.meter.cycle, tag: MeetingEvent(.layerCheck, encoding).tag)
    }
    followLayers(of: encoding, kernel: &kernel)
  }

  /// Ends a cycle of an encoding's measurement.
  mutating func checkLayer(of encoding: Int, kernel: inout Kernel) {
    kernel.schedule(after: sfu.forwarder.meter.cycle, tag: MeetingEvent(.layerCheck, encoding).tag)
    guard sfu.forwarder.meter.check(encoding, at: kernel.now) else { return }
    followLayers(of: encoding, kernel: &kernel)
  }

  /// Reports an estimate of a downlink to its server.
  mutating func reportEstimate(_ budget: VideoBudget, to viewer: Int, kernel: inout Kernel) {
    guard sfu.servers.serves(viewer), viewers.isViewer[viewer] else { return }
    var budget = budget
    budget.cap = sfu.allocator.receiveCaps[viewer]
    sfu.allocator.budgets[viewer].reported = budget
    guard let total = budget.total.rate else { return }
    sfu.servers.receive(total, sfu.forwarder.sent[viewer], viewer, at: kernel.now)
    followServer(of: viewer, kernel: &kernel)
  }

  /// Reports the tracks that have changed to another encoding.
  mutating func reportSwitches(kernel: inout Kernel) {
    for track in sfu.forwarder.takeSwitched() {
      let viewer = track / streams.sourceCount
      sfu.servers.noteForwarded(
        sfu.forwarder.tracks[track].current, of: track % streams.sourceCount, viewer, at: kernel.now)
      followServer(of: viewer, kernel: &kernel)
    }
  }

  /// Wakes a server when it is due.
  mutating func wakeServer(of viewer: Int, kernel: inout Kernel) {
    guard sfu.servers.isDue(viewer, at: kernel.now) else { return }
    let path = Path.down(viewer)
    let sender = endpoints.takeSenderState(of: path, at: kernel.now)
    let bytes = sfu.servers.wake(
      viewer, sfu.forwarder.sent[viewer],
      roundTrip: endpoints.knownRoundTrip(on: path, links, at: kernel.now), sender, at: kernel.now)
    carryOutCommands(of: viewer, kernel: &kernel)
    if bytes > 0 {
      let sent = sfu.forwarder.sendProbe(
        bytes: bytes, to: viewer, endpoints: &endpoints, links: &links, kernel: &kernel)
      sfu.servers.noteProbe(bytes: sent, viewer, at: kernel.now)
    }
    followServer(of: viewer, kernel: &kernel)
  }

  /// Reports what feedback on a downlink shows to a server that hears of it at once.
  mutating func reportCongestion(to viewer: Int, kernel: inout Kernel) {
    let path = Path.down(viewer)
    guard sfu.servers.serves(viewer), viewers.isViewer[viewer] else { return }
    guard endpoints.isAllocatorDriven(path) else {
      guard sfu.forwarder.rules.hearsEveryEstimate, endpoints.usesFeedback(on: path) else { return }
      return reportEstimate(VideoBudget(estimate: endpoints.estimate(path)), to: viewer, kernel: &kernel)
    }
    sfu.servers.receive(
      endpoints.controllers.congestion(path), capacity: endpoints.estimate(path), viewer, at: kernel.now)
    followServer(of: viewer, kernel: &kernel)
  }

  private mutating func carryOutCommands(of viewer: Int, kernel: inout Kernel) {
    for command in sfu.servers.takeCommands(viewer) {
      endpoints.carryOut(command, on: Path.down(viewer), kernel: &kernel)
    }
  }

  // MARK: Effect

  private mutating func followServer(of viewer: Int, kernel: inout Kernel) {
    let hasDecided = sfu.servers.decideIfDue(
      viewer, sfu.forwarder.meter, queued: endpoints.queued(on: Path.down(viewer)),
      at: kernel.now)
    if hasDecided { sfu.noteDecision(of: viewer, within: endpoints.estimate(Path.down(viewer))) }
    carryOutCommands(of: viewer, kernel: &kernel)
    for event in sfu.servers.takeEvents(viewer) {
      recording.record(
        EventRow(participant: viewer, event: event.name, detail: event.detail, result: "ok"), at: kernel.now)
    }
    if sfu.servers.takeChange(viewer) {
      applyDecisions(to: sfu.allocator.subscriptions(of: viewer), of: viewer, kernel: &kernel)
    } else if hasDecided {
      recordUnchanged(of: viewer, at: kernel.now)
    }
    if let due = sfu.servers.takeWake(viewer) {
      kernel.schedule(at: max(due, kernel.now), tag: MeetingEvent(.serverWake, viewer).tag)
    }
  }

  private mutating func applyDecisions(to wishes: [Wish], of viewer: Int, kernel: inout Kernel) {
    if !sfu.servers.decidesAtOnce(viewer) {
      sfu.noteDecision(of: viewer, within: endpoints.estimate(Path.down(viewer)))
    }
    let decisions = sfu.decisions(on: wishes, of: viewer)
    sfu.allocator.budgets[viewer].allowance = sfu.allocator.budgets[viewer].current
    sfu.allocator.note(decisions.map(\.grant), for: wishes, of: viewer)
    apply(decisions, to: wishes, viewer: viewer, kernel: &kernel)
    for source in streams.sources.indices { tellDemand(for: source, kernel: &kernel) }
  }
}
