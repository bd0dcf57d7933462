package import Quantity

/// Counts freezes by the definition of W3C webrtc-stats (`freezeCount`, `totalFreezesDuration`): a frame stays for at
/// least max(3 x average, average + 150 ms), the average being that of the last 30 frame durations.
///
/// As in libwebrtc (`video_quality_observer2.cc`), the frame's own duration is one of them, and five have to be known.
package struct FreezeMeter: BitwiseCopyable {
  /// Since the beginning.
  package private(set) var freezeCount: UInt32 = 0
  package private(set) var freezesDuration = SimDuration.zero

  private var durations = InlineArray<30, Int64>(repeating: 0)
  private var known = 0
  private var next = 0
  private var sum: Int64 = 0
  private var lastRendered: Int64 = -1

  package init() {}

  /// A frame is shown.
  package mutating func render(at time: SimTime) {
    defer { lastRendered = time.nanoseconds }
    guard lastRendered >= 0 else { return }
    let duration = time.nanoseconds - lastRendered
    if known == 30 { sum -= durations[next] } else { known += 1 }
    durations[next] = duration
    sum += duration
    next = next == 29 ? 0 : next + 1
    guard known >= 5 else { return }
    let average = sum / Int64(known)
    guard duration >= max(3 * average, average + 150_000_000) else { return }
    freezeCount += 1
    freezesDuration.nanoseconds += duration
  }

  /// The picture stops or changes its rate on purpose: what follows is no freeze.
  package mutating func restart() {
    lastRendered = -1
    known = 0
    next = 0
    sum = 0
  }
}
