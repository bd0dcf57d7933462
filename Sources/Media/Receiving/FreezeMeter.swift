package import Quantity

/// Counts freezes as defined by W3C webrtc-stats (`freezeCount`, `totalFreezesDuration`): a frame lasts at least max(3
/// x average, average + 150 ms), with the average over the last 30 frame durations.
///
/// As in libwebrtc (`video_quality_observer2.cc`), the average includes the frame's own duration and needs five
/// samples.
package struct FreezeMeter: BitwiseCopyable {
  /// A frame that freezes lasts longer than the average by this [ns].
  private static let leastExcess: Int64 = 150_000_000

  /// Cumulative.
  package private(set) var freezeCount: UInt32 = 0
  package private(set) var freezesDuration = SimDuration.zero

  private var known = 0
  private var next = 0
  private var sum: Int64 = 0
  private var lastRendered: Int64 = -1
  private var durations = InlineArray<30, Int64>(repeating: 0)

  package init() {}

  /// Records that a frame is rendered.
  package mutating func render(at time: SimTime) {
    defer { lastRendered = time.nanoseconds }
    guard lastRendered >= 0 else { return }
    let duration = time.nanoseconds - lastRendered
    if known == 30 { sum -= durations[next] } else { known += 1 }
    durations[next] = duration
    sum += duration
    next = next == 29 ? 0 : next + 1
    guard known >= 5, duration >= Self.leastExcess else { return }
    let average = sum / Int64(known)
    guard duration >= max(3 * average, average + Self.leastExcess) else { return }
    freezeCount += 1
    freezesDuration.nanoseconds += duration
  }

  /// Restarts after a deliberate pause or rate change, which is not a freeze.
  package mutating func restart() {
    lastRendered = -1
    known = 0
    next = 0
    sum = 0
  }
}
