package import Allocation
package import CongestionControl
package import Ladder
package import Plan
package import Quantity
package import Systems

/// Stateful servers that decide for one viewer each, in systems that have them: their inputs, and actions not yet
/// taken.
package struct ViewerServers {
  /// A viewer's server.
  private struct State {
    var server: any ViewerServer
    /// Subscribed sources, in order.
    var subscribed: [Int] = []
    /// Set while it waits to look at all layers together.
    var isDue = false
    /// Set once it has looked at all layers and decides on all subscriptions together.
    var hasLooked = false
    /// Time at which its allocation was last checked against the client's cap, or made.
    var checkedAt = SimTime.zero
    /// Encoding that forwarding of each source last began with, and when; empty for a client without a cap.
    var forwarded: [(encoding: Int, since: SimTime)?] = []
    var hasChanged = false
    var commands: [SenderCommand] = []
    var events: [SystemEvent] = []
    /// Time at which it has asked to be woken.
    var wakesAt: SimTime?
    /// Time at which its pending event is due.
    var dueAt: SimTime?
    /// Video sent to the viewer up to the last estimate.
    var reported: SentVideo
    /// Last reported state and capacity of the sender's own detector.
    var congestion: (state: PathCongestion, capacity: BitRate) = (.none, .zero)
  }

  private let system: any System
  /// Flags of sources whose senders follow their receivers: a server counts these at the lowest rate.
  private let following: [Bool]
  /// Maximum video rates that the clients accept, by viewer.
  private let caps: [RateLimit]
  private var speech: SpeechRanks
  /// States by viewer; `nil` outside the meeting.
  private var states: [State?]

  package init(_ plan: MeetingPlan, caps: [RateLimit]) {
    system = plan.system
    let sources = StreamNumbering(plan).sources
    following = sources.map(\.followsReceivers)
    speech = SpeechRanks(publishers: sources.map(\.participant), earlier: plan.speechOrder)
    self.caps = caps
    states = plan.participants.map { _ in nil }
  }

  /// Starts a viewer's server for a new connection.
  ///
  /// - Parameter sent: video sent to the viewer so far.
  package mutating func open(_ viewer: Int, _ sent: SentVideo, at now: SimTime) {
    states[viewer] = system.server(at: now).map { State(server: $0, reported: sent) }
    let count = caps[viewer].rate == nil ? 0 : following.count
    states[viewer]?.forwarded = Array(repeating: nil, count: count)
    guard states[viewer]?.server.hearsSpeakers == true else { return }
    handle(.speech(ranks: speech.ranks), viewer, at: now)
  }

  package mutating func close(_ viewer: Int) { states[viewer] = nil }

  /// Checks whether a viewer has a server: it has none outside the meeting or in a system without servers.
  package func serves(_ viewer: Int) -> Bool { states[viewer] != nil }

  // MARK: Inputs

  /// Passes an input on, and collects the server's actions.
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

  /// Passes a viewer's current subscriptions on, and ends its former ones.
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
      handle(.subscribe(wish, measured(wish.source, viewer, meter, at: now)), viewer, at: now)
    }
    states[viewer]?.subscribed = Set(wishes.map(\.source)).sorted()
    return decideIfDue(viewer, meter, queued: queued, at: now)
  }

  /// Passes on a client's settings for a source's track.
  ///
  /// - Returns: the time at which they take effect; `nil` if they change nothing.
  package mutating func receive(_ settings: TrackSettings, of source: Int, _ viewer: Int, at now: SimTime)
    -> SimTime?
  {
    handle(.settings(settings, source: source), viewer, at: now).appliesAt
  }

  /// Completes a viewer's subscriptions with the settings in effect.
  package mutating func complete(_ wishes: inout [Subscription], of viewer: Int, at now: SimTime) {
    states[viewer]?.server.complete(&wishes, at: now)
  }

  /// Minimum time between an allocation and the next one required only by the client's cap.
  private static let capSpacing = SimDuration.milliseconds(250)
  /// Factor of the cap up to which encoder variation causes no new allocation.
  private static let capTolerance = 1.1

  /// Checks whether the granted rate has grown well above what the client accepts. A server goes by measured rates,
  /// which a new encoder keeps raising; it decides again immediately where its own schedule would wait [our model].
  private mutating func exceedsCap(_ viewer: Int, _ meter: borrowing LayerMeter, at now: SimTime) -> Bool {
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

  /// Has a viewer's server decide if it is waiting to, with the layers that are arriving.
  ///
  /// - Returns: `true` if it has decided.
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

  /// Passes on the order of speech to the servers that hear the speakers.
  ///
  /// - Returns: the viewers whose servers have heard something new.
  package mutating func hear(_ members: [Roster.Member], at now: SimTime) -> [Int] {
    let listeners = states.indices.filter { states[$0]?.server.hearsSpeakers == true }
    guard !listeners.isEmpty, speech.follow(members) else { return [] }
    for viewer in listeners { handle(.speech(ranks: speech.ranks), viewer, at: now) }
    return listeners
  }

  /// Passes on a source's layers, which have changed or been measured.
  package mutating func follow(_ source: Int, _ viewer: Int, _ meter: borrowing LayerMeter, at now: SimTime) {
    handle(.layers(measured(source, viewer, meter, at: now), source: source), viewer, at: now)
  }

  /// Returns the rate at which a viewer's server would count a layer of a source now; `nil` if it has not measured it.
  package func rate(
    of layer: LayerID, _ source: Int, _ viewer: Int, _ meter: borrowing LayerMeter, at now: SimTime
  ) -> BitRate? {
    guard states[viewer] != nil, meter.isOn else { return nil }
    let rate = measured(source, viewer, meter, at: now)[layer]
    return rate > .zero ? rate : nil
  }

  /// Returns a source's layers as a viewer's server measures and counts them. For a client with a cap, an encoding
  /// counts with the rate of a key frame until the client has received it for a while [our model].
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

  /// Returns a source's layers as a server counts them, with the rate that it measures of a source that counts at less.
  private func counted(_ layers: MeasuredLayers, of source: Int) -> MeasuredLayers {
    guard following[source] else { return layers }
    var layers = layers
    layers.followingRate = layers.rates.joined().max()
    for encoding in layers.rates.indices {
      layers.rates[encoding] = layers.rates[encoding].map { min($0, FollowedReceivers.least) }
    }
    return layers
  }

  package mutating func noteForwarded(_ layer: CompactLayer, of source: Int, _ viewer: Int, at now: SimTime) {
    let id =
      layer.encoding < 0
      ? nil : LayerID(encoding: Int(layer.encoding), temporal: max(0, Int(layer.temporal)))
    if states[viewer]?.forwarded.isEmpty == false {
      states[viewer]?.forwarded[source] = id.map { ($0.encoding, now) }
    }
    handle(.forwarded(id, source: source), viewer, at: now)
  }

  /// Passes on an estimate, with the video sent since the last one.
  package mutating func receive(_ estimate: BitRate, _ sent: SentVideo, _ viewer: Int, at now: SimTime) {
    guard let before = states[viewer]?.reported else { return }
    states[viewer]?.reported = sent
    let report = DownlinkReport.estimate(
      estimate, packets: sent.packets - before.packets,
      repeatedNACKs: sent.repeatedNACKs - before.repeatedNACKs)
    handle(.report(report), viewer, at: now)
  }

  /// Passes on the state of a sender's own detector if it has changed, or, while congested, if the capacity has.
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

  /// Checks whether a server's event is due now and has not been superseded.
  package func isDue(_ viewer: Int, at now: SimTime) -> Bool { states[viewer]?.dueAt == now }

  /// Returns the time at which to wake a server, unless an event for it is already scheduled.
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

  /// Returns the commands to the sender's estimator; resetting a detector resets the noted state too, since no report
  /// tells.
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

  /// Checks whether a viewer's server decides on all subscriptions together.
  package func decidesAtOnce(_ viewer: Int) -> Bool { states[viewer]?.hasLooked ?? false }

  /// Returns the capacity that a viewer's server has settled on.
  package func cap(_ viewer: Int) -> BitRate? { states[viewer]?.server.cap }

  package func lastState(_ viewer: Int) -> AllocationState? { states[viewer]?.server.lastState }

  package func decision(on source: Int, _ viewer: Int) -> SourceDecision? {
    states[viewer]?.server.decision(on: source)
  }

  /// Returns the grants of a viewer's subscriptions by its server's decisions, and the rules that decided, in their
  /// order.
  func grants(of wishes: [Subscription], _ viewer: Int) -> (grants: [Grant], rules: [String]) {
    let order = states[viewer]?.server.servedOrder ?? []
    let decisions = wishes.map { decision(on: $0.source, viewer) }
    let grants = zip(wishes, decisions).map { wish, decision in
      var grant = states[viewer]?.server.grant(for: wish) ?? .unhindered(wish, nil)
      grant.rank = (order.firstIndex(of: wish.source) ?? order.count) + 1
      grant.taken = decision?.bitrate ?? .zero
      return grant
    }
    return (grants, decisions.map { $0?.rule ?? "" })
  }
}
