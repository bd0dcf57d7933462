/// Settled windows of a call [s].
///
/// The settled part of a segment is its last third, or its last 15 s if that is longer, but at most its last half;
/// segments shorter than 10 s have none. If no segment is long enough, or the capacity follows a trace, everything
/// after the first third of the call counts as settled.
enum SettledWindows {
  private static let shortest = 10

  /// Returns the settled window of each segment that has one.
  static func all(of segments: [Segment], seconds: Int, hasTrace: Bool) -> [(Segment, ClosedRange<Int>)] {
    let settled =
      hasTrace ? [] : segments.compactMap { segment in Self.settled(segment).map { (segment, $0) } }
    guard settled.isEmpty, let first = segments.first else { return settled }
    let whole = Segment(from: 0, to: seconds, kilobits: first.kilobits, flows: first.flows)
    return [(whole, seconds / 3...seconds - 1)]
  }

  /// Returns the settled part of a segment; `nil` for a short one.
  static func settled(_ segment: Segment) -> ClosedRange<Int>? {
    guard segment.length >= shortest else { return nil }
    let length = min(max(segment.length / 3, 15), segment.length / 2)
    return segment.to - length...segment.to - 1
  }
}
