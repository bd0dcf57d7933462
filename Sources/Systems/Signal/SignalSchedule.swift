import Allocation
package import Quantity

/// When Signal's SFU allocates for a viewer: a second after the last time, or at once when the estimate falls clearly
/// below what is allocated. It remembers the least estimate of the present and the previous generation.
package struct SignalSchedule: ServerSchedule {
  private let parameters: SignalParameters
  private var decidedAt: SimTime?
  /// The least estimate of the present generation and of the one before; `nil` before the first estimate.
  private var present: BitRate?
  private var previous: BitRate?
  /// The first estimate after this begins a generation.
  private var generationEndsAt: SimTime?

  package init(_ parameters: SignalParameters = SignalParameters()) { self.parameters = parameters }

  package mutating func receive(_ estimate: BitRate, allocated: BitRate, at now: SimTime) -> Bool {
    remember(estimate, at: now)
    let share = Int64((parameters.fallShare.value * 1e6).rounded())
    let kept = allocated.bitsPerSecond.scaled(by: share, per: 1_000_000)
    return kept > estimate.bitsPerSecond || (dueAt.map { now >= $0 } ?? true)
  }

  private mutating func remember(_ estimate: BitRate, at now: SimTime) {
    if let end = generationEndsAt, now <= end {
      present = min(present ?? estimate, estimate)
    } else {
      // What an estimator starts with is its first estimate.
      previous = present ?? estimate
      present = estimate
      generationEndsAt = now + parameters.generation
    }
  }

  /// The rate at which a queue is empty in time, as upstream reckons it every 100 ms; here when it decides.
  private func drain(of queued: ByteCount) -> BitRate {
    let time = max(1, parameters.queueDrainTime.nanoseconds)
    return BitRate(bitsPerSecond: queued.bytes.scaled(by: 8_000_000_000, per: time))
  }

  package mutating func noteDecision(at now: SimTime) { decidedAt = now }

  /// Not before more than a second has passed.
  package var dueAt: SimTime? { decidedAt.map { $0 + parameters.spacing + SimDuration(nanoseconds: 1) } }

  package var layerReaction: LayerReaction { .nothing }

  package func complete(_ state: inout AllocationState, queued: ByteCount, at now: SimTime) {
    if state.demand.queueDrain == nil { state.demand.queueDrain = drain(of: queued) }
    guard state.demand.minimumTarget == nil, let present, let previous else { return }
    state.demand.minimumTarget = min(present, previous)
  }
}
