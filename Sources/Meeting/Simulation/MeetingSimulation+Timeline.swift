import Endpoint
import Ladder
import Metrics
import Network
import Plan
import Publishing
import Quantity
import Serving
import SimulationKernel
import Systems
import Viewing

/// Actions of participants and events of the timeline.
extension MeetingSimulation {
  // MARK: Coming and going

  mutating func join(_ number: Int, kernel: inout Kernel) {
    guard !people.isJoined(number) else { return }
    let now = kernel.now
    people.join(number, at: now)
    publishers.join(number, at: now)
    links.join(number, stay: people.stay(of: number))
    viewers.join(number, connection: links.connection(of: number))
    listeners.join(number)
    if links.exists(Path.down(number)) { sfu.voices.addListener(number) }
    endpoints.open(number, at: now)
    signalling.open(number, at: now)
    sfu.allocator.open(number)
    sfu.servers.open(number, sfu.forwarder.sent[number], at: now)
    for source in streams.cameraFirst(of: number) { restart(source) }
    let up = Path.up(number)
    endpoints.observe(up, capacity: links.capacity(of: up, at: now), at: now)
    endpoints.beginReports(of: number, links, kernel: &kernel)
    announcePresence(of: number, kernel: &kernel)
    refreshSources(of: number, kernel: &kernel)
    if plan.participants[number].publishesAudio {
      people.scheduleVoice(of: number, after: .zero, kernel: &kernel)
      if plan.speech == .talkSpurts { people.scheduleTalkSpurt(of: number, kernel: &kernel) }
    }
    note(number, "join", "", "ok", now)
    notify(.joinedMeeting, number, kernel: &kernel)
    lookAtScreen(of: number, kernel: &kernel)
    beginPushing(number, kernel: &kernel)
  }

  /// Restarts a source for a new call: it has new encoders, its publisher receives the demand anew, and the SFU expects
  /// no packet of an old one.
  private mutating func restart(_ source: Int) {
    publishers.restart(source)
    sfu.forgetDemand(of: source)
    for encoding in streams.sources[source].encodings {
      sfu.forwarder.restart(encoding)
    }
  }

  private mutating func leave(_ number: Int, kernel: inout Kernel) {
    guard people.isJoined(number) else { return }
    if let camera = streams.cameraOf[number] { suspendPushing(of: camera, kernel: &kernel) }
    people.leave(number, kernel: &kernel)
    publishers.leave(number)
    viewers.leave(number, at: kernel.now)
    endpoints.close(number)
    links.leave(number)
    sfu.voices.removeListener(number)
    refreshSources(of: number, kernel: &kernel)
    announcePresence(of: number, kernel: &kernel)
    for source in streams.sources.indices {
      retarget(viewer: number, source: source, to: .none, kernel: &kernel)
    }
    let first = streams.track(viewer: number, source: 0)
    recording.forgetDecisions(on: first..<first + streams.sourceCount)
    sfu.requests[number] = nil
    sfu.controller?.uplinks[number] = .zero
    sfu.reallocations.close(number)
    for track in first..<first + streams.sourceCount { sfu.rampUps.end(track) }
    sfu.allocator.leave(number)
    sfu.servers.close(number)
    sfu.negotiations.close(number)
    for source in streams.sources.indices { tellDemand(for: source, kernel: &kernel) }
    signalling.close(number)
    notify(.leftMeeting, number, kernel: &kernel)
    lookAtScreen(of: number, kernel: &kernel)
    viewers.markDirty(number, kernel: &kernel)
  }

  /// Starts and stops a participant's sources according to its state.
  mutating func refreshSources(of number: Int, kernel: inout Kernel) {
    for source in streams.cameraFirst(of: number) {
      publishers.refreshCapture(source, endpoints, links, kernel: &kernel)
      announceSource(source, kernel: &kernel)
    }
  }

  mutating func turnTalkSpurt(of number: Int, kernel: inout Kernel) {
    guard people.isJoined(number) else { return }
    people.turnTalkSpurt(of: number, kernel: &kernel)
    announcePresence(of: number, kernel: &kernel)
  }

  // MARK: The timeline

  mutating func note(
    _ number: Int?, _ event: String, _ detail: String, _ result: String, _ now: SimTime
  ) {
    recording.record(EventRow(participant: number, event: event, detail: detail, result: result), at: now)
  }

  /// Performs an entry of the timeline.
  mutating func perform(_ entry: TimelineEntry, kernel: inout Kernel) {
    let detail = plan.detail(of: entry.action)
    guard let number = entry.participant else {
      if case .link(let link, .delay(let delay)) = entry.action { links.setDelay(delay, of: link) }
      note(nil, entry.action.name, detail, "ok", kernel.now)
      return
    }
    if case .join = entry.action {
      if people.isJoined(number) {
        note(number, entry.action.name, "", CallResult.unchanged.rawValue, kernel.now)
      } else {
        join(number, kernel: &kernel)
      }
      return
    }
    if case .client(let call) = entry.action {
      let response = carryOut(call, by: number, kernel: &kernel)
      note(number, entry.action.name, response.detail(after: detail), response.result, kernel.now)
      return
    }
    if case .pushFrames(let frames) = entry.action {
      push(frames, by: number, kernel: &kernel)
      return
    }
    if case .stopPushing = entry.action {
      note(number, entry.action.name, detail, stopPushing(by: number, kernel: &kernel).rawValue, kernel.now)
      return
    }
    let result =
      people.isJoined(number) ? perform(entry.action, by: number, kernel: &kernel) : .notInMeeting
    note(number, entry.action.name, detail, result.rawValue, kernel.now)
  }

  private mutating func perform(_ action: TimelineAction, by number: Int, kernel: inout Kernel) -> CallResult
  {
    switch action {
    case .join, .link, .client, .pushFrames, .stopPushing: break
    case .leave: leave(number, kernel: &kernel)
    case .speaks(let duration):
      people.speak(number, for: duration, kernel: &kernel)
      announcePresence(of: number, kernel: &kernel)
    case .muteAudio(let isMuted):
      people.setMuted(isMuted, of: number, kernel: &kernel)
      announcePresence(of: number, kernel: &kernel)
    case .muteVideo(let isMuted):
      publishers.states[number].isVideoMuted = isMuted
      refreshSources(of: number, kernel: &kernel)
    case .shareScreen(let isOn):
      publishers.states[number].isSharingScreen = isOn
      refreshSources(of: number, kernel: &kernel)
    case .send(let change): return set(change, by: number, kernel: &kernel)
    case .source(let kind):
      return publishers.beginChange(sourceOf: number, to: kind, kernel: &kernel)
    }
    return .ok
  }

  /// Changes the parameters of one of a participant's senders.
  private mutating func set(_ change: SendChange, by number: Int, kernel: inout Kernel) -> CallResult {
    guard sfu.controller == nil else { return .unsupported }
    guard let source = change.isScreen ? streams.screenOf[number] : streams.cameraOf[number] else {
      return .noVideoConnection
    }
    publishers.set(change, of: source, at: kernel.now)
    fitUplink(of: number, kernel: &kernel)
    announceSource(source, kernel: &kernel)
    return .ok
  }

  /// Performs a call to the client. In the background the camera stops too, whether or not the participant watches.
  private mutating func carryOut(
    _ call: ClientCall, by number: Int, kernel: inout Kernel
  ) -> ClientResponse {
    if case .background(let background) = call, people.isJoined(number) {
      publishers.states[number].isInBackground = background != nil
      refreshSources(of: number, kernel: &kernel)
      if !viewers.isViewer[number] { return ClientResponse() }
    }
    return perform(call, by: number, kernel: &kernel)
  }
}
