import Allocation
package import Endpoint
import Ladder
import Plan
import Quantity
package import SimulationKernel
import Systems

/// Stateful servers, one for each viewer: their input, and the execution of their decisions.
extension SFU {
  /// Passes a viewer's subscriptions on to its server, and carries out the server's decisions.
  mutating func subscribe(
    _ viewer: Int, to wanted: [Subscription], _ demand: ViewerDemand, _ net: inout Connections,
    kernel: inout Kernel
  ) {
    negotiations?.request(wanted.map(\.source), by: viewer)
    negotiate(with: viewer, &net, kernel: &kernel)
    var wishes = wanted
    if let negotiations {
      wishes.removeAll { !negotiations.hasAgreed(viewer, on: $0.source, at: kernel.now) }
    }
    let isWished = wished(wishes)
    let first = allocator.streams.track(viewer: viewer, source: 0)
    let ended = allocator.streams.sources.indices.filter {
      !isWished[$0] && allocator.subscriptions.contains(first + $0)
    }
    let hasDecided = servers.subscribe(
      viewer, to: wishes, demand, ending: ended, within: net.endpoints.estimate(Path.down(viewer)),
      forwarder.meter, queued: net.endpoints.queued(on: Path.down(viewer)), at: kernel.now)
    if hasDecided { noteDecision(of: viewer, within: net.endpoints.estimate(Path.down(viewer))) }
    for source in ended {
      if !demand.keepsTracks { negotiations?.forget(source, of: viewer) }
      unsubscribe(viewer, from: source, &net, kernel: &kernel)
    }
    applyDecisions(to: wishes, of: viewer, &net, kernel: &kernel)
    // All changes have been applied.
    _ = servers.takeChange(viewer)
    followServer(of: viewer, &net, kernel: &kernel)
  }

  // MARK: News

  /// Reports that the layers of an encoding's source have changed or been measured.
  mutating func followLayers(of encoding: Int, _ net: inout Connections, kernel: inout Kernel) {
    let source = allocator.streams.encodings[encoding].source
    for viewer in participants.indices where participants[viewer].isViewer && participants[viewer].isConnected
    {
      guard allocator.subscriptions.contains(allocator.streams.track(viewer: viewer, source: source)) else {
        continue
      }
      servers.follow(source, viewer, forwarder.meter, at: kernel.now)
      followServer(of: viewer, &net, kernel: &kernel)
    }
  }

  /// Acts on the results of forwarding a packet.
  mutating func follow(
    _ news: Forwarder.News, of encoding: Int, _ net: inout Connections, kernel: inout Kernel
  ) {
    if news.contains(.layerBegan), forwarder.meter.takeStart(of: encoding, at: kernel.now) {
      kernel.schedule(after: forwarder.meter.cycle, tag: MeetingEvent(.layerCheck, encoding).tag)
    }
    if !news.isDisjoint(with: [.layerBegan, .layersDeclared]) {
      followLayers(of: encoding, &net, kernel: &kernel)
    }
    guard news.contains(.switched) else { return }
    reportSwitches(&net, kernel: &kernel)
    tellDemand(for: allocator.streams.encodings[encoding].source, &net, kernel: &kernel)
  }

  /// Ends a measurement cycle of an encoding.
  package mutating func checkLayer(of encoding: Int, _ net: inout Connections, kernel: inout Kernel) {
    kernel.schedule(after: forwarder.meter.cycle, tag: MeetingEvent(.layerCheck, encoding).tag)
    guard forwarder.meter.check(encoding, at: kernel.now) else { return }
    followLayers(of: encoding, &net, kernel: &kernel)
  }

  /// Reports the estimate of a viewer's downlink to its server.
  mutating func reportEstimate(
    _ budget: VideoBudget, to viewer: Int, _ net: inout Connections, kernel: inout Kernel
  ) {
    guard servers.serves(viewer), participants[viewer].isViewer else { return }
    var budget = budget
    budget.cap = allocator.receiveCaps[viewer]
    allocator.budgets[viewer].reported = budget
    guard let total = budget.total.rate else { return }
    servers.receive(total, forwarder.egress.sent[viewer], viewer, at: kernel.now)
    followServer(of: viewer, &net, kernel: &kernel)
  }

  /// Reports the tracks that have switched to another encoding.
  mutating func reportSwitches(_ net: inout Connections, kernel: inout Kernel) {
    for track in forwarder.switching.takeSwitched() {
      let viewer = track / allocator.streams.sourceCount
      servers.noteForwarded(
        forwarder.switching.tracks[track].current, of: track % allocator.streams.sourceCount, viewer,
        at: kernel.now)
      followServer(of: viewer, &net, kernel: &kernel)
    }
  }

  /// Wakes a viewer's server when it is due.
  package mutating func wakeServer(of viewer: Int, _ net: inout Connections, kernel: inout Kernel) {
    guard servers.isDue(viewer, at: kernel.now) else { return }
    let path = Path.down(viewer)
    let sender = net.endpoints.takeSenderState(of: path, at: kernel.now)
    let bytes = servers.wake(
      viewer, forwarder.egress.sent[viewer],
      roundTrip: net.endpoints.knownRoundTrip(on: path, net.links, at: kernel.now), sender, at: kernel.now)
    carryOutCommands(of: viewer, &net, kernel: &kernel)
    if bytes > 0 {
      let sent = forwarder.sendProbe(bytes: bytes, to: viewer, &net, kernel: &kernel)
      servers.noteProbe(bytes: sent, viewer, at: kernel.now)
    }
    followServer(of: viewer, &net, kernel: &kernel)
  }

  /// Reports feedback on a downlink to a server that follows every report.
  mutating func reportCongestion(to viewer: Int, _ net: inout Connections, kernel: inout Kernel) {
    let path = Path.down(viewer)
    guard servers.serves(viewer), participants[viewer].isViewer else { return }
    guard net.endpoints.rules.isAllocatorDriven(path) else {
      guard forwarder.rules.hearsEveryEstimate, net.endpoints.rules.usesFeedback(on: path) else { return }
      return reportEstimate(
        VideoBudget(estimate: net.endpoints.estimate(path)), to: viewer, &net, kernel: &kernel)
    }
    servers.receive(
      net.endpoints.controllers.congestion(path), capacity: net.endpoints.estimate(path), viewer,
      at: kernel.now)
    followServer(of: viewer, &net, kernel: &kernel)
  }

  private mutating func carryOutCommands(of viewer: Int, _ net: inout Connections, kernel: inout Kernel) {
    for command in servers.takeCommands(viewer) {
      net.endpoints.carryOut(command, on: Path.down(viewer), kernel: &kernel)
    }
  }

  // MARK: Effect

  mutating func followServer(of viewer: Int, _ net: inout Connections, kernel: inout Kernel) {
    let hasDecided = servers.decideIfDue(
      viewer, forwarder.meter, queued: net.endpoints.queued(on: Path.down(viewer)), at: kernel.now)
    if hasDecided { noteDecision(of: viewer, within: net.endpoints.estimate(Path.down(viewer))) }
    carryOutCommands(of: viewer, &net, kernel: &kernel)
    for event in servers.takeEvents(viewer) { records.append(.event(event, viewer: viewer)) }
    if servers.takeChange(viewer) {
      applyDecisions(to: allocator.subscriptions(of: viewer), of: viewer, &net, kernel: &kernel)
    } else if hasDecided {
      recordUnchanged(of: viewer)
    }
    if let due = servers.takeWake(viewer) {
      kernel.schedule(at: max(due, kernel.now), tag: MeetingEvent(.serverWake, viewer).tag)
    }
  }

  private mutating func applyDecisions(
    to wishes: [Subscription], of viewer: Int, _ net: inout Connections, kernel: inout Kernel
  ) {
    if !servers.decidesAtOnce(viewer) {
      noteDecision(of: viewer, within: net.endpoints.estimate(Path.down(viewer)))
    }
    var (grants, rules) = servers.grants(of: wishes, viewer)
    allocator.noteCap(in: &grants, of: viewer)
    allocator.budgets[viewer].allowance = allocator.budgets[viewer].current
    allocator.note(grants, for: wishes, of: viewer)
    apply(grants, by: rules, to: wishes, viewer: viewer, &net, kernel: &kernel)
    tellDemands(&net, kernel: &kernel)
  }
}
