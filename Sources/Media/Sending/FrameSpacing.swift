package import Quantity

/// Limiter of a frame rate that leaves out frames as evenly as their times allow.
///
/// No second from the first frame on has more than the limit. A late frame leaves up to an interval to those after it,
/// so that an unsteady timer at exactly the limit loses one frame and no more.
package struct FrameSpacing: Hashable, Sendable, BitwiseCopyable {
  /// Interval between two frames.
  private let interval: SimDuration
  /// Time when the next frame is due; `nil` before the first.
  private var due: SimTime?

  /// - Parameter milliFramesPerSecond: the limit [1/1000 Hz], above zero.
  package init(milliFramesPerSecond: Int) {
    interval = SimDuration(milliFramesPerSecond: milliFramesPerSecond)
  }

  /// Checks whether a frame that arrives now is kept, and schedules the next one if so.
  package mutating func admits(at now: SimTime) -> Bool {
    let due = due ?? now
    guard now >= due else { return false }
    // Frames missed during a pause are not made up for.
    let start = now - due >= interval ? now : due
    self.due = start + interval
    return true
  }
}
