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

  /// Frames since the beginning or the last restart.
  private var rendered = 0
  private var lastRendered: Int64 = 0
  /// When the last frames were rendered [ns], each at its number: durations that follow each other need not be added up.
  private var times = InlineArray<32, Int64>(repeating: 0)

  package init() {}

  /// Records that a frame is rendered.
  package mutating func render(at time: SimTime) {
    let now = time.nanoseconds
    let duration = now - lastRendered
    if duration >= Self.leastExcess, rendered >= 5 {
      let known = min(rendered, 30)
      let average = (now - times[(rendered - known) & 31]) / Int64(known)
      if duration >= max(3 * average, average + Self.leastExcess) {
        freezeCount += 1
        freezesDuration.nanoseconds += duration
      }
    }
    times[rendered & 31] = now
    rendered += 1
    lastRendered = now
  }

  /// Restarts after a deliberate pause or rate change, which is not a freeze.
  package mutating func restart() { rendered = 0 }
}
