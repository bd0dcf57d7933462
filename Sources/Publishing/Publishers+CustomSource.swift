import Endpoint
import Ladder
import Media
package import Plan
package import Quantity
package import SimulationKernel
package import Systems

/// Frames that an app produces itself.
extension Publishers {
  // MARK: Changing the source

  /// Begins to replace the camera by custom frames, or the reverse; until that is complete no frame is sent.
  ///
  /// - Returns: the result, with the vendor's name.
  package mutating func beginChange(
    sourceOf number: Int, to kind: VideoSourcePlan.Kind, kernel: inout Kernel
  ) -> CallResult {
    guard let source = streams.cameraOf[number] else { return .noVideoConnection }
    let capture = sources[source].capture
    guard kind != (sources[source].custom.change?.kind ?? capture.kind) else { return .unchanged }
    let completesAt = kernel.now + sources[source].custom.rules.changeTime
    sources[source].custom.change = SourceChange(kind: kind, completesAt: completesAt)
    kernel.schedule(at: completesAt, tag: MeetingEvent(.sourceChange, source).tag)
    return .ok
  }

  /// Completes a change of source.
  ///
  /// - Returns: the new kind of source; `nil` if the change was superseded, or ended with its participant's call.
  package mutating func completeChange(of source: Int, at now: SimTime) -> VideoSourcePlan.Kind? {
    guard let change = sources[source].custom.change, change.completesAt == now else { return nil }
    sources[source].custom.change = nil
    guard states[sources[source].participant].isJoined else { return nil }
    guard change.kind != sources[source].capture.kind else { return change.kind }
    sources[source].capture.kind = change.kind
    sources[source].custom.milliFramesPerSecond = 0
    sources[source].custom.refuse()
    let custom = sources[source].sender.custom
    let own = sources[source].sender.base
    setLadder(sources[source].plan.otherLadder ?? custom, of: source)
    if sources[source].plan.otherLadder != nil {
      sources[source].plan.otherLadder = change.kind == .camera ? custom : own
    }
    setSizes(
      of: source, frame: change.kind == .camera ? sources[source].plan.firstFrame : nil, isTurned: false)
    if sources[source].sender.settings.areSet { reconfigure(source, renewing: true) }
    return change.kind
  }

  // MARK: Pushing frames

  /// Outcome of a pushed frame.
  package struct Push {
    package var result: CallResult
    /// Set if the frame is encoded, not only accepted.
    package var isEncoded: Bool
    /// Set if the source's offer has changed.
    package var hasChanged: Bool
  }

  /// Handles a frame that the app pushes, with the result for the current state.
  package mutating func take(
    _ frames: CustomFrames, of source: Int, isLooped: Bool, at now: SimTime
  ) -> Push {
    var push = Push(result: result(of: frames, source), isEncoded: false, hasChanged: false)
    let isTaken = push.result == .success
    if isTaken {
      let isFaster = sources[source].custom.steadyRate > sources[source].custom.mostMilliFrames
      push.isEncoded = sources[source].custom.intake.admits(at: now, evenly: isFaster)
      if push.isEncoded, !isLooped { sources[source].custom.singles.append(now) }
      let isTurned = frames.quarterTurns % 2 == 1
      if sources[source].custom.frame != frames.size || sources[source].custom.isTurned != isTurned {
        carry(frames.size, isTurned: isTurned, of: source)
        push.hasChanged = true
      }
    }
    if isLooped { sources[source].custom.loop?.isTaken = isTaken }
    if followPushedRate(of: source, at: now) { push.hasChanged = true }
    return push
  }

  private func result(of frames: CustomFrames, _ source: Int) -> CallResult {
    guard states[sources[source].participant].isJoined else { return .notInMeeting }
    guard sources[source].capture.kind == .custom, sources[source].custom.change == nil else {
      return .notUsingCustomVideoSource
    }
    guard !states[sources[source].participant].isVideoMuted else { return .videoMuted }
    guard frames.size.pixels <= sources[source].custom.rules.framePixels else { return .maxFrameSizeExceeded }
    return FrameAspectRatio(of: frames.size) == nil ? .unsupportedAspectRatio : .success
  }

  /// Limits the offer to the rate at which frames are pushed now.
  ///
  /// - Returns: `true` if the rate has changed.
  package mutating func followPushedRate(of source: Int, at now: SimTime) -> Bool {
    guard sources[source].custom.followRate(at: now), sources[source].capture.kind == .custom else {
      return false
    }
    refreshLadder(of: source)
    return true
  }

  // MARK: Encodings

  /// Sets a source's encodings, without its app's settings.
  private mutating func setLadder(_ ladder: Ladder, of source: Int) {
    guard sources[source].sender.base != ladder else { return }
    sources[source].sender.base = ladder
    sources[source].plan.ladder = ladder
    sources[source].allocator = sources[source].plan.allocator
  }

  /// Sets a source's encodings for pushed frames of another size or orientation.
  private mutating func carry(_ frame: Resolution, isTurned: Bool, of source: Int) {
    let own = sources[source].plan.pushedLadders.first { $0.frame == frame }?.ladder
    setLadder(own ?? sources[source].sender.custom, of: source)
    setSizes(of: source, frame: frame, isTurned: isTurned)
    if sources[source].sender.settings.areSet { reconfigure(source, renewing: false) }
  }

  /// Sets the encodings to the sizes at which they carry pushed frames, or to their own (`nil`).
  ///
  /// Their limits stay, since a sender's limits are set per encoding. Offers keep the sizes before any turn: a request
  /// for 720p means the frame's shorter side whichever way the device is held.
  mutating func setSizes(of source: Int, frame: Resolution?, isTurned: Bool) {
    sources[source].custom.frame = frame
    sources[source].custom.isTurned = isTurned
    sources[source].applyDemand()
    let plan = sources[source].plan
    for (index, size) in sources[source].encodingSizes.enumerated() {
      // An encoding that is not produced continues as the frame itself until nobody receives it.
      guard let size = size ?? frame else { continue }
      let number = sources[source].encodings.lowerBound + index
      var encoding = plan.ladder.encodings[index]
      encoding.format.resolution = size
      renew(number, to: encoding, size: isTurned ? size.rotated : size)
      encoders[number].keyFrames.isRequested = true
    }
    refreshLadder(of: source)
    refreshSending(source)
  }

  /// Offers the encodings at the current sizes and rates of their source.
  mutating func refreshLadder(of source: Int) {
    sources[source].refreshLadder()
    for (number, encoding) in zip(sources[source].encodings, sources[source].plan.ladder.encodings) {
      encoders[number].rates.follow(encoding, source: sources[source].pushedRate)
    }
    refreshOffers(of: source)
  }
}

extension SourceState {
  /// Frame rate that the encodings follow [1/1000 Hz]; `nil` where they already match the camera's.
  package var pushedRate: Int? {
    if capture.kind == .custom { return custom.milliFramesPerSecond }
    return plan.kind == .custom ? plan.capture.milliFramesPerSecond : nil
  }

  /// Size of each encoding before any turn; `nil` for one that is not produced.
  var encodingSizes: [Resolution?] {
    let sizes: [Resolution?] =
      custom.frame.map(plan.ladder.sizes(carrying:)) ?? plan.ladder.encodings.map(\.format.resolution)
    guard sender.off != 0 else { return sizes }
    return sizes.enumerated().map { sender.off >> UInt32($0) & 1 == 1 ? nil : $1 }
  }

  /// Encodings that only larger frames fill, one bit each, without those that viewers still receive.
  var unfilled: UInt32 {
    guard let frame = custom.frame else { return 0 }
    let unfilled: UInt32 = plan.ladder.sizes(carrying: frame).enumerated()
      .reduce(0) { $1.element == nil ? $0 | 1 << UInt32($1.offset) : $0 }
    return unfilled & ~sender.requested.used
  }

  /// Sets ``ladder`` to the current encodings.
  mutating func refreshLadder() {
    let running = pushedRate.map(plan.ladder.running(at:)) ?? plan.ladder
    ladder = running.layers(carrying: custom.frame, without: sender.off)
  }
}
