/// Settled windows of a recorded single-encoding call [s].
///
/// The settled part of a segment is its last third, or its last 15 s if that is longer, but at most its last half;
/// segments shorter than 10 s have none. If no segment is long enough, everything after the first third of the call
/// counts.
struct SettledWindows {
  private static let shortest = 10

  /// Windows of received rates, and of heights.
  let rates: [ClosedRange<Int>]
  let heights: [ClosedRange<Int>]
  /// Window for measuring the estimate's sawtooth in a call of constant capacity.
  let sawtooth: ClosedRange<Int>

  init(_ call: RecordedCall) {
    let segments = call.segments
    let last = call.duration - 1
    sawtooth = call.duration / 3...last
    let settled = segments.compactMap(Self.settled)
    let kept = Self.kept[segments.map(\.from) + [call.duration]]
    rates = kept?.rates ?? (settled.isEmpty ? [sawtooth] : settled)
    heights = kept?.heights ?? rates
  }

  /// Returns the settled part of a segment; `nil` for a short one.
  static func settled(_ segment: Segment) -> ClosedRange<Int>? {
    guard segment.length >= shortest else { return nil }
    let length = min(max(segment.length / 3, 15), segment.length / 2)
    return segment.to - length...segment.to - 1
  }

  /// Windows of schedules that were measured before the rule existed, by the times of their changes and their end.
  private static let kept: [[Int]: (rates: [ClosedRange<Int>], heights: [ClosedRange<Int>])] = [
    [0, 45]: ([30...44], [40...44]),
    [0, 40, 60, 80, 100]: ([25...39, 55...60, 70...79, 90...99], [30...39, 55...59, 72...79, 90...99]),
  ]
}
