import Endpoint
import Metrics
import Plan
import Publishing
import SimulationKernel
import Systems

/// An app that pushes its own frames, call by call, in place of a camera's.
struct PushingApp {
  let source: Int
  let participant: Int

  init(_ source: Int, _ streams: StreamNumbering) {
    self.source = source
    participant = streams.sources[source].participant
  }

  // MARK: Changing the source

  /// Completes a change between camera and custom frames.
  func completeChange(_ parts: inout MeetingParts, _ recording: inout Recording, kernel: inout Kernel) {
    guard let kind = parts.publishers.completeChange(of: source, &parts.net.sizes, at: kernel.now) else {
      return
    }
    recording.note(
      participant, "setVideoSource", kind.rawValue, CallResult.completed.name, at: kernel.now)
    if kind == .camera { parts.publishers.beginCapturing(source, kernel: &kernel) }
    parts.publishers.refreshSources(of: participant, &parts.net, kernel: &kernel)
    announceOffers(&parts, kernel: &kernel)
  }

  /// Adapts the uplink to a source's changed offer, and signals the offer to the SFU.
  private func announceOffers(_ parts: inout MeetingParts, kernel: inout Kernel) {
    parts.publishers.adapt(participant, &parts.net, kernel: &kernel)
    for source in parts.streams.cameraFirst(of: participant) {
      parts.publishers.announceSource(source, &parts.net, kernel: &kernel)
    }
  }

  // MARK: Pushing frames

  /// Starts pushing the frames that a joining participant's source specifies, unless its app already pushes others.
  func begin(_ parts: inout MeetingParts, _ recording: inout Recording, kernel: inout Kernel) {
    guard let camera = parts.plan.participants[participant].camera, let frames = camera.customFrames,
      camera.startsOn, parts.publishers.sources[source].capture.kind == .custom,
      parts.publishers.sources[source].custom.loop == nil
    else { return }
    push(frames, isStated: true, &parts, &recording, kernel: &kernel)
  }

  /// Suspends the pushing of a leaving participant: the frames that its source specifies stop until it rejoins; any
  /// others continue and are refused.
  func suspend(_ parts: inout MeetingParts, _ recording: inout Recording, kernel: inout Kernel) {
    parts.publishers.sources[source].custom.refuse()
    if parts.publishers.sources[source].custom.loop?.isStated == true {
      _ = end(&parts, &recording, kernel: &kernel)
    } else {
      followRate(&parts, kernel: &kernel)
    }
  }

  /// Has an app push a frame, or begin a series, which replaces the one in progress.
  static func push(
    _ frames: CustomFrames, by number: Int, _ parts: inout MeetingParts, _ recording: inout Recording,
    kernel: inout Kernel
  ) {
    guard let source = parts.streams.cameraOf[number] else {
      let result: CallResult = parts.people.isJoined(number) ? .notUsingCustomVideoSource : .notInMeeting
      recording.note(number, "push-frames", frames.description, result.name, at: kernel.now)
      return
    }
    PushingApp(source, parts.streams).push(frames, &parts, &recording, kernel: &kernel)
  }

  private func push(
    _ frames: CustomFrames, isStated: Bool = false, _ parts: inout MeetingParts, _ recording: inout Recording,
    kernel: inout Kernel
  ) {
    guard frames.isSingle else {
      endRun(&parts, &recording)
      if let next = parts.publishers.sources[source].custom.loop?.next { kernel.cancel(next) }
      parts.publishers.sources[source].custom.loop = PushLoop(frames, from: kernel.now, isStated: isStated)
      pushNext(&parts, &recording, kernel: &kernel)
      return
    }
    let push = pushFrame(frames, isLooped: false, &parts, kernel: &kernel)
    let isDropped = push.result == .success && !push.isEncoded
    recording.note(
      participant, "push-frames", frames.description + (isDropped ? "; dropped" : ""), push.result.name,
      at: kernel.now)
  }

  /// Pushes the next frame of an app's series when it is due, or ends the series after its last frame.
  func pushNext(_ parts: inout MeetingParts, _ recording: inout Recording, kernel: inout Kernel) {
    guard let loop = parts.publishers.sources[source].custom.loop else { return }
    if loop.isOver {
      _ = end(&parts, &recording, kernel: &kernel)
      return
    }
    let push = pushFrame(loop.frames, isLooped: true, &parts, kernel: &kernel)
    if loop.run?.result != push.result {
      endRun(&parts, &recording)
      let row = recording.reserveEvent(at: kernel.now)
      parts.publishers.sources[source].custom.loop?.run = PushLoop.Run(result: push.result, row: row)
    }
    parts.publishers.sources[source].custom.loop?.run?.frames += 1
    if push.result == .success, !push.isEncoded {
      parts.publishers.sources[source].custom.loop?.run?.dropped += 1
    }
    parts.publishers.sources[source].custom.loop?.count += 1
    guard let next = parts.publishers.sources[source].custom.loop?.nextTime else { return }
    let handle = kernel.schedule(at: next, tag: MeetingEvent(.push, source).tag)
    parts.publishers.sources[source].custom.loop?.next = handle
  }

  /// Stops an app's pushing, in the meeting or outside it.
  static func stop(
    by number: Int, _ parts: inout MeetingParts, _ recording: inout Recording, kernel: inout Kernel
  ) -> CallResult {
    var isStopped = false
    if let source = parts.streams.cameraOf[number] {
      isStopped = PushingApp(source, parts.streams).end(&parts, &recording, kernel: &kernel)
    }
    return isStopped ? .ok : parts.people.isJoined(number) ? .notPushing : .notInMeeting
  }

  /// Ends an app's series.
  ///
  /// - Returns: `true` if there was one.
  private func end(_ parts: inout MeetingParts, _ recording: inout Recording, kernel: inout Kernel) -> Bool {
    guard let loop = parts.publishers.sources[source].custom.loop else { return false }
    endRun(&parts, &recording)
    if let next = loop.next { kernel.cancel(next) }
    parts.publishers.sources[source].custom.loop = nil
    followRate(&parts, kernel: &kernel)
    return true
  }

  /// Signals the frames that an app currently pushes to the SFU, if they have changed.
  func followRate(_ parts: inout MeetingParts, kernel: inout Kernel) {
    guard parts.publishers.followPushedRate(of: source, at: kernel.now) else { return }
    announceOffers(&parts, kernel: &kernel)
  }

  private func pushFrame(
    _ frames: CustomFrames, isLooped: Bool, _ parts: inout MeetingParts, kernel: inout Kernel
  ) -> Publishers.Push {
    let push = parts.publishers.take(
      frames, of: source, &parts.net.sizes, isLooped: isLooped, at: kernel.now)
    // The SFU is told before the first packet is sent.
    if push.hasChanged { announceOffers(&parts, kernel: &kernel) }
    if push.isEncoded {
      parts.publishers.encode(source, &parts.net, kernel: &kernel)
    }
    return push
  }

  /// Writes a row for a run of pushes with the same result.
  func endRun(_ parts: inout MeetingParts, _ recording: inout Recording) {
    guard let loop = parts.publishers.sources[source].custom.loop, let run = loop.run else { return }
    parts.publishers.sources[source].custom.loop?.run = nil
    let dropped = run.dropped > 0 ? "; \(run.dropped) dropped" : ""
    recording.fillEvent(
      run.row,
      EventRow(
        participant: participant, event: "push-frames",
        detail: "\(run.frames) of \(loop.frames.description)\(dropped)", result: run.result.name))
  }
}
