import Ladder
import Metrics
import Network
import Quantity
import SimulationKernel
import Systems

/// What people do and what happens to them.
extension MeetingSimulation {
  // MARK: Coming and going

  mutating func join(_ number: Int, kernel: inout Kernel) {
    guard !people.isJoined(number) else { return }
    let known = people.joinedCount
    let now = kernel.now
    people.join(number, at: now)
    publishers.join(number, at: now)
    viewers.setJoined(true, number)
    listeners.join(number)
    links.join(number)
    refreshListeners()
    for viewer in people.indices where viewer != number && people.isJoined(viewer) {
      notify(.joined(participant: number, known: known), viewer, kernel: &kernel)
    }
    endpoints.open(number, at: now)
    for source in streams.cameraFirst(of: number) { restart(source) }
    let up = Path.up(number)
    endpoints.observe(up, capacity: links.capacity(of: up, at: now), at: now)
    endpoints.beginReports(of: number, links, kernel: &kernel)
    refreshSources(of: number, kernel: &kernel)
    if plan.participants[number].publishesAudio {
      people.scheduleVoice(of: number, after: .zero, kernel: &kernel)
      if plan.speech == .talkSpurts { people.scheduleTalkSpurt(of: number, kernel: &kernel) }
    }
    note(number, "join", "", "ok", now)
    viewers.markAllDirty(kernel: &kernel)
  }

  /// A new call has new encoders, and the SFU expects no packet of an old one.
  private mutating func restart(_ source: Int) {
    publishers.restart(source)
    forwarder.setAlwaysWanted(publishers.alwaysWanted(of: source), of: source)
    for encoding in streams.sources[source].encodings {
      forwarder.restart(encoding, at: publishers.encoders[encoding].output.nextSequence)
    }
  }

  private mutating func leave(_ number: Int, kernel: inout Kernel) {
    guard people.isJoined(number) else { return }
    people.leave(number, kernel: &kernel)
    publishers.leave(number)
    viewers.setJoined(false, number)
    endpoints.close(number)
    links.leave(number)
    refreshListeners()
    refreshSources(of: number, kernel: &kernel)
    for source in streams.sources.indices {
      retarget(viewer: number, source: source, to: .none, kernel: &kernel)
    }
    allocator.leave(number)
    for source in streams.sources.indices { updateDemand(source: source) }
    notify(.leftMeeting, number, kernel: &kernel)
    notifyAll(.left(participant: number), kernel: &kernel)
    viewers.markAllDirty(kernel: &kernel)
    notifyAll(.sourceStopped, kernel: &kernel)
  }

  private mutating func refreshListeners() {
    voices.setListeners(
      people.indices.filter { people.isJoined($0) && links.exists(Path.down($0)) }.map(UInt16.init))
  }

  /// Starts and stops a participant's sources as its state has it.
  private mutating func refreshSources(of number: Int, kernel: inout Kernel) {
    for source in streams.cameraFirst(of: number) {
      guard publishers.refreshCapture(source, endpoints, kernel: &kernel) else { continue }
      let isOn = publishers.sources[source].capture.isOn
      forwarder.setActive(isOn, source)
      if !isOn {
        for viewer in people.indices { viewers.noteStop(of: streams.track(viewer: viewer, source: source)) }
      }
      viewers.markAllDirty(kernel: &kernel)
    }
  }

  // MARK: Speech

  mutating func turnTalkSpurt(of number: Int, kernel: inout Kernel) {
    guard people.isJoined(number) else { return }
    if people.turnTalkSpurt(of: number) {
      beginTurn(of: number, kernel: &kernel)
    } else {
      voices.rank(people, at: kernel.now)
    }
    people.scheduleTalkSpurt(of: number, kernel: &kernel)
  }

  /// Begins a turn of speech, which changes the order of speakers.
  private mutating func beginTurn(of number: Int, kernel: inout Kernel) {
    people.beginTurn(of: number, at: kernel.now)
    voices.rank(people, at: kernel.now)
    people.startVoice(of: number, kernel: &kernel)
    markSlotsDirty(kernel: &kernel)
  }

  private mutating func mute(_ isMuted: Bool, _ number: Int, kernel: inout Kernel) {
    people.setMuted(isMuted, of: number)
    voices.rank(people, at: kernel.now)
    if !isMuted, people.persons[number].voiceDueAt == nil, people.persons[number].hasMicrophone {
      people.scheduleVoice(of: number, after: .zero, kernel: &kernel)
    }
  }

  // MARK: The timeline

  private mutating func note(
    _ number: Int?, _ event: String, _ detail: String, _ result: String, _ now: SimTime
  ) {
    recording.record(EventRow(participant: number, event: event, detail: detail, result: result), at: now)
  }

  /// An entry of the timeline is due.
  mutating func perform(_ entry: TimelineEntry, kernel: inout Kernel) {
    let detail = plan.detail(of: entry.action)
    guard let number = entry.participant else {
      if case .link(let link, .delay(let delay)) = entry.action { links.setDelay(delay, of: link) }
      note(nil, entry.action.name, detail, "ok", kernel.now)
      return
    }
    if case .join = entry.action {
      join(number, kernel: &kernel)
      return
    }
    let result =
      people.isJoined(number) ? perform(entry.action, by: number, kernel: &kernel) : "notInMeeting"
    note(number, entry.action.name, detail, result, kernel.now)
  }

  private mutating func perform(_ action: TimelineAction, by number: Int, kernel: inout Kernel) -> String {
    switch action {
    case .join, .link: break
    case .leave: leave(number, kernel: &kernel)
    case .speaks(let duration):
      people.persons[number].speaksUntil = kernel.now + duration
      beginTurn(of: number, kernel: &kernel)
    case .muteAudio(let isMuted): mute(isMuted, number, kernel: &kernel)
    case .muteVideo(let isMuted):
      publishers.states[number].isVideoMuted = isMuted
      refreshSources(of: number, kernel: &kernel)
      if isMuted { notifyAll(.sourceStopped, kernel: &kernel) }
    case .shareScreen(let isOn):
      publishers.states[number].isSharingScreen = isOn
      refreshSources(of: number, kernel: &kernel)
      if !isOn { notifyAll(.sourceStopped, kernel: &kernel) }
    case .source(let kind):
      return finish(publishers.change(sourceOf: number, to: kind, at: kernel.now), kernel: &kernel)
    case .pushFrames(let frames):
      return finish(publishers.push(frames, by: number, at: kernel.now), kernel: &kernel)
    case .client(.background(let background)):
      return setBackground(background, of: number, kernel: &kernel)
    case .client(let call): return perform(call, by: number, kernel: &kernel)
    }
    return "ok"
  }

  private mutating func finish(_ outcome: Publishers.CallOutcome, kernel: inout Kernel) -> String {
    switch outcome {
    case .unchanged(let result): return result
    case .changed(let result):
      viewers.markAllDirty(kernel: &kernel)
      return result
    }
  }

  /// The app goes to the background, or comes back (`nil`): its camera stops with it, whether it watches or not.
  private mutating func setBackground(
    _ background: Background?, of number: Int, kernel: inout Kernel
  ) -> String {
    publishers.states[number].isInBackground = background != nil
    refreshSources(of: number, kernel: &kernel)
    return viewers.isViewer[number] ? perform(.background(background), by: number, kernel: &kernel) : "ok"
  }
}
