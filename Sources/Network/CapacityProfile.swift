package import Quantity

/// A link's capacity over a run: a base profile, overridden by changes from the timeline.
package struct CapacityProfile: Hashable, Sendable {
  /// The capacity before the first change.
  package enum Base: Hashable, Sendable {
    case constant(BitRate)
    /// Steps with increasing times, the first at zero.
    case steps([CapacityStep])
    case trace(CapacityTrace)
  }

  package var base: Base
  /// Changes in order of time; the first one replaces the base from then on, and of two at one time the later call
  /// wins.
  package private(set) var changes: [CapacityStep]

  package init(_ base: Base) {
    self.base = base
    changes = []
  }

  package static func constant(_ rate: BitRate) -> CapacityProfile { .init(.constant(rate)) }

  /// Changes the capacity from a point in time on.
  package mutating func change(_ step: CapacityStep) {
    let index = changes.firstIndex { $0.at > step.at } ?? changes.endIndex
    changes.insert(step, at: index)
  }

  /// The piecewise constant capacity up to `end`, times increasing from zero; a trace of delivery opportunities is
  /// converted to its mean per second, for reports.
  package func steps(until end: SimTime) -> [CapacityStep] {
    let firstChange = changes.first?.at ?? .distantFuture
    var steps = baseSteps(until: min(end, firstChange)).filter { $0.at < firstChange || $0.at == .zero }
    for change in changes {
      if let last = steps.last, last.at == change.at { steps.removeLast() }
      steps.append(change)
    }
    return steps
  }

  private func baseSteps(until end: SimTime) -> [CapacityStep] {
    switch base {
    case .constant(let rate):
      return [CapacityStep(at: .zero, rate: rate)]
    case .steps(let steps):
      return steps.first?.at == .zero ? steps : [CapacityStep(at: .zero, rate: .zero)] + steps
    case .trace(let trace):
      let pass: [CapacityStep]
      switch trace.content {
      case .rates(let steps): pass = steps
      case .opportunities(let times): pass = Self.ratesPerSecond(times, period: trace.period)
      }
      guard trace.continuation == .loop else { return pass }
      var all: [CapacityStep] = []
      var start = SimTime.zero
      while start <= end {
        for step in pass where start + (step.at - .zero) <= end {
          all.append(CapacityStep(at: start + (step.at - .zero), rate: step.rate))
        }
        start += trace.period
      }
      return all
    }
  }

  private static func ratesPerSecond(_ times: [Int64], period: SimDuration) -> [CapacityStep] {
    let second: Int64 = 1_000_000_000
    let seconds = Int((period.nanoseconds + second - 1) / second)
    var bytes = [Int64](repeating: 0, count: max(seconds, 1))
    for time in times { bytes[min(Int(time / second), bytes.count - 1)] += CapacityTrace.opportunitySize }
    return bytes.indices.map { index in
      let start = Int64(index) * second
      let length = min(second, period.nanoseconds - start)
      return CapacityStep(
        at: SimTime(nanoseconds: start),
        rate: BitRate(bitsPerSecond: Int64(Double(bytes[index] * 8) * 1e9 / Double(max(length, 1)))))
    }
  }
}
