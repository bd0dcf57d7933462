import Endpoint
import Network
import Plan
import Publishing
import SimulationKernel
import Systems
import Viewing

/// Participants' actions and timeline events.
extension MeetingSimulation {
  // MARK: Coming and going

  mutating func join(_ number: Int, kernel: inout Kernel) {
    guard !parts.people.isJoined(number) else { return }
    parts.join(number, kernel: &kernel)
    announcePresence(of: number, kernel: &kernel)
    parts.beginSending(number, kernel: &kernel)
    settle(kernel: &kernel)
    recording.note(number, "join", "", at: kernel.now)
    parts.viewers.notify(.joinedMeeting, number, &parts.net, kernel: &kernel)
    parts.viewers.lookAtScreen(of: number, &parts.net, kernel: &kernel)
    settle(kernel: &kernel)
    if let camera = parts.streams.cameraOf[number] {
      PushingApp(camera, parts.streams).begin(&parts, &recording, kernel: &kernel)
    }
  }

  private mutating func leave(_ number: Int, kernel: inout Kernel) {
    guard parts.people.isJoined(number) else { return }
    if let camera = parts.streams.cameraOf[number] {
      PushingApp(camera, parts.streams).suspend(&parts, &recording, kernel: &kernel)
      settle(kernel: &kernel)
    }
    parts.leave(number, kernel: &kernel)
    settle(kernel: &kernel)
    announcePresence(of: number, kernel: &kernel)
    let first = parts.streams.track(viewer: number, source: 0)
    recording.forgetDecisions(on: first..<first + parts.streams.sourceCount)
    parts.close(number, kernel: &kernel)
    parts.viewers.notify(.leftMeeting, number, &parts.net, kernel: &kernel)
    parts.viewers.lookAtScreen(of: number, &parts.net, kernel: &kernel)
    parts.viewers.markDirty(number, kernel: &kernel)
  }

  mutating func turnTalkSpurt(of number: Int, kernel: inout Kernel) {
    guard parts.people.isJoined(number) else { return }
    parts.people.turnTalkSpurt(of: number, kernel: &kernel)
    announcePresence(of: number, kernel: &kernel)
  }

  // MARK: The timeline

  /// Performs a timeline entry.
  mutating func perform(_ entry: TimelineEntry, kernel: inout Kernel) {
    let detail = parts.plan.detail(of: entry.action)
    guard let number = entry.participant else {
      var result = CallResult.ok
      if case .link(let link, let change) = entry.action {
        if case .delay(let delay) = change { parts.net.links.setDelay(delay, of: link) }
        if parts.plan.links[link].parameters.isAlready(change, at: kernel.now) { result = .unchanged }
      }
      recording.note(nil, entry.action.name, detail, result.name, at: kernel.now)
      return
    }
    if case .join = entry.action, !parts.people.isJoined(number) { return join(number, kernel: &kernel) }
    if case .client(let call) = entry.action {
      let response = carryOut(call, by: number, kernel: &kernel)
      settle(kernel: &kernel)
      recording.note(
        number, entry.action.name, response.detail(after: detail), response.result, at: kernel.now)
      return
    }
    if case .pushFrames(let frames) = entry.action {
      return PushingApp.push(frames, by: number, &parts, &recording, kernel: &kernel)
    }
    let obstacle = parts.obstacle(to: entry.action, by: number)
    var result = CallResult.notInMeeting
    if case .join = entry.action {
      result = .unchanged
    } else if case .stopPushing = entry.action {
      result = PushingApp.stop(by: number, &parts, &recording, kernel: &kernel)
    } else if parts.people.isJoined(number) {
      result = perform(entry.action, by: number, kernel: &kernel)
    }
    settle(kernel: &kernel)
    recording.note(
      number, entry.action.name, detail, (result == .ok ? obstacle : nil) ?? result.name, at: kernel.now)
  }

  private mutating func perform(_ action: TimelineAction, by number: Int, kernel: inout Kernel) -> CallResult
  {
    switch action {
    case .join, .link, .client, .pushFrames, .stopPushing: break
    case .leave: leave(number, kernel: &kernel)
    case .speaks(let duration):
      parts.people.speak(number, for: duration, kernel: &kernel)
      announcePresence(of: number, kernel: &kernel)
    case .muteAudio(let isMuted):
      parts.people.setMuted(isMuted, of: number, kernel: &kernel)
      announcePresence(of: number, kernel: &kernel)
    case .muteVideo(let isMuted):
      parts.publishers.states[number].isVideoMuted = isMuted
      parts.publishers.refreshSources(of: number, &parts.net, kernel: &kernel)
    case .shareScreen(let isOn):
      parts.publishers.states[number].isSharingScreen = isOn
      parts.publishers.refreshSources(of: number, &parts.net, kernel: &kernel)
    case .send(let change): return parts.publishers.set(change, by: number, &parts.net, kernel: &kernel)
    case .source(let kind): return parts.publishers.beginChange(sourceOf: number, to: kind, kernel: &kernel)
    }
    return .ok
  }

  /// Performs a call to the client. Going to the background also stops the camera, whether or not the participant
  /// watches.
  private mutating func carryOut(_ call: ClientCall, by number: Int, kernel: inout Kernel) -> ClientResponse {
    if case .background(let background) = call, parts.people.isJoined(number) {
      parts.publishers.states[number].isInBackground = background != nil
      parts.publishers.refreshSources(of: number, &parts.net, kernel: &kernel)
      settle(kernel: &kernel)
      if !parts.viewers.isViewer[number] { return ClientResponse() }
    }
    return parts.viewers.perform(call, by: number, &parts.net, kernel: &kernel)
  }
}
