import Endpoint
import Plan
import Publishing
import Quantity
import Serving
import SimulationKernel
import Systems
import Viewing

/// A running meeting: its parts, and the dispatch of events to them.
///
/// Each part owns its state; the extensions of this type carry effects from one part to the next.
struct MeetingSimulation: ~Copyable, EventModel {
  let plan: MeetingPlan
  /// Value of ``SystemTraits/keepsStarvedStreams``, which is wanted for every tile.
  let keepsStarvedStreams: Bool
  let streams: StreamNumbering
  var people: People
  var publishers: Publishers
  var endpoints: Endpoints
  var links: PathLinks
  var signalling: Signalling
  var sfu: SFU
  var viewers: Viewers
  var listeners: Listeners
  var crossTraffic: CrossTrafficFlows
  var recording: Recording

  /// Time between two passes over the estimates.
  private static let estimatePeriod = SimDuration.milliseconds(200)

  /// Builds a meeting from its plan; nobody has joined yet.
  init(plan: MeetingPlan, seed: UInt64, repetition: Int, interval: SimDuration, runID: String) {
    let seed = RunSeed(seed: seed, repetition: repetition)
    let streams = StreamNumbering(plan)
    let count = plan.participants.count
    self.plan = plan
    keepsStarvedStreams = plan.system.traits.keepsStarvedStreams
    self.streams = streams
    people = People(plan, seed: seed)
    let publishers = Publishers(plan, streams: streams, seed: seed)
    let directory = Directory(members: plan.listings(streams), sources: publishers.announcements)
    self.publishers = publishers
    endpoints = Endpoints(plan, seed: seed)
    links = PathLinks(plan, seed: seed)
    signalling = Signalling(
      paths: 2 * count, sharesLinks: plan.system.traits.negotiation != nil, directory)
    sfu = SFU(plan, streams: streams, directory: directory)
    viewers = Viewers(plan, streams: streams, directory: directory, seed: seed)
    listeners = Listeners(participants: count, hearsMixes: plan.audioForwarding == .mixed)
    crossTraffic = CrossTrafficFlows(plan.crossTraffic, seed: seed)
    recording = Recording(plan, streams: streams, interval: interval, runID: runID)
  }

  /// Schedules everything that begins by itself.
  mutating func begin(kernel: inout Kernel) {
    MeetingEvent.checkRoom(
      for: max(
        2 * plan.participants.count, streams.sourceCount, streams.encodings.count, plan.timeline.count,
        plan.crossTraffic.count, plan.links.count))
    // A participant who joins at the moment of an entry is present when it happens.
    for (index, participant) in plan.participants.enumerated() {
      kernel.schedule(at: participant.joinsAt, tag: MeetingEvent(.join, index).tag)
    }
    for (index, entry) in plan.timeline.enumerated() {
      kernel.schedule(at: entry.at, tag: MeetingEvent(.timeline, index).tag)
    }
    crossTraffic.begin(until: SimTime.zero + plan.duration, kernel: &kernel)
    kernel.schedule(at: .zero, tag: MeetingEvent(.estimate).tag)
    kernel.schedule(after: RepairTiming.period, tag: MeetingEvent(.repair).tag)
    if endpoints.hasReports { endpoints.scheduleControl(kernel: &kernel) }
    watchDownlinks()
    if plan.audioForwarding == .mixed { kernel.schedule(at: .zero, tag: MeetingEvent(.mix).tag) }
  }

  mutating func handle(_ event: Event, kernel: inout Kernel) {
    if event.tag < 1 << MeetingEvent.indexBits {
      arrive(at: UInt16(truncatingIfNeeded: event.tag), kernel: &kernel)
      return
    }
    guard let event = MeetingEvent(tag: event.tag) else { return }
    let number = event.index
    switch event.kind {
    case .linkArrival: break
    case .capture:
      publishers.capture(source: number, endpoints: &endpoints, links: &links, kernel: &kernel)
    case .voice: people.speak(number, endpoints: &endpoints, links: &links, kernel: &kernel)
    case .talkSpurt: turnTalkSpurt(of: number, kernel: &kernel)
    case .speechEnd: announcePresence(of: number, kernel: &kernel)
    case .mix:
      sfu.voices.mix(
        people.speakers(at: kernel.now), endpoints: &endpoints, links: &links, kernel: &kernel)
    case .timeline: perform(plan.timeline[number], kernel: &kernel)
    case .estimate:
      kernel.schedule(after: Self.estimatePeriod, tag: MeetingEvent(.estimate).tag)
      followEstimates(kernel: &kernel)
      if kernel.now.sinceStart.nanoseconds % 1_000_000_000 == 0 { recording.endSecond(at: kernel.now) }
    case .request:
      guard isOfPresentStay(event) else { return }
      requestDue(viewer: event.participant, kernel: &kernel)
    case .reallocate: reallocateDue(viewer: number, kernel: &kernel)
    case .signal: receiveSignal(on: number, kernel: &kernel)
    case .keyFrameCheck:
      sfu.forwarder.checkKeyFrame(of: number, endpoints: &endpoints, links: &links, kernel: &kernel)
    case .join: join(number, kernel: &kernel)
    case .pace:
      let hasPadded = endpoints.pace(number, links: &links, kernel: &kernel)
      if hasPadded, Path.isUp(number) { publishers.notePadding(by: Path.participant(of: number)) }
      noteDepartures(on: number, at: kernel.now)
    case .feedback: endpoints.sendFeedback(on: number, links: &links, kernel: &kernel)
    case .senderReport:
      endpoints.sendSenderReport(
        on: number, streams: streamCount(on: number), links: &links, kernel: &kernel)
    case .receiverReport:
      endpoints.sendReceiverReport(
        on: number, streams: streamCount(on: number), links: &links, kernel: &kernel)
    case .control: control(kernel: &kernel)
    case .repair:
      kernel.schedule(after: RepairTiming.period, tag: MeetingEvent(.repair).tag)
      sfu.forwarder.repair(endpoints: &endpoints, links: &links, kernel: &kernel)
      viewers.repair(endpoints: &endpoints, links: &links, kernel: &kernel)
    case .wakeClient:
      guard isOfPresentStay(event) else { return }
      wakeClient(of: event.participant, kernel: &kernel)
    case .crossSwitch: crossTraffic.toggle(number, recording: &recording, links: &links, kernel: &kernel)
    case .crossTimer: crossTraffic.timerFired(number, links: &links, kernel: &kernel)
    case .crossAcknowledgement: crossTraffic.receiveAnswer(number, links: &links, kernel: &kernel)
    case .crossDelayedAnswer: crossTraffic.sendDelayedAnswer(number, kernel: &kernel)
    case .signalTimer: signalling.timerFired(on: number, &links, kernel: &kernel)
    case .negotiation:
      guard isOfPresentStay(event) else { return }
      negotiationDue(of: event.participant, kernel: &kernel)
    case .serverWake: wakeServer(of: number, kernel: &kernel)
    case .layerCheck: checkLayer(of: number, kernel: &kernel)
    case .push: pushNext(of: number, kernel: &kernel)
    case .sourceChange: completeSourceChange(of: number, kernel: &kernel)
    case .encodingPause: tellDemand(for: number, kernel: &kernel)
    case .screenLook: followScroll(of: number, kernel: &kernel)
    }
  }

  /// Checks whether a timer was set in its participant's present stay, or after the last one.
  private func isOfPresentStay(_ event: MeetingEvent) -> Bool {
    event.isOf(connection: links.connection(of: event.participant))
  }

  /// Returns the number of video streams that a path carries now.
  private func streamCount(on path: Int) -> Int {
    let participant = Path.participant(of: path)
    return Path.isUp(path)
      ? publishers.streamCount(of: participant) : sfu.forwarder.streamCount(to: participant)
  }
}
