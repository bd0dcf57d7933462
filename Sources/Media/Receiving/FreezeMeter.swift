package import Quantity

/// Counter of freezes as defined by W3C webrtc-stats (`freezeCount`, `totalFreezesDuration`): a frame lasts at least
/// max(3 x average, average + 150 ms), with the average over the last 30 frame durations.
///
/// As in libwebrtc (`video_quality_observer2.cc`), the average includes the frame's own duration and needs five
/// samples. A frame after which the stream became inactive, without packets for five seconds
/// (`video_receive_stream2.cc`), is a pause, which is no freeze and no sample.
package struct FreezeMeter: BitwiseCopyable {
  /// Minimum excess over the average in the duration of a frame that freezes [ns].
  private static let leastExcess: Int64 = 150_000_000

  /// Cumulative number of freezes.
  package private(set) var freezeCount: UInt32 = 0
  /// Cumulative duration of freezes.
  package private(set) var freezesDuration = SimDuration.zero
  /// Cumulative duration of pauses.
  package private(set) var pausesDuration = SimDuration.zero
  private var isInactive = false

  private var lastRendered: Int64 = 0
  private var times = RecentTimes()

  /// Time at which the last frame was rendered.
  package var lastShownAt: SimTime { SimTime(nanoseconds: lastRendered) }

  package init() {}

  /// Records that a frame is rendered.
  package mutating func render(at time: SimTime) {
    let now = time.nanoseconds
    if isInactive {
      isInactive = false
      pausesDuration.nanoseconds += now - lastRendered
      times.skip(to: now)
      lastRendered = now
      return
    }
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

  /// Records that the stream has been inactive since the last frame.
  package mutating func noteInactivity() { isInactive = true }

  /// Restarts after a deliberate pause or rate change, which is not a freeze.
  package mutating func restart() { times.restart() }
}
