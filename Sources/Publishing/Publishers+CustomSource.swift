package import Endpoint
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
  package mutating func completeChange(
    of source: Int, _ sizes: inout PictureSizes, at now: SimTime
  ) -> VideoSourcePlan.Kind? {
    guard let change = sources[source].custom.change, change.completesAt == now else { return nil }
    sources[source].custom.change = nil
    guard states[sources[source].participant].isJoined else { return nil }
    guard change.kind != sources[source].capture.kind else { return change.kind }
    sources[source].change(to: change.kind, &encoders, &sizes)
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
    _ frames: CustomFrames, of source: Int, _ sizes: inout PictureSizes, isLooped: Bool, at now: SimTime
  ) -> Push {
    var push = Push(result: result(of: frames, source), isEncoded: false, hasChanged: false)
    let isTaken = push.result == .success
    if isTaken {
      let isFaster = sources[source].custom.steadyRate > sources[source].custom.mostMilliFrames
      push.isEncoded = sources[source].custom.intake.admits(at: now, evenly: isFaster)
      if push.isEncoded, !isLooped { sources[source].custom.singles.append(now) }
      let isTurned = frames.quarterTurns % 2 == 1
      if sources[source].custom.frame != frames.size || sources[source].custom.isTurned != isTurned {
        sources[source].carry(frames.size, isTurned: isTurned, &encoders, &sizes)
        push.hasChanged = true
      }
    }
    if isLooped { sources[source].custom.loop?.isTaken = isTaken }
    if sources[source].followPushedRate(&encoders, at: now) { push.hasChanged = true }
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

  /// Limits a source's offer to the rate at which frames are pushed now.
  ///
  /// - Returns: `true` if the rate has changed.
  package mutating func followPushedRate(of source: Int, at now: SimTime) -> Bool {
    sources[source].followPushedRate(&encoders, at: now)
  }
}
