package import Quantity

/// What a link carries at every moment of a run: a base, and the changes that a timeline makes to it.
package struct CapacityProfile: Hashable, Sendable {
  /// The capacity while no change has come.
  package enum Base: Hashable, Sendable {
    case constant(BitRate)
    /// Steps with rising times, the first at zero.
    case steps([CapacityStep])
    case trace(CapacityTrace)
  }

  package var base: Base
  /// From the first of these on the base no longer counts; times do not fall, the later of two at one time holds.
  package private(set) var changes: [CapacityStep]

  package init(_ base: Base) {
    self.base = base
    changes = []
  }

  package static func constant(_ rate: BitRate) -> CapacityProfile { .init(.constant(rate)) }

  /// Sets the capacity from a point on.
  package mutating func change(_ step: CapacityStep) {
    let place = changes.firstIndex { $0.at > step.at } ?? changes.endIndex
    changes.insert(step, at: place)
  }

  /// The piecewise constant capacity up to a point, times rising from zero; a trace of opportunities gives its mean
  /// per second, for reports.
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
