import Endpoint
import Media
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
  var parts: MeetingParts
  var crossTraffic: CrossTrafficFlows
  var recording: Recording

  /// Time between two passes over the estimates.
  private static let estimatePeriod = SimDuration.milliseconds(200)

  /// Builds a meeting from its plan; nobody has joined yet.
  init(plan: MeetingPlan, seed: UInt64, repetition: Int, interval: SimDuration, runID: String) {
    let seed = RunSeed(seed: seed, repetition: repetition)
    parts = MeetingParts(plan, seed: seed)
    crossTraffic = CrossTrafficFlows(parts.plan.crossTraffic, seed: seed)
    recording = Recording(plan, streams: parts.streams, interval: interval, runID: runID)
  }

  /// Schedules everything that begins by itself.
  mutating func begin(kernel: inout Kernel) {
    MeetingEvent.checkRoom(
      for: max(
        2 * parts.plan.participants.count, parts.streams.sourceCount, parts.streams.encodings.count,
        parts.plan.timeline.count,
        parts.plan.crossTraffic.count, parts.plan.links.count))
    // A participant who joins at the moment of an entry is present when it happens.
    for (index, participant) in parts.plan.participants.enumerated() {
      kernel.schedule(at: participant.joinsAt, tag: MeetingEvent(.join, index).tag)
    }
    for (index, entry) in parts.plan.timeline.enumerated() {
      kernel.schedule(at: entry.at, tag: MeetingEvent(.timeline, index).tag)
    }
    crossTraffic.begin(until: SimTime.zero + parts.plan.duration, kernel: &kernel)
    kernel.schedule(at: .zero, tag: MeetingEvent(.estimate).tag)
    kernel.schedule(after: RepairTiming.period, tag: MeetingEvent(.repair).tag)
    if parts.net.endpoints.hasReports { parts.net.endpoints.scheduleControl(kernel: &kernel) }
    for viewer in parts.people.indices where parts.viewers.states[viewer].traits.followsDownlink {
      parts.sfu.watch(viewer, &parts.net)
    }
    if parts.plan.audioForwarding == .mixed {
      kernel.schedule(at: .zero, tag: MeetingEvent(.mix).tag)
    }
  }

  mutating func handle(_ event: Event, kernel: inout Kernel) {
    guard event.tag >= 1 << MeetingEvent.indexBits else {
      return arrive(at: UInt16(truncatingIfNeeded: event.tag), kernel: &kernel)
    }
    guard let event = MeetingEvent(tag: event.tag) else { return }
    dispatch(event, kernel: &kernel)
    settle(kernel: &kernel)
  }

  private mutating func dispatch(_ event: MeetingEvent, kernel: inout Kernel) {
    let number = event.index
    switch event.kind {
    case .linkArrival: break
    case .capture:
      parts.publishers.capture(
        source: number, endpoints: &parts.net.endpoints, links: &parts.net.links, kernel: &kernel)
    case .voice:
      parts.people.speak(
        number, endpoints: &parts.net.endpoints, links: &parts.net.links, kernel: &kernel)
    case .talkSpurt: turnTalkSpurt(of: number, kernel: &kernel)
    case .speechEnd: announcePresence(of: number, kernel: &kernel)
    case .mix:
      parts.sfu.voices.mix(
        parts.people.speakers(at: kernel.now), endpoints: &parts.net.endpoints,
        links: &parts.net.links, kernel: &kernel)
    case .timeline: perform(parts.plan.timeline[number], kernel: &kernel)
    case .estimate:
      kernel.schedule(after: Self.estimatePeriod, tag: MeetingEvent(.estimate).tag)
      followEstimates(kernel: &kernel)
      settle(kernel: &kernel)
      if kernel.now.sinceStart.nanoseconds % 1_000_000_000 == 0 {
        recording.endSecond(at: kernel.now)
      }
    case .request:
      guard isOfPresentStay(event) else { return }
      parts.viewers.requestDue(
        viewer: event.participant, parts.publishers.sizes, &parts.net, kernel: &kernel)
    case .reallocate:
      parts.sfu.reallocateDue(viewer: number, &parts.net, kernel: &kernel)
    case .signal:
      guard let message = parts.net.signalling.receive(on: number, parts.net.links) else { return }
      receive(message, on: number, kernel: &kernel)
    case .keyFrameCheck:
      parts.sfu.forwarder.checkKeyFrame(
        of: number, endpoints: &parts.net.endpoints, links: &parts.net.links, kernel: &kernel)
    case .join: join(number, kernel: &kernel)
    case .pace:
      let hasPadded = parts.net.endpoints.pace(number, links: &parts.net.links, kernel: &kernel)
      if hasPadded, Path.isUp(number) {
        parts.publishers.notePadding(by: Path.participant(of: number))
      }
      parts.noteDepartures(on: number, at: kernel.now)
    case .feedback:
      parts.net.endpoints.sendFeedback(on: number, links: &parts.net.links, kernel: &kernel)
    case .senderReport:
      parts.net.endpoints.sendSenderReport(
        on: number, streams: streamCount(on: number), links: &parts.net.links, kernel: &kernel)
    case .receiverReport:
      parts.net.endpoints.sendReceiverReport(
        on: number, streams: streamCount(on: number), links: &parts.net.links, kernel: &kernel)
    case .control: control(kernel: &kernel)
    case .repair:
      kernel.schedule(after: RepairTiming.period, tag: MeetingEvent(.repair).tag)
      parts.sfu.forwarder.repair(
        endpoints: &parts.net.endpoints, links: &parts.net.links, kernel: &kernel)
      parts.viewers.repair(
        endpoints: &parts.net.endpoints, links: &parts.net.links, kernel: &kernel)
    case .wakeClient:
      guard isOfPresentStay(event) else { return }
      parts.viewers.wakeClient(
        of: event.participant, parts.publishers.sizes, &parts.net, kernel: &kernel)
    case .crossSwitch:
      crossTraffic.toggle(number, recording: &recording, links: &parts.net.links, kernel: &kernel)
    case .crossTimer: crossTraffic.timerFired(number, links: &parts.net.links, kernel: &kernel)
    case .crossAcknowledgement:
      crossTraffic.receiveAnswer(number, links: &parts.net.links, kernel: &kernel)
    case .crossDelayedAnswer: crossTraffic.sendDelayedAnswer(number, kernel: &kernel)
    case .signalTimer:
      parts.net.signalling.timerFired(on: number, &parts.net.links, kernel: &kernel)
    case .negotiation:
      guard isOfPresentStay(event) else { return }
      parts.viewers.negotiationDue(of: event.participant, &parts.net, kernel: &kernel)
    case .serverWake:
      parts.sfu.wakeServer(of: number, &parts.net, kernel: &kernel)
    case .layerCheck:
      parts.sfu.checkLayer(of: number, &parts.net, kernel: &kernel)
    case .push: PushingApp(number, parts.streams).pushNext(&parts, &recording, kernel: &kernel)
    case .sourceChange:
      PushingApp(number, parts.streams).completeChange(&parts, &recording, kernel: &kernel)
    case .encodingPause: parts.sfu.tellDemand(for: number, &parts.net, kernel: &kernel)
    case .screenLook:
      parts.viewers.followScroll(of: number, parts.publishers.sizes, &parts.net, kernel: &kernel)
    }
  }

  /// Checks whether a timer was set in its participant's present stay, or after the last one.
  private func isOfPresentStay(_ event: MeetingEvent) -> Bool {
    event.isOf(connection: parts.net.links.connection(of: event.participant))
  }

  /// Returns the number of video streams that a path carries now.
  private func streamCount(on path: Int) -> Int {
    let participant = Path.participant(of: path)
    return Path.isUp(path)
      ? parts.publishers.streamCount(of: participant)
      : parts.sfu.forwarder.streamCount(to: participant)
  }
}
