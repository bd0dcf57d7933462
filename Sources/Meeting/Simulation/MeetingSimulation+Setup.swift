import Allocation
import CongestionControl
import CrossTraffic
import Ladder
import Media
import Metrics
import Network
import Quantity
import SimulationKernel
import Statistics
import Systems
import Transport

extension MeetingSimulation {
  /// Builds a meeting from its plan; nobody has joined yet.
  init(plan: MeetingPlan, seed: UInt64, repetition: Int, interval: SimDuration, runID: String) {
    self.plan = plan
    self.seed = seed
    self.repetition = repetition
    self.interval = interval
    policy = plan.system.policy
    policyRule = String(describing: type(of: policy))
    let count = plan.participants.count
    participants = Array(repeating: ParticipantState(), count: count)
    controllers = RateControllers(plan.estimator, paths: 2 * count)
    usesFeedback = controllers.usesFeedback
    paths = Table()
    crossToggleAt = Array(repeating: .distantFuture, count: plan.crossTraffic.count)
    for flow in plan.crossTraffic {
      crossFlows.append(
        CrossFlowState(
          draws: RandomStream(seed: seed, repetition: repetition, name: "traffic/\(flow.name)")))
    }
    repairs = RepairState(encodings: [], sources: [], viewers: 0)
    cameraOf = Array(repeating: nil, count: count)
    screenOf = Array(repeating: nil, count: count)
    isForwardedVoice = Array(repeating: false, count: count)
    voices = VoiceState(participants: count)
    talkSpurts = plan.participants.map {
      TalkSpurtModel(
        durations: RandomStream(seed: seed, repetition: repetition, name: "voice/\($0.id)/talk-spurt"))
    }
    voiceDueAt = Array(repeating: nil, count: count)
    wishes = WishTable(tracks: 0)
    grants = []
    viewers = []
    isViewer = plan.participants.map { $0.view != nil }

    let horizon = SimTime.zero + plan.duration + .seconds(1)
    network = LinkTable(seed: seed, repetition: repetition, horizon: horizon)
    for link in plan.links { _ = network.add(link.parameters, name: link.name) }
    capacities = plan.links.map { CapacityMeter(profile: $0.parameters.capacity, horizon: horizon) }
    linkDelays = plan.links.map(\.parameters.propagationDelay)
    linkRoles = Self.roles(of: plan)
    sharers = Array(repeating: 0, count: plan.links.count)
    linkMarks = Array(repeating: LinkCounters(), count: plan.links.count)
    queueDelayMaxima = Array(repeating: 0, count: plan.links.count)
    firstLink = plan.participants.flatMap { participant in
      [participant.up, participant.down].map { $0.first.map(UInt16.init) ?? .max }
    }
    tracks = Table()
    receivers = Table()
    viewersOfEncoding = Table()
    tiles = TileSummaries(tileCount: 0, duration: plan.duration)
    recorder = ResultRecorder(runID: runID, participants: [], sources: [], links: [], interval: interval)

    for (index, participant) in plan.participants.enumerated() {
      participants[index].up = participant.up.map(UInt16.init)
      participants[index].down = participant.down.map(UInt16.init)
      if let camera = participant.camera {
        cameraOf[index] = sources.count
        addSource(camera, of: index)
      }
      if let screen = participant.screen {
        screenOf[index] = sources.count
        addSource(screen, of: index)
      }
    }
    for path in 0..<2 * count {
      let pacing = controllers.target(path).pacing
      let name = plan.participants[Path.participant(of: path)].id
      var parameters = PacerParameters()
      parameters.padsBeforeMedia = !Path.isUp(path)
      paths.append(
        PathState(
          pacer: Pacer(parameters: parameters, rate: usesFeedback ? pacing : .zero),
          reportTimes: RandomStream(
            seed: seed, repetition: repetition, name: "rtcp/\(name)/\(Path.isUp(path) ? "up" : "down")")))
    }
    repairs = RepairState(encodings: encodings, sources: sources, viewers: count)
    tracks = Table(repeating: Track(), count: count * sources.count)
    receivers = Table(repeating: VideoReceiver(), count: count * sources.count)
    wishes = WishTable(tracks: count * sources.count)
    grants = Array(repeating: nil, count: count * sources.count)
    viewersOfEncoding = Table(repeating: 0, count: count * encodings.count)
    tiles = TileSummaries(tileCount: count * sources.count, duration: plan.duration)
    viewers = plan.participants.indices.map { participant in
      client(of: participant).map { ViewerState(client: $0) }
    }
    recorder = ResultRecorder(
      runID: runID, participants: plan.participants.map(\.id),
      sources: sources.map { plan.participants[$0.participant].id + ($0.isScreen ? "/screen" : "") },
      links: plan.links.map(\.name), interval: interval)
    refreshSignallingDelays()
  }

  /// Adds up the delays of everybody's paths.
  mutating func refreshSignallingDelays() {
    func delay(of path: [UInt16]) -> SimDuration { path.reduce(.zero) { $0 + linkDelays[Int($1)] } }
    for number in participants.indices {
      participants[number].upDelay = delay(of: participants[number].up)
      participants[number].downDelay = delay(of: participants[number].down)
    }
  }

  private static func roles(of plan: MeetingPlan) -> [LinkRole] {
    var roles = [LinkRole?](repeating: nil, count: plan.links.count)
    for participant in plan.participants {
      for (place, link) in participant.up.enumerated() {
        let role =
          place + 1 < participant.up.count ? LinkRole.onward(UInt16(participant.up[place + 1])) : .toSFU
        roles[link] = roles[link] == nil || roles[link] == role ? role : .alongWayUp
      }
      for (place, link) in participant.down.enumerated() {
        let role = place + 1 < participant.down.count ? LinkRole.alongWayDown : .toParticipant
        roles[link] = roles[link] == nil || roles[link] == role ? role : .alongWayDown
      }
    }
    return roles.map { $0 ?? .toSFU }
  }

  private mutating func addSource(_ source: VideoSourcePlan, of participant: Int) {
    let number = sources.count
    let id = plan.participants[participant].id + "/" + source.kind.rawValue
    sources.append(
      SourceState(
        participant: participant, isScreen: source.kind == .screen, plan: source, kind: source.kind,
        period: SimDuration(nanoseconds: 1_000_000_000_000 / Int64(source.capture.milliFramesPerSecond)),
        firstEncoding: encodings.count, encodings: source.ladder.encodings.count,
        ladder: source.ladder.layers, offers: source.ladder.layers, publisher: plan.system.publisher(),
        content: RandomStream(seed: seed, repetition: repetition, name: "encoder/\(id)/frame-size")))
    sources[number].allocator = source.allocator
    refreshAlwaysSent(of: number)
    for (rung, encoding) in source.ladder.encodings.enumerated() {
      let divisor = source.capture.milliFramesPerSecond / max(1, encoding.format.milliFramesPerSecond)
      encodings.append(
        EncodingState(
          source: number, rung: rung,
          groupLength: UInt32(TemporalPattern(layers: encoding.temporalLayers).groupLength),
          fullRate: encoding.bitrate, milliFramesPerSecond: encoding.format.milliFramesPerSecond,
          plannedSize: encoding.format.resolution,
          model: source.model(of: encoding),
          captureDivisor: Int64(max(1, divisor)), format: formatNumber(encoding.format.resolution)))
    }
  }

  /// The number of a picture size, which packets carry.
  mutating func formatNumber(_ size: Resolution) -> UInt16 {
    if let known = formats.firstIndex(of: size) { return UInt16(known) }
    formats.append(size)
    return UInt16(formats.count - 1)
  }

  private func client(of participant: Int) -> (any Client)? {
    let own = plan.participants[participant]
    guard let view = own.view else { return nil }
    return plan.system.client(
      ClientSetup(
        plan: view, viewer: participant, ids: plan.participants.map(\.id),
        receives720p: own.capabilities.receives720p, allowsCustomLayout: own.capabilities.customLayout,
        isLeftOut: leftOut(for: participant), sourceCount: sources.count))
  }

  /// Whom a viewer does not get because there are more senders than the system gives one viewer.
  private func leftOut(for viewer: Int) -> [Bool] {
    var left = [Bool](repeating: false, count: participants.count)
    let remotes = plan.participants.indices.filter { $0 != viewer && cameraOf[$0] != nil }
    var order = RandomStream(
      seed: seed, repetition: repetition, name: "viewer/\(plan.participants[viewer].id)/user-limit")
    let received = plan.system.received(
      from: order.permutation(of: remotes.count).map { remotes[$0] },
      viewerSends: plan.participants[viewer].publishesVideo)
    guard let received else { return left }
    for remote in remotes where !received.contains(remote) { left[remote] = true }
    return left
  }

  /// Schedules what begins by itself.
  mutating func begin(kernel: inout Kernel) {
    // Who joins at the moment of an entry is there when it happens.
    for (index, participant) in plan.participants.enumerated() {
      kernel.schedule(at: participant.joinsAt, tag: MeetingEvent(.join, index).tag)
    }
    for (index, entry) in plan.timeline.enumerated() {
      kernel.schedule(at: entry.at, tag: MeetingEvent(.timeline, index).tag)
    }
    for (index, flow) in plan.crossTraffic.enumerated() {
      for period in flow.periods {
        kernel.schedule(at: period.lowerBound, tag: MeetingEvent(.crossSwitch, index).tag)
        if period.upperBound <= SimTime.zero + plan.duration {
          kernel.schedule(at: period.upperBound, tag: MeetingEvent(.crossSwitch, index).tag)
        }
      }
    }
    kernel.schedule(at: .zero, tag: MeetingEvent(.estimate).tag)
    kernel.schedule(after: Self.repairPeriod, tag: MeetingEvent(.repair).tag)
    if usesFeedback { kernel.schedule(after: Self.controlPeriod, tag: MeetingEvent(.control).tag) }
    if plan.audioForwarding == .mixed { kernel.schedule(at: .zero, tag: MeetingEvent(.mix).tag) }
  }
}
