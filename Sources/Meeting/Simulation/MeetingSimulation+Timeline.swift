import Allocation
import CongestionControl
import Ladder
import Media
import Metrics
import Network
import Quantity
import SimulationKernel
import Systems
import Transport

/// What people do and what happens to them.
extension MeetingSimulation {
  mutating func join(_ number: Int, kernel: inout Kernel) {
    guard !participants[number].isJoined else { return }
    let known = participants.indices.filter { participants[$0].isJoined }.count
    participants[number].isJoined = true
    participants[number].joinedAt = kernel.now
    voices.begin(number)
    for link in participants[number].up + participants[number].down { sharers[Int(link)] += 1 }
    listeners = participants.indices.filter { participants[$0].isJoined && !participants[$0].down.isEmpty }
      .map(UInt16.init)
    if let screen = screenOf[number], sources[screen].plan.startsOn {
      participants[number].isSharingScreen = true
    }
    for viewer in viewers.indices where viewer != number && participants[viewer].isJoined {
      notify(.joined(participant: number, known: known), viewer, kernel: &kernel)
    }
    let now = kernel.now
    let up = participants[number].up.map { capacities[Int($0)].capacity(at: now) }.min() ?? .zero
    for path in [Path.up(number), Path.down(number)] {
      controllers.restart(path, at: now)
      paths[path].restart()
    }
    for source in [cameraOf[number], screenOf[number]].compactMap({ $0 }) { restartEncodings(of: source) }
    controllers.observe(Path.up(number), capacity: up, at: now)
    beginReports(of: number, kernel: &kernel)
    refreshSources(of: number, kernel: &kernel)
    if plan.participants[number].publishesAudio {
      scheduleVoice(of: number, after: .zero, kernel: &kernel)
      if plan.speech == .talkSpurts { scheduleTalkSpurt(of: number, kernel: &kernel) }
    }
    note(number, "join", "", "ok", kernel.now)
    markViewersDirty(kernel: &kernel)
  }

  /// A new call has new encoders, and the SFU expects no packet of an old one.
  private mutating func restartEncodings(of source: Int) {
    let plan = sources[source].plan
    sources[source].allocator = plan.allocator
    for (rung, encoding) in plan.ladder.encodings.enumerated() {
      let number = sources[source].firstEncoding + rung
      if sources[source].kind != .custom { encodings[number].model = plan.model(of: encoding) }
      encodings[number].hasRepaired = false
      encodings[number].expectedSequence = encodings[number].nextSequence
      encodings[number].hasMissing = false
      repairs.missingOfEncoding[number].removeAll()
    }
  }

  private mutating func leave(_ number: Int, kernel: inout Kernel) {
    guard participants[number].isJoined else { return }
    participants[number].isJoined = false
    participants[number].isInTalkSpurt = false
    if let turn = participants[number].talkSpurtTurn { kernel.cancel(turn) }
    participants[number].talkSpurtTurn = nil
    for link in participants[number].up + participants[number].down { sharers[Int(link)] -= 1 }
    listeners.removeAll { Int($0) == number }
    refreshSources(of: number, kernel: &kernel)
    for source in sources.indices { retarget(viewer: number, source: source, to: .none, kernel: &kernel) }
    for source in sources.indices {
      let track = trackNumber(viewer: number, source: source)
      wishes[track] = nil
      grants[track] = nil
      tracks[track].desiredEncoding = -1
      tracks[track].desiredRate = .zero
    }
    notify(.leftMeeting, number, kernel: &kernel)
    notifyAll(.left(participant: number), kernel: &kernel)
    markViewersDirty(kernel: &kernel)
    notifyAll(.sourceStopped, kernel: &kernel)
  }

  private mutating func refreshSources(of number: Int, kernel: inout Kernel) {
    for source in [cameraOf[number], screenOf[number]].compactMap({ $0 }) {
      refreshCapture(source: source, kernel: &kernel)
    }
  }

  private mutating func note(
    _ number: Int?, _ event: String, _ detail: String, _ result: String, _ now: SimTime
  ) {
    recorder.record(EventRow(participant: number, event: event, detail: detail, result: result), at: now)
  }

  /// An entry of the timeline is due.
  mutating func happen(_ entry: TimelineEntry, kernel: inout Kernel) {
    let now = kernel.now
    guard let number = entry.participant else {
      if case .link(let link, .delay(let delay)) = entry.action {
        linkDelays[link] = delay
        refreshSignallingDelays()
      }
      note(nil, entry.action.name, detail(of: entry.action), "ok", now)
      return
    }
    if case .join = entry.action {
      join(number, kernel: &kernel)
      return
    }
    if !participants[number].isJoined {
      note(number, entry.action.name, detail(of: entry.action), "notInMeeting", now)
      return
    }
    let result = perform(entry.action, by: number, kernel: &kernel)
    note(number, entry.action.name, detail(of: entry.action), result, now)
  }

  private mutating func perform(_ action: TimelineAction, by number: Int, kernel: inout Kernel) -> String {
    switch action {
    case .join, .link: break
    case .leave: leave(number, kernel: &kernel)
    case .speaks(let duration):
      participants[number].speaksUntil = kernel.now + duration
      beginTurn(of: number, kernel: &kernel)
    case .muteAudio(let isMuted):
      participants[number].isAudioMuted = isMuted
      rankVoices(at: kernel.now)
      if !isMuted, voiceDueAt[number] == nil, plan.participants[number].publishesAudio {
        scheduleVoice(of: number, after: .zero, kernel: &kernel)
      }
    case .muteVideo(let isMuted):
      participants[number].isVideoMuted = isMuted
      refreshSources(of: number, kernel: &kernel)
      if isMuted { notifyAll(.sourceStopped, kernel: &kernel) }
    case .shareScreen(let isOn):
      participants[number].isSharingScreen = isOn
      refreshSources(of: number, kernel: &kernel)
      if !isOn { notifyAll(.sourceStopped, kernel: &kernel) }
    case .source(let kind): return change(sourceOf: number, to: kind, kernel: &kernel)
    case .pushFrames(let frames): return push(frames, by: number, kernel: &kernel)
    case .client(.background(let background)):
      return setBackground(background, of: number, kernel: &kernel)
    case .client(let call): return perform(call, by: number, kernel: &kernel)
    }
    return "ok"
  }

  /// The app goes to the background, or comes back (`nil`): its camera stops with it, whether it watches or not.
  private mutating func setBackground(
    _ background: Background?, of number: Int, kernel: inout Kernel
  ) -> String {
    participants[number].isInBackground = background != nil
    refreshSources(of: number, kernel: &kernel)
    return isViewer[number] ? perform(.background(background), by: number, kernel: &kernel) : "ok"
  }
}
