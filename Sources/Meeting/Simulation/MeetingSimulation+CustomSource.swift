import Metrics
import SimulationKernel
import Systems

/// Apps that make their own frames, call by call.
extension MeetingSimulation {
  // MARK: Changing the source

  /// A change between camera and custom frames is complete.
  mutating func completeSourceChange(of source: Int, kernel: inout Kernel) {
    guard let kind = publishers.completeChange(of: source, at: kernel.now) else { return }
    let number = streams.sources[source].participant
    note(number, "setVideoSource", kind.rawValue, CallResult.completed.rawValue, kernel.now)
    if kind == .camera { publishers.beginCapturing(source, kernel: &kernel) }
    refreshSources(of: number, kernel: &kernel)
    announceOffers(of: source, kernel: &kernel)
  }

  /// A source offers something else: the uplink is fitted to it, and the SFU is told.
  private mutating func announceOffers(of source: Int, kernel: inout Kernel) {
    let number = streams.sources[source].participant
    fitUplink(of: number, kernel: &kernel)
    announceSources(of: number, kernel: &kernel)
  }

  // MARK: Pushing frames

  /// The app of a participant who joins pushes what its source states, unless it pushes something else.
  mutating func beginPushing(_ number: Int, kernel: inout Kernel) {
    guard let camera = plan.participants[number].camera, let frames = camera.customFrames, camera.startsOn,
      let source = streams.cameraOf[number], publishers.sources[source].capture.kind == .custom,
      publishers.sources[source].custom.loop == nil
    else { return }
    push(frames, by: number, isStated: true, kernel: &kernel)
  }

  /// A participant leaves: what its source states is pushed no more until it joins again, and what else its app pushes
  /// goes on and is refused.
  mutating func suspendPushing(of source: Int, kernel: inout Kernel) {
    publishers.sources[source].custom.refuse()
    if publishers.sources[source].custom.loop?.isStated == true {
      endPushing(of: source, kernel: &kernel)
    } else {
      followPushedRate(of: source, kernel: &kernel)
    }
  }

  /// An app pushes a frame, or begins a loop, which takes the place of one that runs.
  mutating func push(
    _ frames: CustomFrames, by number: Int, isStated: Bool = false, kernel: inout Kernel
  ) {
    guard let source = streams.cameraOf[number] else {
      let result: CallResult = people.isJoined(number) ? .notUsingCustomVideoSource : .notInMeeting
      note(number, "push-frames", frames.description, result.rawValue, kernel.now)
      return
    }
    guard frames.isSingle else {
      endRun(of: source)
      if let next = publishers.sources[source].custom.loop?.next { kernel.cancel(next) }
      publishers.sources[source].custom.loop = PushLoop(
        frames, from: kernel.now, isStated: isStated)
      pushNext(of: source, kernel: &kernel)
      return
    }
    let push = pushFrame(frames, of: source, isLooped: false, kernel: &kernel)
    let isDropped = push.result == .success && !push.isEncoded
    note(
      number, "push-frames", frames.description + (isDropped ? "; dropped" : ""), push.result.rawValue,
      kernel.now)
  }

  /// The next frame of an app's loop is due, or would be if there were one more.
  mutating func pushNext(of source: Int, kernel: inout Kernel) {
    guard let loop = publishers.sources[source].custom.loop else { return }
    if loop.isOver {
      endPushing(of: source, kernel: &kernel)
      return
    }
    let push = pushFrame(loop.frames, of: source, isLooped: true, kernel: &kernel)
    if loop.run?.result != push.result {
      endRun(of: source)
      let row = recording.reserveEvent(at: kernel.now)
      publishers.sources[source].custom.loop?.run = PushLoop.Run(result: push.result, row: row)
    }
    publishers.sources[source].custom.loop?.run?.frames += 1
    if push.result == .success, !push.isEncoded {
      publishers.sources[source].custom.loop?.run?.dropped += 1
    }
    publishers.sources[source].custom.loop?.count += 1
    guard let next = publishers.sources[source].custom.loop?.nextTime else { return }
    let handle = kernel.schedule(at: next, tag: MeetingEvent(.push, source).tag)
    publishers.sources[source].custom.loop?.next = handle
  }

  /// An app is told to stop pushing, in the meeting or out of it.
  mutating func stopPushing(by number: Int, kernel: inout Kernel) -> CallResult {
    let isStopped = streams.cameraOf[number].map { endPushing(of: $0, kernel: &kernel) } ?? false
    return isStopped ? .ok : people.isJoined(number) ? .notPushing : .notInMeeting
  }

  /// Ends an app's loop.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  mutating func endPushing(of source: Int, kernel: inout Kernel) -> Bool {
    guard let loop = publishers.sources[source].custom.loop else { return false }
    endRun(of: source)
    if let next = loop.next { kernel.cancel(next) }
    publishers.sources[source].custom.loop = nil
    followPushedRate(of: source, kernel: &kernel)
    return true
  }

  /// Tells the SFU what an app pushes now, if that has changed.
  mutating func followPushedRate(of source: Int, kernel: inout Kernel) {
    guard publishers.followPushedRate(of: source, at: kernel.now) else { return }
    announceOffers(of: source, kernel: &kernel)
  }

  private mutating func pushFrame(
    _ frames: CustomFrames, of source: Int, isLooped: Bool, kernel: inout Kernel
  ) -> Publishers.Push {
    let push = publishers.take(frames, of: source, isLooped: isLooped, at: kernel.now)
    // The SFU is told before the first packet is on its way.
    if push.hasChanged { announceOffers(of: source, kernel: &kernel) }
    if push.isEncoded {
      publishers.encode(source, endpoints: &endpoints, links: &links, kernel: &kernel)
    }
    return push
  }

  /// Writes the row of consecutive pushes with one result.
  mutating func endRun(of source: Int) {
    guard let loop = publishers.sources[source].custom.loop, let run = loop.run else { return }
    publishers.sources[source].custom.loop?.run = nil
    let dropped = run.dropped > 0 ? "; \(run.dropped) dropped" : ""
    recording.fillEvent(
      run.row,
      EventRow(
        participant: streams.sources[source].participant, event: "push-frames",
        detail: "\(run.frames) of \(loop.frames.description)\(dropped)", result: run.result.rawValue))
  }
}
