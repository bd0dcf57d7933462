import Quantity

/// The scroll offset of a grid over time [pt]: it moves at a constant speed [our model: a finger's slows down].
struct Scrolling: Hashable, Sendable {
  /// How often a moving view is looked at [our model: browsers observe intersections once a frame].
  static let lookPeriod = SimDuration.milliseconds(50)

  private var start: Double
  private var end: Double
  private var startedAt = SimTime.zero
  private var duration = SimDuration.zero

  /// At rest.
  init(at offset: Double) {
    start = offset
    end = offset
  }

  /// A duration of zero jumps.
  init(from start: Double, to end: Double, at now: SimTime, over duration: SimDuration) {
    self.start = start
    self.end = end
    startedAt = now
    self.duration = duration
  }

  var endsAt: SimTime { startedAt + duration }

  func offset(at now: SimTime) -> Double {
    guard now < endsAt else { return end }
    return start + (end - start) * (now - startedAt).seconds / duration.seconds
  }
}
