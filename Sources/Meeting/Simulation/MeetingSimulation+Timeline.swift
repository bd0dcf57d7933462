import Allocation
import CongestionControl
import Ladder
import Media
import Metrics
import Network
import Quantity
import SimulationKernel
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
    if case .stream(let parameters) = plan.policy, known >= parameters.hiddenFrom {
      // Somebody who comes when many are there starts hidden on everybody's screen.
      for viewer in viewers.indices where viewer != number && participants[viewer].isJoined {
        viewers[viewer]?.isHidden[number] = true
        viewers[viewer]?.appliedHidden[number] = true
      }
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
      rampsUntil[track] = nil
    }
    for viewer in viewers.indices { viewers[viewer]?.attachments.removeAll { $0.participant == number } }
    markViewersDirty(kernel: &kernel)
    sourceStopped(kernel: &kernel)
  }

  private mutating func refreshSources(of number: Int, kernel: inout Kernel) {
    for source in [cameraOf[number], screenOf[number]].compactMap({ $0 }) {
      refreshCapture(source: source, kernel: &kernel)
    }
  }

  private mutating func note(
    _ number: Int?, _ event: String, _ detail: String, _ result: String, _ now: SimTime
  ) {
    recorder.recordEvent(at: now, participant: number, event: event, detail: detail, result: result)
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
      if isMuted { sourceStopped(kernel: &kernel) }
    case .shareScreen(let isOn):
      participants[number].isSharingScreen = isOn
      refreshSources(of: number, kernel: &kernel)
      if !isOn { sourceStopped(kernel: &kernel) }
    case .background(let background): return setBackground(background, of: number, kernel: &kernel)
    case .foreground: return setBackground(nil, of: number, kernel: &kernel)
    case .source(let kind): return change(sourceOf: number, to: kind, kernel: &kernel)
    case .pushFrames(let frames): return push(frames, by: number, kernel: &kernel)
    default: return performView(action, by: number, kernel: &kernel)
    }
    return "ok"
  }

  private mutating func performView(_ action: TimelineAction, by number: Int, kernel: inout Kernel) -> String
  {
    guard viewers[number] != nil else { return "noView" }
    switch action {
    case .muteRemoteVideo(let isMuted): participants[number].isRemoteVideoMuted = isMuted
    case .request(let entries): return request(entries, by: number, kernel: &kernel)
    case .layout(let layout): viewers[number]?.builtIn = layout
    case .scroll(let points):
      viewers[number]?.scroll = Double(points)
      if case .stream(let parameters) = plan.policy {
        debounce(number, by: parameters.medium, kernel: &kernel)
        return "ok"
      }
    case .pin(let other):
      viewers[number]?.isPinned[other] = true
      if !screens[number].pins.contains(other) { screens[number].pins.append(other) }
      viewers[number]?.wantsLow[other] = false
    case .unpin(let other):
      viewers[number]?.isPinned[other] = false
      screens[number].pins.removeAll { $0 == other }
    case .streamType(let other, let low): viewers[number]?.wantsLow[other] = low
    case .resize(let other, let size): return resize(other, to: size, by: number, kernel: &kernel)
    case .hide(let other): return setHidden(other, true, by: number, kernel: &kernel)
    case .show(let other): return setHidden(other, false, by: number, kernel: &kernel)
    case .override(let other, let override):
      return self.override(other, override, by: number, kernel: &kernel)
    case .attach(let other, let view): return attach(other, to: view, by: number)
    case .detach(let other): return detach(other, by: number)
    default: break
    }
    markDirty(number, kernel: &kernel)
    return "ok"
  }

  // MARK: Calls of the SDKs

  private mutating func request(
    _ entries: [StreamRequest], by number: Int, kernel: inout Kernel
  ) -> String {
    let failure = StreamRequestCheck.failure(
      of: entries, isInMeeting: participants[number].isJoined,
      usesCustomLayout: viewers[number]?.builtIn == nil
        && plan.participants[number].capabilities.customLayout,
      hasVideoConnection: { id in
        plan.participants.indices.contains {
          plan.participants[$0].id == id && participants[$0].isJoined && cameraOf[$0] != nil
        }
      })
    if let failure { return failure.name }
    viewers[number]?.request = entries
    viewers[number]?.plan.arrangement = .request(entries)
    markDirty(number, kernel: &kernel)
    return "ok"
  }

  /// A growth of either side beyond 1.2 times is reported at once, anything else later (Stream's JavaScript SDK).
  private mutating func resize(
    _ other: Int, to size: Resolution, by number: Int, kernel: inout Kernel
  ) -> String {
    let shown = cameraOf[other].flatMap { wishes.tile(trackNumber(viewer: number, source: $0))?.size }
    let old = viewers[number]?.tileSizes[other] ?? shown
    guard old != size else { return "unchanged" }
    viewers[number]?.tileSizes[other] = size
    guard case .stream(let parameters) = plan.policy else {
      markDirty(number, kernel: &kernel)
      return "ok"
    }
    let grows =
      old.map { size.width * 5 > $0.width * 6 || size.height * 5 > $0.height * 6 } ?? true
    debounce(number, by: grows ? parameters.immediate : parameters.medium, kernel: &kernel)
    return "ok"
  }

  private mutating func setHidden(
    _ other: Int, _ isHidden: Bool, by number: Int, kernel: inout Kernel
  ) -> String {
    viewers[number]?.isHidden[other] = isHidden
    if case .stream(let parameters) = plan.policy {
      debounce(number, by: parameters.medium, kernel: &kernel)
    } else {
      markDirty(number, kernel: &kernel)
    }
    return "ok"
  }

  private mutating func override(
    _ other: Int?, _ override: StreamOverrides.Override?, by number: Int, kernel: inout Kernel
  ) -> String {
    guard case .stream(let parameters) = plan.policy else { return "unsupported" }
    if let other {
      screens[number].overrides.set(override, for: other)
    } else {
      screens[number].overrides.everybody = override
    }
    debounce(number, by: parameters.immediate, kernel: &kernel)
    return "ok"
  }

  /// A source has stopped: Stream's clients take some time to leave it out of their lists.
  private mutating func sourceStopped(kernel: inout Kernel) {
    guard case .stream(let parameters) = plan.policy else { return }
    for viewer in viewers.indices where viewers[viewer]?.pendingAllocation != nil {
      debounce(viewer, by: parameters.fast, kernel: &kernel)
    }
  }

  /// One view per stream: a stream that is shown elsewhere is detached there first, a view that shows somebody else
  /// lets go of them.
  private mutating func attach(_ other: Int, to view: String, by number: Int) -> String {
    guard participants[other].isJoined else { return "noParticipantWithId" }
    guard let source = cameraOf[other], tracks[trackNumber(viewer: number, source: source)].target != .none
    else {
      return "noStreamForParticipantId"
    }
    viewers[number]?.attachments.removeAll { $0.view == view || $0.participant == other }
    viewers[number]?.attachments.append((view: view, participant: other))
    return "ok"
  }

  private mutating func detach(_ other: Int, by number: Int) -> String {
    let isAttached = viewers[number]?.attachments.contains { $0.participant == other } ?? false
    viewers[number]?.attachments.removeAll { $0.participant == other }
    return isAttached ? "ok" : "notAttached"
  }
}
