package import Quantity

/// Scroll offset of a grid over time [pt], at a constant speed [our model: scrolling by finger slows down].
package struct Scrolling: Hashable, Sendable {
  /// Interval at which a moving view is examined [our model: browsers observe intersections once a frame].
  package static let lookPeriod = SimDuration.milliseconds(50)

  private var start: Double
  private var end: Double
  private var startedAt = SimTime.zero
  private var duration = SimDuration.zero

  /// Creates an offset at rest.
  package init(at offset: Double) {
    start = offset
    end = offset
  }

  /// Creates a scroll; a duration of zero jumps.
  init(from start: Double, to end: Double, at now: SimTime, over duration: SimDuration) {
    self.start = start
    self.end = end
    startedAt = now
    self.duration = duration
  }

  package var endsAt: SimTime { startedAt + duration }

  /// Moves the offset back to the end of content that has shrunk; content that grows again does not move it.
  mutating func clamp(to limit: Double, at now: SimTime) {
    let current = offset(at: now)
    guard max(current, end) > limit else { return }
    self = Scrolling(
      from: min(current, limit), to: min(end, limit), at: now, over: max(endsAt - now, .zero))
  }

  package func offset(at now: SimTime) -> Double {
    guard now < endsAt else { return end }
    return start + (end - start) * (now - startedAt).seconds / duration.seconds
  }
}
