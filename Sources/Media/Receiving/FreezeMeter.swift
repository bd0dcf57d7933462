package import Quantity

/// Counter of freezes as defined by W3C webrtc-stats (`freezeCount`, `totalFreezesDuration`): a frame lasts at least
/// max(3 x average, average + 150 ms), with the average over the last 30 frame durations.
///
/// As in libwebrtc (`video_quality_observer2.cc`), the average includes the frame's own duration and needs five
/// samples.
package struct FreezeMeter: BitwiseCopyable {
  /// Minimum excess over the average in the duration of a frame that freezes [ns].
  private static let leastExcess: Int64 = 150_000_000

  /// Cumulative number of freezes.
  package private(set) var freezeCount: UInt32 = 0
  /// Cumulative duration of freezes.
  package private(set) var freezesDuration = SimDuration.zero

  private var lastRendered: Int64 = 0
  private var times = RecentTimes()

  /// Time at which the last frame was rendered.
  package var lastShownAt: SimTime { SimTime(nanoseconds: lastRendered) }

  package init() {}

  /// Records that a frame is rendered.
  package mutating func render(at time: SimTime) {
    let now = time.nanoseconds
    let duration = now - lastRendered
    let (durations, sum) = times.append(now)
    if duration >= Self.leastExcess, durations >= 5 {
      let average = sum / Int64(durations)
      if duration >= max(3 * average, average + Self.leastExcess) {
        freezeCount += 1
        freezesDuration.nanoseconds += duration
      }
    }
    lastRendered = now
  }

  /// Restarts after a deliberate pause or rate change, which is not a freeze.
  package mutating func restart() { times.restart() }
}
