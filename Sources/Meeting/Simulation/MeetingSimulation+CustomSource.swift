import Endpoint
import Metrics
import Plan
import Publishing
import SimulationKernel
import Systems

/// Apps that produce their own frames, call by call.
extension MeetingSimulation {
  // MARK: Changing the source

  /// Completes a change between camera and custom frames.
  mutating func completeSourceChange(of source: Int, kernel: inout Kernel) {
    guard let kind = publishers.completeChange(of: source, at: kernel.now) else { return }
    let number = streams.sources[source].participant
    note(number, "setVideoSource", kind.rawValue, CallResult.completed.rawValue, kernel.now)
    if kind == .camera { publishers.beginCapturing(source, kernel: &kernel) }
    refreshSources(of: number, kernel: &kernel)
    announceOffers(of: source, kernel: &kernel)
  }

  /// Fits the uplink to a source's changed offer, and signals the offer to the SFU.
  private mutating func announceOffers(of source: Int, kernel: inout Kernel) {
    let number = streams.sources[source].participant
    fitUplink(of: number, kernel: &kernel)
    announceSources(of: number, kernel: &kernel)
  }

  // MARK: Pushing frames

  /// Makes the app of a participant who joins push the frames that its source states, unless it pushes others.
  mutating func beginPushing(_ number: Int, kernel: inout Kernel) {
    guard let camera = plan.participants[number].camera, let frames = camera.customFrames, camera.startsOn,
      let source = streams.cameraOf[number], publishers.sources[source].capture.kind == .custom,
      publishers.sources[source].custom.loop == nil
    else { return }
    push(frames, by: number, isStated: true, kernel: &kernel)
  }

  /// Suspends the pushing of a participant who leaves: the frames that its source states stop until it joins again,
  /// while any others continue and are refused.
  mutating func suspendPushing(of source: Int, kernel: inout Kernel) {
    publishers.sources[source].custom.refuse()
    if publishers.sources[source].custom.loop?.isStated == true {
      endPushing(of: source, kernel: &kernel)
    } else {
      followPushedRate(of: source, kernel: &kernel)
    }
  }

  /// Makes an app push a frame, or begin a series, which replaces the one in progress.
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

  /// Pushes the next frame of an app's series when it is due, or ends the series after its last.
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

  /// Stops an app's pushing, in the meeting or outside it.
  mutating func stopPushing(by number: Int, kernel: inout Kernel) -> CallResult {
    let isStopped = streams.cameraOf[number].map { endPushing(of: $0, kernel: &kernel) } ?? false
    return isStopped ? .ok : people.isJoined(number) ? .notPushing : .notInMeeting
  }

  /// Ends an app's series.
  ///
  /// - Returns: `true` if there was one.
  @discardableResult
  mutating func endPushing(of source: Int, kernel: inout Kernel) -> Bool {
    guard let loop = publishers.sources[source].custom.loop else { return false }
    endRun(of: source)
    if let next = loop.next { kernel.cancel(next) }
    publishers.sources[source].custom.loop = nil
    followPushedRate(of: source, kernel: &kernel)
    return true
  }

  /// Signals the frames that an app pushes now to the SFU, if they have changed.
  mutating func followPushedRate(of source: Int, kernel: inout Kernel) {
    guard publishers.followPushedRate(of: source, at: kernel.now) else { return }
    announceOffers(of: source, kernel: &kernel)
  }

  private mutating func pushFrame(
    _ frames: CustomFrames, of source: Int, isLooped: Bool, kernel: inout Kernel
  ) -> Publishers.Push {
    let push = publishers.take(frames, of: source, isLooped: isLooped, at: kernel.now)
    // The SFU is informed before the first packet is sent.
    if push.hasChanged { announceOffers(of: source, kernel: &kernel) }
    if push.isEncoded {
      publishers.encode(source, endpoints: &endpoints, links: &links, kernel: &kernel)
    }
    return push
  }

  /// Writes the row of consecutive pushes with the same result.
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
