package import Quantity

/// One viewer's utilities at one moment, from what would have been possible to what was seen [millionths].
package struct UtilityCourse: Hashable, Sendable, BitwiseCopyable {
  /// Utility of the continuous hull at the capacity; see ``AllocationProblem/hullUtility(within:)``.
  package var hull: Int64 = 0
  /// Utility of the exact optimum at the capacity of the viewer's link.
  package var atCapacity: Int64 = 0
  /// Utility of the exact optimum at the estimate.
  package var atEstimate: Int64 = 0
  /// Utility of the exact optimum at the rule's budget, which some rules exceed.
  package var atBudget: Int64 = 0
  /// Utility of the server's decision.
  package var decided: Int64 = 0
  /// Utility of what the server forwarded.
  package var forwarded: Int64 = 0
  /// Utility of what the viewer decoded.
  package var decoded: Int64 = 0

  package init() {}

  package init(
    hull: Int64, atCapacity: Int64, atEstimate: Int64, atBudget: Int64, decided: Int64, forwarded: Int64,
    decoded: Int64
  ) {
    self.hull = hull
    self.atCapacity = atCapacity
    self.atEstimate = atEstimate
    self.atBudget = atBudget
    self.decided = decided
    self.forwarded = forwarded
    self.decoded = decoded
  }
}

/// Gap between a viewer's optimum and what it saw, split by cause [millionths].
///
/// The parts are signed: an estimate above the capacity gains what a loss then costs.
package struct GapParts: Hashable, Sendable, BitwiseCopyable {
  /// Utility of what the viewer decoded.
  package var utility: Int64
  /// Utility of the optimum at the capacity.
  package var optimum: Int64
  /// Part that the estimate costs by differing from the capacity.
  package var estimate: Int64
  /// Part that the client's cap and the server's reserves for voices, headers, repairs and probes cost.
  package var reserve: Int64
  /// Part that the rule costs by sharing out its budget worse than the optimum.
  package var rule: Int64
  /// Part between decision and forwarding: layers decided but not yet forwarded, or still forwarded.
  package var switching: Int64
  /// Part that was forwarded but not decoded.
  package var loss: Int64
  /// Gain that intermediate layers could still bring at the capacity; not one of the parts.
  package var ladder: Int64

  /// Splits a gap: `estimate + reserve + rule + switching + loss == optimum - utility`.
  package init(_ course: UtilityCourse) {
    utility = course.decoded
    optimum = course.atCapacity
    estimate = course.atCapacity - course.atEstimate
    reserve = course.atEstimate - course.atBudget
    rule = course.atBudget - course.decided
    switching = course.decided - course.forwarded
    loss = course.forwarded - course.decoded
    ladder = course.hull - course.atCapacity
  }
}

/// Means of a viewer's utilities over time, exact in integers.
package struct UtilityMeter: Hashable, Sendable {
  /// Sum of the hull utility times duration [millionths x ns].
  private var hull: Int128 = 0
  /// Sum of the optimum at the capacity times duration [millionths x ns].
  private var atCapacity: Int128 = 0
  /// Sum of the optimum at the estimate times duration [millionths x ns].
  private var atEstimate: Int128 = 0
  /// Sum of the optimum at the rule's budget times duration [millionths x ns].
  private var atBudget: Int128 = 0
  /// Sum of the decision's utility times duration [millionths x ns].
  private var decided: Int128 = 0
  /// Sum of the utility of what was forwarded times duration [millionths x ns].
  private var forwarded: Int128 = 0
  /// Sum of the utility of what was decoded times duration [millionths x ns].
  private var decoded: Int128 = 0
  /// Measured time.
  package private(set) var duration = SimDuration.zero

  package init() {}

  /// Adds the utilities of an interval.
  package mutating func add(_ course: UtilityCourse, for duration: SimDuration) {
    let time = Int128(duration.nanoseconds)
    hull += Int128(course.hull) * time
    atCapacity += Int128(course.atCapacity) * time
    atEstimate += Int128(course.atEstimate) * time
    atBudget += Int128(course.atBudget) * time
    decided += Int128(course.decided) * time
    forwarded += Int128(course.forwarded) * time
    decoded += Int128(course.decoded) * time
    self.duration += duration
  }

  /// Means so far, each rounded to the nearest millionth, halves up; `nil` before any time has passed.
  package var mean: UtilityCourse? {
    guard duration > .zero else { return nil }
    let time = Int128(duration.nanoseconds)
    func mean(_ sum: Int128) -> Int64 { Int64((sum * 2 + time) / (time * 2)) }
    return UtilityCourse(
      hull: mean(hull), atCapacity: mean(atCapacity), atEstimate: mean(atEstimate), atBudget: mean(atBudget),
      decided: mean(decided), forwarded: mean(forwarded), decoded: mean(decoded))
  }

  /// Gap and its parts: differences of the rounded means, so that they add up to the last digit.
  package var gap: GapParts? { mean.map(GapParts.init) }
}
