package import Quantity

/// Time that a viewer takes to recover to what its link can carry after the capacity has risen or an outage has ended.
///
/// A recovery begins when the capacity rises (the end of an outage is a rise from nothing) and finds the viewer's
/// utility below 90 % of the optimum at the new capacity; it ends when the utility reaches 90 % of the optimum.
/// Further rises in the meantime belong to it; if the capacity falls, it is abandoned and not counted. A recovery that
/// has not ended at the end of the run is unfinished. The definition and its 90 % are ours: rate controllers are
/// judged by their response to such steps of the capacity (RFC 8867), but nothing is published on what viewers see.
package struct RecoveryMeter: Hashable, Sendable {
  /// Share of the optimum at which a viewer has recovered [1/100].
  private static let percent: Int64 = 90

  private var capacity: Int64?
  private var beganAt: SimTime?
  /// Completed recoveries.
  package private(set) var count = 0
  /// Total duration of the completed recoveries.
  package private(set) var total = SimDuration.zero
  /// Longest completed recovery.
  package private(set) var longest = SimDuration.zero

  package init() {}

  /// Records the state of a viewer from a moment on; a rise of the capacity is noticed only if this is called right
  /// after it.
  ///
  /// - Parameters:
  ///   - capacity: capacity of the viewer's link, zero during an outage [bit/s].
  ///   - utility: utility of what the viewer sees now [millionths].
  ///   - optimum: optimum at the capacity [millionths].
  package mutating func note(capacity: Int64, utility: Int64, optimum: Int64, at now: SimTime) {
    let before = self.capacity
    self.capacity = capacity
    let isRecovered = utility * 100 >= optimum * Self.percent
    if let before, capacity < before {
      beganAt = nil
    } else if let start = beganAt {
      guard isRecovered else { return }
      let time = now - start
      count += 1
      total += time
      longest = max(longest, time)
      beganAt = nil
    } else if let before, capacity > before, !isRecovered {
      beganAt = now
    }
  }

  /// `true` while a recovery has begun and not ended.
  package var isRecovering: Bool { beganAt != nil }
  /// Mean duration of a recovery; `nil` without one.
  package var mean: SimDuration? {
    count > 0 ? SimDuration(nanoseconds: (total.nanoseconds + Int64(count) / 2) / Int64(count)) : nil
  }
}
