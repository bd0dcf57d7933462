package import Quantity

/// Limits how many frames are taken that an app pushes: no second has more than the limit, however close they come
/// [our model].
///
/// A short batch is taken whole up to the limit. Of an app that goes on pushing faster, frames are left out evenly, by
/// ``FrameSpacing``.
package struct FrameIntake: Hashable, Sendable {
  private var spacing: FrameSpacing
  /// How many frames ``period`` may have: the limit of a second, rounded up.
  private let count: Int
  /// How long so many take at the limit [ns].
  private let period: Int64
  /// When the last frames were taken, ``count`` at most; once there are so many, the oldest is at ``oldest``.
  private var taken: [SimTime] = []
  private var oldest = 0

  /// - Parameter milliFramesPerSecond: the limit [1/1000 Hz], above zero.
  package init(milliFramesPerSecond: Int) {
    spacing = FrameSpacing(milliFramesPerSecond: milliFramesPerSecond)
    count = (milliFramesPerSecond + 999) / 1000
    period = Int64(count) * 1_000_000_000_000 / Int64(milliFramesPerSecond)
  }

  /// Whether a frame that comes now is taken.
  ///
  /// - Parameter evenly: whether the app goes on pushing faster than the limit.
  package mutating func admits(at now: SimTime, evenly: Bool) -> Bool {
    if taken.count == count, (now - taken[oldest]).nanoseconds < period { return false }
    guard !evenly || spacing.admits(at: now) else { return false }
    if taken.count < count { taken.append(now) } else { taken[oldest] = now }
    oldest = (oldest + 1) % count
    return true
  }
}
