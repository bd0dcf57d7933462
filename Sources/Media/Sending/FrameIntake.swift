package import Quantity

/// Limiter of the frames that an app pushes: no second has more than the limit, however close together they arrive
/// [our model].
///
/// A short batch is accepted whole, up to the limit. If an app keeps pushing faster, frames are left out evenly, by
/// ``FrameSpacing``.
package struct FrameIntake: Hashable, Sendable {
  private var spacing: FrameSpacing
  /// Maximum number of frames in ``period``: the limit per second, rounded up.
  private let count: Int
  /// Time that ``count`` frames take at the limit.
  private let period: SimDuration
  /// Times of the last accepted frames, at most ``count``; once there are that many, the oldest is at ``oldest``.
  private var taken: [SimTime] = []
  private var oldest = 0

  /// - Parameter milliFramesPerSecond: the limit [1/1000 Hz], above zero.
  package init(milliFramesPerSecond: Int) {
    spacing = FrameSpacing(milliFramesPerSecond: milliFramesPerSecond)
    count = (milliFramesPerSecond + 999) / 1000
    period = SimDuration(frames: Int64(count), milliFramesPerSecond: milliFramesPerSecond)
  }

  /// Checks whether a frame that arrives now is accepted, and records it if so.
  ///
  /// - Parameter evenly: `true` if the app keeps pushing faster than the limit.
  package mutating func admits(at now: SimTime, evenly: Bool) -> Bool {
    if taken.count == count, now - taken[oldest] < period { return false }
    guard !evenly || spacing.admits(at: now) else { return false }
    if taken.count < count { taken.append(now) } else { taken[oldest] = now }
    oldest = (oldest + 1) % count
    return true
  }
}
