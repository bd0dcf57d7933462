package import Quantity

/// Sampler of a link's capacity over time, for estimators without feedback and for reports; query times must not
/// decrease.
package struct CapacityMeter: Sendable {
  private let course: CapacityCourse
  private var segment: CapacityCourse.Segment

  package init(profile: CapacityProfile) {
    course = CapacityCourse(profile)
    segment = course.segment(at: 0)
  }

  /// Returns the capacity at a point in time.
  package mutating func capacity(at time: SimTime) -> BitRate {
    if !segment.contains(time.nanoseconds) { segment = course.segment(at: time.nanoseconds) }
    return segment.rate
  }

  /// Computes the mean capacity between two points in time; for a trace of delivery opportunities, that of the
  /// opportunities in between. Without time in between, the capacity from then on.
  package func mean(from start: SimTime, to end: SimTime) -> BitRate {
    guard !course.isConstant else { return segment.rate }
    guard end > start else { return course.segment(at: start.nanoseconds).rate }
    let sum = course.integral(from: start.nanoseconds, to: end.nanoseconds)
    return BitRate(bitsPerSecond: Int64(sum / Int128((end - start).nanoseconds)))
  }
}
