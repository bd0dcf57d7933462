package import Allocation
package import Quantity
package import Systems

/// Times at which Signal's SFU allocates for a viewer: a second after the last time, or at once when the estimate falls
/// clearly below the allocation. It keeps the lowest estimates of the current and the previous generation.
package struct SignalSchedule: ServerSchedule {
  private let parameters: SignalParameters
  private var decidedAt: SimTime?
  /// Lowest estimate of the current generation; `nil` before the first estimate.
  private var present: BitRate?
  /// Lowest estimate of the previous generation; `nil` before the first estimate.
  private var previous: BitRate?
  /// End of the current generation; the first estimate after it starts the next.
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
      // The first estimate is the estimator's initial one.
      previous = present ?? estimate
      present = estimate
      generationEndsAt = now + parameters.generation
    }
  }

  /// Returns the rate that would drain a queue in time; upstream computes it every 100 ms, the model at each decision.
  private func drain(of queued: ByteCount) -> BitRate {
    BitRate(bytes: queued.bytes, in: parameters.queueDrainTime)
  }

  package mutating func noteDecision(at now: SimTime) { decidedAt = now }

  /// Time of the next decision, just past the spacing, which has to be exceeded.
  package var dueAt: SimTime? { decidedAt.map { $0 + parameters.spacing + SimDuration(nanoseconds: 1) } }

  package var triggers: ServerTriggers {
    var triggers = ServerTriggers()
    triggers.hearsSpeakers = true
    triggers.remembersRates = true
    return triggers
  }

  /// A new active speaker triggers reallocation if it is shown larger than requested.
  package func reacts(toSpeaker wish: Subscription, _ demand: ViewerDemand) -> Bool {
    guard let speaker = demand.speakerLines else { return false }
    return speaker > (wish.visibility == .onScreen ? wish.demand.maximumLines ?? 1 : 0)
  }

  package func complete(_ state: inout AllocationState, queued: ByteCount, at now: SimTime) {
    if state.demand.queueDrain == nil { state.demand.queueDrain = drain(of: queued) }
    guard state.demand.minimumTarget == nil, let present, let previous else { return }
    state.demand.minimumTarget = min(present, previous)
  }
}
