package import Quantity
package import Systems

/// Times at which mediasoup distributes an estimate (`TransportCongestionControlClient::MayEmitAvailableBitrateEvent`):
/// the first at once, then one per second, and any that is far from the previous one.
///
/// Upstream waits for the next estimate when the second is over. Its estimator repeats itself, so here an estimate that
/// came too early is distributed when the second is over.
package struct MediasoupSchedule: ServerSchedule {
  private let parameters: MediasoupParameters
  /// Distributed estimate; `nil` before the first.
  private var available: BitRate?
  private var distributedAt: SimTime?
  /// Set if an estimate has arrived since the last distribution.
  private var hasNews = false
  /// Set if the last estimate was ignored.
  private var isBehind = false

  package init(_ parameters: MediasoupParameters = MediasoupParameters()) { self.parameters = parameters }

  package mutating func receive(_ estimate: BitRate, allocated: BitRate, at now: SimTime) -> Bool {
    guard let previous = available else {
      available = estimate
      distributedAt = now
      return true
    }
    isBehind = estimate == parameters.initialEstimate && estimate != previous
    if estimate == parameters.initialEstimate {
      // One that never changes is distributed by the clock alone.
      hasNews = hasNews || estimate == previous
      return false
    }
    available = estimate
    hasNews = hasNews || estimate != previous
    guard isDue(at: now) || isFar(estimate, from: previous) else { return false }
    note(now)
    return true
  }

  package mutating func noteDecision(at now: SimTime) { note(now) }

  package var dueAt: SimTime? {
    hasNews ? distributedAt.map { $0 + parameters.distributionSpacing } : nil
  }

  /// Keeps the previous estimate in force where the last one was ignored.
  package func complete(_ state: inout AllocationState, queued: ByteCount, at now: SimTime) {
    if isBehind, let available { state.budget = available }
  }

  private mutating func note(_ now: SimTime) {
    distributedAt = now
    hasNews = false
  }

  private func isDue(at now: SimTime) -> Bool {
    distributedAt.map { now - $0 >= parameters.distributionSpacing } ?? true
  }

  private func isFar(_ estimate: BitRate, from previous: BitRate) -> Bool {
    let thousand: Int64 = 1000
    let fall = Int64((parameters.fallShare.value * 1e6).rounded())
    let rise = Int64((parameters.riseFactor * 1000).rounded())
    return Self.isProduct(estimate, thousand * thousand, below: previous, fall)
      || Self.isProduct(previous, rise, below: estimate, thousand)
  }

  private static func isProduct(_ a: BitRate, _ b: Int64, below c: BitRate, _ d: Int64) -> Bool {
    Int128(a.bitsPerSecond) * Int128(b) < Int128(c.bitsPerSecond) * Int128(d)
  }
}
