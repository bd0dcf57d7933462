package import Endpoint
package import Plan
import Quantity
package import SimulationKernel
package import Systems

/// Record of something that a publisher has done, left for the meeting to follow.
package enum PublisherRecord {
  /// An event that a system's publisher reports.
  case event(SystemEvent, participant: Int)
  /// A participant's camera has started, stopped or changed.
  case camera(participant: Int, isOn: Bool)
}

/// Messages between publishers and the SFU.
extension Publishers {
  /// Signals a source's state to the SFU, if it has changed.
  package mutating func announceSource(_ source: Int, _ net: inout Connections, kernel: inout Kernel) {
    guard let announcement = sources[source].takeAnnouncement() else { return }
    let publisher = streams.sources[source].participant
    net.send(.source(source, announcement), on: Path.up(publisher), kernel: &kernel)
    guard !streams.sources[source].isScreen else { return }
    records.append(.camera(participant: publisher, isOn: announcement.isCapturing))
  }

  /// Starts and stops a participant's sources according to its state.
  package mutating func refreshSources(of number: Int, _ net: inout Connections, kernel: inout Kernel) {
    for source in streams.cameraFirst(of: number) {
      refreshCapture(source, net, kernel: &kernel)
      announceSource(source, &net, kernel: &kernel)
    }
  }

  /// Fits a participant's sources to its uplink, and signals what has changed.
  package mutating func adapt(_ number: Int, _ net: inout Connections, kernel: inout Kernel) {
    for source in fitUplink(of: number, &net, at: kernel.now) {
      announceSource(source, &net, kernel: &kernel)
    }
    if let budget = takeUplinkReport(of: number) {
      net.send(.uplink(budget), on: Path.up(number), kernel: &kernel)
    }
    guard let change = followUplink(of: number, at: kernel.now) else { return }
    for event in change.events { records.append(.event(event, participant: number)) }
    refreshCapture(change.camera, net, kernel: &kernel)
    announceSource(change.camera, &net, kernel: &kernel)
  }

  /// Follows a new target of an uplink's controller.
  package mutating func followTarget(of number: Int, _ net: inout Connections, kernel: inout Kernel) {
    if mustFollowUplink(of: number, net.endpoints) { adapt(number, &net, kernel: &kernel) }
  }

  /// Fits a participant's sources to its uplink and tells the uplink's controller what they could use.
  package mutating func followUplink(of number: Int, _ net: inout Connections, kernel: inout Kernel) {
    adapt(number, &net, kernel: &kernel)
    let path = net.endpoints.sendingPath(of: number)
    guard net.endpoints.rules.usesFeedback(on: path) else { return }
    let demand = demand(of: number, headerShare: net.endpoints.headerShare(of: path))
    net.endpoints.setDemand(demand, on: path, at: kernel.now)
  }

  /// Handles the SFU's message to a publisher.
  package mutating func learn(
    _ message: SignallingMessage, _ participant: Int, _ net: inout Connections, kernel: inout Kernel
  ) {
    switch message {
    case .demand(let source, let demand):
      let hasOtherLayers = sources[source].followRequests(demand.lines, &encoders, &net.sizes)
      if setDemand(demand, of: source) || hasOtherLayers { adapt(participant, &net, kernel: &kernel) }
      if hasOtherLayers { announceSource(source, &net, kernel: &kernel) }
    case .lowStream(let source, let isHost):
      viewerAsksForLow(of: source, isHost: isHost, at: kernel.now)
      announceSource(source, &net, kernel: &kernel)
    case .presence, .source, .announcement, .directory, .subscriptions, .uplink, .trackRequest, .offerRequest,
      .offer, .answer, .candidates, .settings, .track, .downlink, .peerEnd:
      break
    }
  }

  /// Changes the parameters of one of a participant's senders.
  package mutating func set(
    _ change: SendChange, by number: Int, _ net: inout Connections, kernel: inout Kernel
  ) -> CallResult {
    // Orders replace the app's parameters.
    guard !states[number].reportsUplink else { return .unsupported }
    guard let source = change.isScreen ? streams.screenOf[number] : streams.cameraOf[number] else {
      return .noVideoConnection
    }
    sources[source].set(change, &encoders, &net.sizes, at: kernel.now)
    adapt(number, &net, kernel: &kernel)
    announceSource(source, &net, kernel: &kernel)
    return .ok
  }
}
