package import Allocation
package import CongestionControl
package import Ladder
package import Plan
package import Quantity
package import Systems

/// The parts of a system's server that decide for one viewer each, in systems whose decisions need a memory: their
/// inputs, and the actions that they have yet to be relieved of.
package struct ViewerServers {
  /// A viewer's server.
  private struct State {
    var server: any ViewerServer
    /// Sources with a subscription, in order.
    var subscribed: [Int] = []
    /// Set while it waits to look at all layers.
    var isDue = false
    /// Set once it has looked at all layers: it decides on all subscriptions at once.
    var hasLooked = false
    /// Time at which its allocation was last held against the client's cap, or made.
    var checkedAt = SimTime.zero
    /// Encoding that was begun last of each source, with its key frame, and the time; none for a client without a cap.
    var forwarded: [(encoding: Int, since: SimTime)?] = []
    var hasChanged = false
    var commands: [SenderCommand] = []
    var events: [SystemEvent] = []
    /// Time at which it asks to be woken.
    var wakesAt: SimTime?
    /// Time at which its pending event is due.
    var dueAt: SimTime?
    /// Video sent to the viewer when its last estimate arrived.
    var reported: SentVideo
    /// State and capacity of the sender's own detector that were passed on last.
    var congestion: (state: PathCongestion, capacity: BitRate) = (.none, .zero)
  }

  private let system: any System
  /// Set for sources whose senders follow their receivers: a server counts the least for them.
  private let following: [Bool]
  /// Maximum video rates that the clients accept, by viewer.
  private let caps: [RateLimit]
  /// States by viewer; `nil` outside the meeting.
  private var states: [State?]

  package init(_ plan: MeetingPlan, caps: [RateLimit]) {
    system = plan.system
    following = StreamNumbering(plan).sources.map(\.followsReceivers)
    self.caps = caps
    states = plan.participants.map { _ in nil }
  }

  /// Opens a viewer's server for a new connection.
  ///
  /// - Parameter sent: video sent to it before.
  package mutating func open(_ viewer: Int, _ sent: SentVideo, at now: SimTime) {
    states[viewer] = system.server(at: now).map { State(server: $0, reported: sent) }
    let count = caps[viewer].rate == nil ? 0 : following.count
    states[viewer]?.forwarded = Array(repeating: nil, count: count)
  }

  package mutating func close(_ viewer: Int) { states[viewer] = nil }

  /// Checks whether a viewer has a server: not outside the meeting, nor in a system without them.
  package func serves(_ viewer: Int) -> Bool { states[viewer] != nil }

  // MARK: Inputs

  /// Passes an input on, and notes the server's actions.
  ///
  /// - Returns: bytes to send as a probe, and the time at which settings take effect.
  @discardableResult
  private mutating func handle(_ input: ServerInput, _ viewer: Int, at now: SimTime) -> (
    probe: Int, appliesAt: SimTime?
  ) {
    var probe = 0
    var appliesAt: SimTime?
    let cap = caps[viewer]
    states[viewer]?.wakesAt = nil
    for action in states[viewer]?.server.handle(input, at: now) ?? [] {
      switch action {
      case .look: states[viewer]?.isDue = true
      case .decide: states[viewer]?.hasChanged = true
      case .apply(let time): appliesAt = time
      case .wake(let time): states[viewer]?.wakesAt = time
      case .probe(let bytes): probe = bytes
      case .command(let command): states[viewer]?.commands.append(command.within(cap))
      case .record(let event): states[viewer]?.events.append(event)
      }
    }
    return (probe, appliesAt)
  }

  /// Passes a viewer's present subscriptions on, and ends its former ones.
  ///
  /// - Parameters:
  ///   - estimate: estimated capacity of the downlink.
  ///   - queued: bytes waiting to be sent to the viewer.
  /// - Returns: `true` if the server has reallocated all subscriptions.
  package mutating func subscribe(
    _ viewer: Int, to wishes: [Subscription], _ demand: ViewerDemand, ending: [Int], within estimate: BitRate,
    _ meter: borrowing LayerMeter, queued: ByteCount, at now: SimTime
  ) -> Bool {
    handle(.begin(caps[viewer].confining(estimate)), viewer, at: now)
    handle(.demand(demand), viewer, at: now)
    for source in ending { handle(.unsubscribe(source: source), viewer, at: now) }
    for wish in wishes {
      handle(
        .subscribe(wish, measured(wish.source, viewer, meter, at: now)), viewer, at: now)
    }
    states[viewer]?.subscribed = Set(wishes.map(\.source)).sorted()
    return decideIfDue(viewer, meter, queued: queued, at: now)
  }

  /// Passes a client's settings of a source's track on.
  ///
  /// - Returns: the time at which they take effect; `nil` if they change nothing.
  package mutating func receive(_ settings: TrackSettings, of source: Int, _ viewer: Int, at now: SimTime)
    -> SimTime?
  {
    handle(.settings(settings, source: source), viewer, at: now).appliesAt
  }

  /// Completes a viewer's subscriptions by the settings in effect.
  package mutating func complete(_ wishes: inout [Subscription], of viewer: Int, at now: SimTime) {
    states[viewer]?.server.complete(&wishes, at: now)
  }

  /// Least time between an allocation and the next one that only its client's cap asks for.
  private static let capSpacing = SimDuration.milliseconds(250)
  /// Rate relative to the cap that encoders' variation may reach without a new allocation.
  private static let capTolerance = 1.1

  /// Checks whether what is given has grown well above what the client accepts: a server goes by measured rates, which an encoder that has just begun keeps raising, and decides again at once where its
  /// own schedule would wait [our model].
  private mutating func exceedsCap(
    _ viewer: Int, _ meter: borrowing LayerMeter, at now: SimTime
  ) -> Bool {
    guard let cap = caps[viewer].rate, let state = states[viewer], state.hasLooked,
      now - state.checkedAt >= Self.capSpacing
    else { return false }
    states[viewer]?.checkedAt = now
    var given = BitRate.zero
    for source in state.subscribed {
      guard let layer = state.server.decision(on: source)?.layer else { continue }
      given += measured(source, viewer, meter, at: now)[layer]
    }
    return given > cap.scaled(by: Self.capTolerance)
  }

  /// Lets a server decide that waits for it, with the layers that arrive now.
  ///
  /// - Returns: `true` if it has.
  package mutating func decideIfDue(
    _ viewer: Int, _ meter: borrowing LayerMeter, queued: ByteCount, at now: SimTime
  ) -> Bool {
    if exceedsCap(viewer, meter, at: now) { states[viewer]?.isDue = true }
    guard states[viewer]?.isDue == true, let subscribed = states[viewer]?.subscribed else { return false }
    var layers: [MeasuredLayers] = []
    for source in subscribed { layers.append(measured(source, viewer, meter, at: now)) }
    states[viewer]?.isDue = false
    states[viewer]?.hasLooked = true
    states[viewer]?.checkedAt = now
    handle(.look(layers, queued: queued), viewer, at: now)
    return true
  }

  /// Passes a source's layers on, which have changed or were measured.
  package mutating func follow(
    _ source: Int, _ viewer: Int, _ meter: borrowing LayerMeter, at now: SimTime
  ) {
    handle(.layers(measured(source, viewer, meter, at: now), source: source), viewer, at: now)
  }

  /// Returns the rate that a viewer's server would count for a layer of a source now; `nil` where it has not measured it.
  package func rate(
    of layer: LayerID, _ source: Int, _ viewer: Int, _ meter: borrowing LayerMeter, at now: SimTime
  ) -> BitRate? {
    guard states[viewer] != nil, meter.isOn else { return nil }
    let rate = measured(source, viewer, meter, at: now)[layer]
    return rate > .zero ? rate : nil
  }

  /// Returns the layers of a source as a viewer's server measures and counts them. For a client with a cap an encoding that
  /// it does not receive yet takes a key frame more, and one that it has begun to receive has had it [our model].
  private func measured(
    _ source: Int, _ viewer: Int, _ meter: borrowing LayerMeter, at now: SimTime
  ) -> MeasuredLayers {
    guard meter.isOn, let forwarded = states[viewer]?.forwarded, !forwarded.isEmpty else {
      return counted(meter.layers(of: source, at: now), of: source)
    }
    var layers = meter.layers(of: source, at: now, isCapped: true)
    let received = decision(on: source, viewer)?.layer == nil ? nil : forwarded[source]
    for encoding in layers.rates.indices {
      if let received, received.encoding == encoding, now - received.since >= LayerMeter.capTime { continue }
      let keyFrame = meter.keyFrameRate(of: source, encoding)
      for temporal in layers.rates[encoding].indices where layers.rates[encoding][temporal] > .zero {
        layers.rates[encoding][temporal] += keyFrame
      }
    }
    return counted(layers, of: source)
  }

  /// Returns the layers of a source as a server counts them.
  private func counted(_ layers: MeasuredLayers, of source: Int) -> MeasuredLayers {
    guard following[source] else { return layers }
    var layers = layers
    for encoding in layers.rates.indices {
      layers.rates[encoding] = layers.rates[encoding].map { min($0, FollowedReceivers.least) }
    }
    return layers
  }

  package mutating func noteForwarded(
    _ layer: CompactLayer, of source: Int, _ viewer: Int, at now: SimTime
  ) {
    let id =
      layer.encoding < 0
      ? nil : LayerID(encoding: Int(layer.encoding), temporal: max(0, Int(layer.temporal)))
    if states[viewer]?.forwarded.isEmpty == false {
      states[viewer]?.forwarded[source] = id.map { ($0.encoding, now) }
    }
    handle(.forwarded(id, source: source), viewer, at: now)
  }

  /// Passes an estimate on, with the video sent since the last one.
  package mutating func receive(_ estimate: BitRate, _ sent: SentVideo, _ viewer: Int, at now: SimTime) {
    guard let before = states[viewer]?.reported else { return }
    states[viewer]?.reported = sent
    let report = DownlinkReport.estimate(
      estimate, packets: sent.packets - before.packets,
      repeatedNACKs: sent.repeatedNACKs - before.repeatedNACKs)
    handle(.report(report), viewer, at: now)
  }

  /// Passes the state of a sender's own detector on if it has changed, or, while it is congested, if the capacity has.
  package mutating func receive(
    _ congestion: PathCongestion, capacity: BitRate, _ viewer: Int, at now: SimTime
  ) {
    guard let before = states[viewer]?.congestion,
      congestion != before.state || congestion == .congested && capacity != before.capacity
    else { return }
    states[viewer]?.congestion = (congestion, capacity)
    handle(.report(.congestion(congestion, capacity: capacity)), viewer, at: now)
  }

  /// Wakes a server whose event is due.
  ///
  /// - Returns: bytes to send as a probe.
  package mutating func wake(
    _ viewer: Int, _ sent: SentVideo, roundTrip: SimDuration?, _ sender: SenderState?, at now: SimTime
  ) -> Int {
    states[viewer]?.dueAt = nil
    return handle(.timer(sentBytes: sent.bytes, roundTrip: roundTrip, sender), viewer, at: now).probe
  }

  package mutating func noteProbe(bytes: Int, _ viewer: Int, at now: SimTime) {
    handle(.probed(bytes: bytes), viewer, at: now)
  }

  // MARK: Actions

  /// Checks whether a server's event is due now, and not superseded.
  package func isDue(_ viewer: Int, at now: SimTime) -> Bool { states[viewer]?.dueAt == now }

  /// Returns the time at which a server is to be woken, if there is no event for it yet.
  package mutating func takeWake(_ viewer: Int) -> SimTime? {
    guard let due = states[viewer]?.wakesAt, states[viewer]?.dueAt.map({ due < $0 }) ?? true else {
      return nil
    }
    states[viewer]?.dueAt = due
    return due
  }

  package mutating func takeChange(_ viewer: Int) -> Bool {
    defer { states[viewer]?.hasChanged = false }
    return states[viewer]?.hasChanged ?? false
  }

  /// Returns the commands to the sender's estimator; a detector that is reset says so by no report.
  package mutating func takeCommands(_ viewer: Int) -> [SenderCommand] {
    guard let commands = states[viewer]?.commands, !commands.isEmpty else { return [] }
    if commands.contains(.reset) { states[viewer]?.congestion.state = .none }
    states[viewer]?.commands = []
    return commands
  }

  package mutating func takeEvents(_ viewer: Int) -> [SystemEvent] {
    defer { states[viewer]?.events = [] }
    return states[viewer]?.events ?? []
  }

  // MARK: Results

  /// Checks whether a viewer's server decides on all subscriptions at once.
  package func decidesAtOnce(_ viewer: Int) -> Bool { states[viewer]?.hasLooked ?? false }

  /// Returns the capacity that a viewer's server has settled on.
  package func cap(_ viewer: Int) -> BitRate? { states[viewer]?.server.cap }

  package func lastState(_ viewer: Int) -> AllocationState? { states[viewer]?.server.lastState }

  /// Returns the sources with a subscription, in the server's order of service.
  func servedOrder(_ viewer: Int) -> [Int] { states[viewer]?.server.servedOrder ?? [] }

  package func decision(on source: Int, _ viewer: Int) -> SourceDecision? {
    states[viewer]?.server.decision(on: source)
  }

  /// Returns the allocation of a subscription by a server's decision.
  func grant(for wish: Subscription, _ viewer: Int) -> Grant {
    states[viewer]?.server.grant(for: wish) ?? Grant.unhindered(wish, nil)
  }
}

extension SenderCommand {
  /// Copy whose bound on an estimate is within what the viewer's client accepts, probes included (mediasoup's
  /// `setMaxOutgoingBitrate`).
  fileprivate func within(_ cap: RateLimit) -> SenderCommand {
    guard case .bound(let minimum, let maximum) = self else { return self }
    return .bound(minimum: minimum, maximum: min(maximum, cap))
  }
}
