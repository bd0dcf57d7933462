package import Quantity
package import Systems

/// Times at which the bridge allocates on its own (`BandwidthAllocator`): when the estimate has changed enough from the
/// one in use, or else a few seconds after the last allocation.
///
/// In between, allocations for any other reason use that same estimate. Rises and falls have the same threshold.
package struct JitsiSchedule: ServerSchedule {
  private let changeThreshold: Fraction
  private let period: SimDuration
  /// Estimate in use; `nil` before the first.
  private var acted: BitRate?
  private var decidedAt: SimTime?

  package init(_ parameters: JitsiParameters) {
    changeThreshold = parameters.changeThreshold
    period = parameters.reallocationPeriod + parameters.periodSlack
  }

  package mutating func receive(_ estimate: BitRate, allocated: BitRate, at now: SimTime) -> Bool {
    guard isNews(estimate) else { return false }
    acted = estimate
    return true
  }

  private func isNews(_ estimate: BitRate) -> Bool {
    guard let acted else { return true }
    let change = abs(estimate.bitsPerSecond - acted.bitsPerSecond)
    return Double(change) > Double(acted.bitsPerSecond) * changeThreshold.value
  }

  package mutating func noteDecision(at now: SimTime) { decidedAt = now }

  package var dueAt: SimTime? { decidedAt.map { $0 + period } }
  /// A layer that starts, not one that stops (`BitrateCalculator.kt`).
  package var triggers: ServerTriggers {
    var triggers = ServerTriggers()
    triggers.layers = .startingLayers
    return triggers
  }

  package func complete(_ state: inout AllocationState, queued: ByteCount, at now: SimTime) {
    state.changeThreshold = changeThreshold
    if let acted { state.budget = acted }
  }
}
