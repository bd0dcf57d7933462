package import Quantity

/// Janus' branch bwe-tests tells the videoroom of an estimate every 250 ms, and at once when trouble begins (`bwe.c`).
///
/// Its states are its own estimator's; here it begins with an estimate below the last one, if that one was not
/// below its own predecessor [our model].
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
