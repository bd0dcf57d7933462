package import Quantity

/// Limits a frame rate by leaving out frames as evenly as their times allow.
///
/// No second from the first frame on has more than the limit. A frame that comes late leaves up to an interval to those
/// after it, so that an unsteady timer at just the limit loses one frame and no more.
package struct FrameSpacing: Hashable, Sendable, BitwiseCopyable {
  /// Between two frames [ns].
  private let interval: Int64
  /// When the next frame is due [ns]; `nil` before the first.
  private var due: Int64?

  /// - Parameter milliFramesPerSecond: the limit [1/1000 Hz], above zero.
  package init(milliFramesPerSecond: Int) {
    interval = 1_000_000_000_000 / Int64(milliFramesPerSecond)
  }

  /// Whether a frame that comes now is kept.
  package mutating func admits(at now: SimTime) -> Bool {
    let due = due ?? now.nanoseconds
    guard now.nanoseconds >= due else { return false }
    // What a pause leaves over is not caught up with.
    let start = now.nanoseconds - due >= interval ? now.nanoseconds : due
    self.due = start + interval
    return true
  }
}
