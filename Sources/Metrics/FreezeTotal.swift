import Allocation
package import Quantity

/// Freezes of a tile while it was on the screen: those of W3C webrtc-stats, which count when the next frame ends them,
/// and a picture that stands still until it leaves the screen or the meeting ends, or for a second or longer although
/// the browser has too few frames to tell.
///
/// The latter are our model, as `getStats()` never counts them: the time without a frame, if frames have come since the
/// tile came on the screen, the stream is sent and forwarded or awaits a key frame, and the gap exceeds three times their
/// mean distance. libwebrtc compares with the last frames' durations once it has five since the stream began or resumed
/// (`video_quality_observer2.cc`).
package struct FreezeTotal: Sendable {
  private var ended: (count: Int64, duration: SimDuration) = (0, .zero)
  /// Length of the intervals since the tile was last off the screen.
  private var visit = SimDuration.zero
  /// Frames in them.
  private var frames: Int64 = 0
  /// Length of the intervals since the last one with a frame.
  private var still = SimDuration.zero

  /// Minimum time without a frame that counts as a freeze although the browser counts none.
  private static let leastUncounted = SimDuration.seconds(1)

  package init() {}

  /// Adds an interval in which the tile was on the screen.
  mutating func add(_ row: StreamRow, for length: SimDuration) {
    add(
      frames: Int64(row.frames), freezes: (Int64(row.freezeCount), row.freezesDuration),
      pauses: row.frameTimes.pauses,
      isExpected: Self.expectsFrames(in: row.state.rawValue, row.limitation), for: length)
  }

  /// Checks whether frames are expected of a tile: a source that produces none is not frozen.
  package static func expectsFrames(in state: String, _ limitation: String) -> Bool {
    let isSent = state == TileState.receiving.rawValue || state == TileState.waitingForKeyFrame.rawValue
    return isSent && limitation != Limitation.sender.rawValue
  }

  /// Adds an interval in which the tile was on the screen.
  ///
  /// - Parameters:
  ///   - frames: frames shown.
  ///   - freezes: those that the browser counts, and their length.
  ///   - pauses: length of the pauses that ended; zero if it is not known.
  package mutating func add(
    frames: Int64, freezes: (count: Int64, duration: SimDuration), pauses: SimDuration = .zero,
    isExpected: Bool,
    for length: SimDuration
  ) {
    // The browser counts a freeze, if it does, in the interval with the next frame.
    if frames > 0, freezes.count == 0, Self.standsStill(for: still, after: self.frames, in: visit - still) {
      // A pause is known to the frame, unless it began before the tile could be frozen.
      let isWhole = pauses > still && pauses <= still + length + length
      ended = (ended.count + 1, ended.duration + (isWhole ? pauses : still))
    }
    visit += length
    ended.count += freezes.count
    // A freeze that began off the screen counts only from here on.
    ended.duration += min(freezes.duration, visit)
    self.frames += frames
    still = frames == 0 && isExpected ? still + length : .zero
  }

  /// Ends an open freeze, since the tile leaves the screen or is muted.
  package mutating func leaveScreen() {
    ended = (count, duration)
    (visit, frames, still) = (.zero, 0, .zero)
  }

  package var count: Int64 { ended.count + (isFrozen ? 1 : 0) }
  package var duration: SimDuration { ended.duration + (isFrozen ? still : .zero) }

  private var isFrozen: Bool { Self.isLong(still, after: frames, in: visit - still) }

  /// Checks whether a time without frames exceeds three times the mean distance of those before it.
  private static func isLong(_ still: SimDuration, after frames: Int64, in time: SimDuration) -> Bool {
    frames > 0 && still.nanoseconds > 3 * time.nanoseconds / frames
  }

  /// Checks whether a picture stands still for so long that it is a freeze although the browser counts none.
  ///
  /// - Parameters:
  ///   - frames: number of frames that the tile has shown since it came on the screen.
  ///   - time: time in which they came.
  package static func standsStill(
    for still: SimDuration, after frames: Int64, in time: SimDuration
  ) -> Bool { still >= leastUncounted && isLong(still, after: frames, in: time) }
}
