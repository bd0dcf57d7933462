import Allocation
import Quantity

/// Freezes of a tile while it was on the screen: those of W3C webrtc-stats, which count when the next frame ends them,
/// and a picture that stands still until it leaves the screen or the meeting ends, or for a second or longer although
/// the browser has too few frames to tell.
///
/// The latter are our model, as `getStats()` never counts them: the time without a frame, if frames have come since the
/// tile came on the screen, the stream is sent and forwarded or awaits a key frame, and the gap exceeds three times their
/// mean distance. libwebrtc compares with the last frames' durations once it has five since the stream began or resumed
/// (`video_quality_observer2.cc`).
struct FreezeTotal: Sendable {
  private var ended: (count: Int64, duration: SimDuration) = (0, .zero)
  /// Length of the intervals since the tile was last off the screen.
  private var visit = SimDuration.zero
  /// Frames in them.
  private var frames: Int64 = 0
  /// Length of the intervals since the last one with a frame.
  private var still = SimDuration.zero

  /// Minimum time without a frame that counts as a freeze although the browser counts none.
  private static let leastUncounted = SimDuration.seconds(1)

  /// Adds an interval in which the tile was on the screen.
  mutating func add(_ row: StreamRow, for length: SimDuration) {
    // The browser counts a freeze, if it does, in the interval with the next frame.
    if row.frames > 0, row.freezeCount == 0, isFrozen, still >= Self.leastUncounted {
      ended = (ended.count + 1, ended.duration + still)
    }
    visit += length
    ended.count += Int64(row.freezeCount)
    // A freeze that began off the screen counts only from here on.
    ended.duration += min(row.freezesDuration, visit)
    frames += Int64(row.frames)
    // A source that produces no frames is not frozen.
    let isSent = row.state == .receiving || row.state == .waitingForKeyFrame
    let isExpected = isSent && row.limitation != Limitation.sender.rawValue
    still = row.frames == 0 && isExpected ? still + length : .zero
  }

  /// Ends an open freeze, since the tile leaves the screen or is muted.
  mutating func leaveScreen() {
    ended = (count, duration)
    (visit, frames, still) = (.zero, 0, .zero)
  }

  var count: Int64 { ended.count + (isFrozen ? 1 : 0) }
  var duration: SimDuration { ended.duration + (isFrozen ? still : .zero) }

  private var isFrozen: Bool {
    frames > 0 && still.nanoseconds > 3 * (visit - still).nanoseconds / frames
  }
}
