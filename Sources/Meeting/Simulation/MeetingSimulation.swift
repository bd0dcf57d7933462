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
  var parts: MeetingParts
  var crossTraffic: CrossTrafficFlows
  var recording: Recording

  /// Time between two passes over the estimates.
  private static let estimatePeriod = SimDuration.milliseconds(200)

  /// Builds a meeting from its plan; nobody has joined yet.
  init(plan: MeetingPlan, seed: UInt64, repetition: Int, interval: SimDuration, runID: String) {
    let seed = RunSeed(seed: seed, repetition: repetition)
    let plan = plan.drawingTimes(seed)
    parts = MeetingParts(plan, seed: seed)
    crossTraffic = CrossTrafficFlows(parts.plan.crossTraffic, seed: seed)
    recording = Recording(plan, streams: parts.streams, interval: interval, runID: runID)
  }

  /// Schedules everything that begins on its own.
  mutating func begin(kernel: inout Kernel) {
    MeetingEvent.checkRoom(
      for: max(
        2 * parts.plan.connectionCount, parts.streams.sourceCount, parts.streams.encodings.count,
        parts.plan.timeline.count, parts.plan.crossTraffic.count, parts.plan.links.count))
    // A participant that joins at the time of an entry is present when the entry is performed.
    for (index, participant) in parts.plan.participants.enumerated() {
      kernel.schedule(at: participant.joinsAt, tag: MeetingEvent(.join, index).tag)
    }
    for (index, entry) in parts.plan.timeline.enumerated() {
      kernel.schedule(at: entry.at, tag: MeetingEvent(.timeline, index).tag)
    }
    crossTraffic.begin(until: SimTime.zero + parts.plan.duration, kernel: &kernel)
    kernel.schedule(at: .zero, tag: MeetingEvent(.estimate).tag)
    kernel.schedule(after: RepairTiming.period, tag: MeetingEvent(.repair).tag)
    if parts.net.endpoints.rules.hasReports { parts.net.endpoints.scheduleControl(kernel: &kernel) }
    for viewer in parts.people.indices where parts.viewers.states[viewer].traits.followsDownlink {
      parts.sfu.watch(viewer, &parts.net)
    }
    if parts.plan.audioForwarding == .mixed { kernel.schedule(at: .zero, tag: MeetingEvent(.mix).tag) }
  }

  /// Writes the rows of an interval that ends now.
  mutating func endInterval(from start: SimTime, at now: SimTime) {
    IntervalRows(start: start, now: now).write(&parts, &recording)
  }

  /// Ends the apps' pushes, and summarizes the run.
  mutating func end() {
    for source in parts.streams.sources.indices {
      PushingApp(source, parts.streams).endRun(&parts, &recording)
    }
    recording.summarize(parts)
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
    case .join: join(number, kernel: &kernel)
    case .talkSpurt: turnTalkSpurt(of: number, kernel: &kernel)
    case .speechEnd: announcePresence(of: number, kernel: &kernel)
    case .timeline: perform(parts.plan.timeline[number], kernel: &kernel)
    case .push: PushingApp(number, parts.streams).pushNext(&parts, &recording, kernel: &kernel)
    case .sourceChange: PushingApp(number, parts.streams).completeChange(&parts, &recording, kernel: &kernel)
    case .signal:
      guard let message = parts.net.signalling.receive(on: number, parts.net.links) else { return }
      receive(message, on: number, kernel: &kernel)
    case .estimate:
      kernel.schedule(after: Self.estimatePeriod, tag: MeetingEvent(.estimate).tag)
      followEstimates(kernel: &kernel)
      settle(kernel: &kernel)
      if kernel.now.sinceStart.nanoseconds % 1_000_000_000 == 0 { recording.endSecond(at: kernel.now) }
    case .control: parts.control(kernel: &kernel)
    case .connectionTimer where number == MeetingEvent.peerConnection: peersDue(kernel: &kernel)
    case .crossSwitch:
      crossTraffic.toggle(number, recording: &recording, links: &parts.net.links, kernel: &kernel)
    case .crossTimer: crossTraffic.timerFired(number, links: &parts.net.links, kernel: &kernel)
    case .crossAcknowledgement: crossTraffic.receiveAnswer(number, links: &parts.net.links, kernel: &kernel)
    case .crossDelayedAnswer: crossTraffic.sendDelayedAnswer(number, kernel: &kernel)
    default: parts.handle(event, kernel: &kernel)
    }
  }
}
