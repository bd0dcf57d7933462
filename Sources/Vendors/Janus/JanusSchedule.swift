package import Quantity
import Systems

/// Estimates that reach the videoroom of Janus' branch bwe-tests: every 250 ms, and at once when trouble starts
/// (`bwe.c`).
///
/// The branch's states belong to its own estimator; here, trouble starts with an estimate below the last one, if that
/// one was not below its own predecessor [our model].
package struct JanusSchedule: ServerSchedule {
  private let interval: SimDuration
  private var decidedAt: SimTime?
  private var last: BitRate?
  private var isFalling = false

  package init(interval: SimDuration) { self.interval = interval }

  package mutating func receive(_ estimate: BitRate, allocated: BitRate, at now: SimTime) -> Bool {
    let falls = last.map { estimate < $0 } ?? false
    defer {
      last = estimate
      isFalling = falls
    }
    guard let decidedAt, now - decidedAt < interval else { return true }
    return falls && !isFalling
  }

  package mutating func noteDecision(at now: SimTime) { decidedAt = now }

  package var dueAt: SimTime? { decidedAt.map { $0 + interval } }
}
