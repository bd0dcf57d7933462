package import Quantity

extension CapacityProfile {
  /// Adds `rate` wherever the capacity is non-zero; returns `nil` for a trace of delivery opportunities.
  package func raised(by rate: BitRate) -> CapacityProfile? {
    guard let base = base.raised(by: rate) else { return nil }
    var profile = CapacityProfile(base)
    for step in changes { profile.change(step.raised(by: rate)) }
    return profile
  }
}

extension CapacityProfile.Base {
  fileprivate func raised(by rate: BitRate) -> Self? {
    switch self {
    case .constant(let capacity): return .constant(capacity.raised(by: rate))
    case .steps(let steps): return .steps(steps.map { $0.raised(by: rate) })
    case .trace(let trace):
      guard case .rates(let steps) = trace.content else { return nil }
      return .trace(
        CapacityTrace(
          content: .rates(steps.map { $0.raised(by: rate) }), period: trace.period,
          continuation: trace.continuation))
    }
  }
}

extension CapacityStep {
  fileprivate func raised(by rate: BitRate) -> CapacityStep {
    CapacityStep(at: at, rate: self.rate.raised(by: rate))
  }
}

extension BitRate {
  /// Adds a rate, unless this one is zero: an outage remains an outage.
  fileprivate func raised(by rate: BitRate) -> BitRate { self == .zero ? self : self + rate }
}
