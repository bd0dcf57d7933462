package import Quantity

/// Capacity of a link over a run: a base profile, overridden by changes from the timeline.
package struct CapacityProfile: Hashable, Sendable {
  /// Capacity before the first change.
  package enum Base: Hashable, Sendable {
    case constant(BitRate)
    /// Steps with increasing times, the first at zero.
    case steps([CapacityStep])
    case trace(CapacityTrace)
  }

  package var base: Base
  /// Changes in order of time; the first one replaces the base from then on, and of two at the same time the later
  /// call wins.
  package private(set) var changes: [CapacityStep]

  package init(_ base: Base) {
    self.base = base
    changes = []
  }

  package static func constant(_ rate: BitRate) -> CapacityProfile { .init(.constant(rate)) }

  /// Rate before the first change; `nil` for steps and traces.
  package var constantRate: BitRate? { if case .constant(let rate) = base { rate } else { nil } }

  /// Returns the rate just before a point in time; `nil` if it is a trace's.
  func constantRate(before time: SimTime) -> BitRate? {
    if let last = changes.last(where: { $0.at < time }) { return last.rate }
    return switch base {
    case .constant(let rate): rate
    case .steps(let steps): steps.last { $0.at < time }?.rate
    case .trace: nil
    }
  }

  /// Changes the capacity from a point in time on.
  package mutating func change(_ step: CapacityStep) {
    let index = changes.lastIndex { $0.at <= step.at }.map { $0 + 1 } ?? 0
    changes.insert(step, at: index)
  }
}
