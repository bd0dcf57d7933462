package import Quantity

/// BBR's model of the path: packet-timed rounds, the maximum delivery rate of recent rounds or cycles, and the minimum
/// round trip over ten seconds (draft-ietf-ccwg-bbr section 5.5, Linux `tcp_bbr.c`).
package struct PathModel: BitwiseCopyable, Sendable {
  /// MinRTTFilterLen.
  package static let roundTripWindow = SimDuration.seconds(10)
  private static let slots = 10

  /// Maximum rates [segment/s] of the last periods; a period is a round (v1) or a cycle (v3).
  private var rates = InlineArray<10, Double>(repeating: 0)
  private let window: Int
  private var period = 0
  /// Number of rounds since the beginning.
  package private(set) var rounds = 0
  /// Set if the last acknowledgement began a round.
  package private(set) var isRoundStart = false
  private var nextRound: Int64 = 0
  /// `nil` before the first measurement.
  package private(set) var leastRoundTrip: SimDuration?
  private(set) var leastAt = SimTime.zero

  /// - Parameter window: number of periods over which the rate's maximum is taken, 1 to 10.
  package init(window: Int) {
    precondition((1...Self.slots).contains(window), "a window of \(window) periods")
    self.window = window
  }

  /// Maximum delivery rate over the window [segment/s].
  package var rate: Double {
    var greatest = 0.0
    for slot in 0..<window { greatest = max(greatest, rates[slot]) }
    return greatest
  }

  /// Counts rounds: one ends when a segment that was sent after the end of the previous one is delivered.
  package mutating func countRound(_ ack: BBRAcknowledgement) {
    isRoundStart = ack.sample.priorDelivered >= nextRound
    guard isRoundStart else { return }
    rounds += 1
    nextRound = ack.totalDelivered
  }

  /// Begins a round now: the next one begins with the delivery of a segment sent from now on.
  package mutating func beginRound(delivered: Int64) { nextRound = delivered }

  /// Begins the next period of the rate's window.
  package mutating func beginPeriod() {
    period = (period + 1) % window
    rates[period] = 0
  }

  package mutating func note(rate: Double) { rates[period] = max(rates[period], rate) }

  /// Records a round trip that is a new minimum, or the first after the previous minimum has expired.
  package mutating func noteRoundTrip(_ roundTrip: SimDuration?, at now: SimTime) {
    guard let roundTrip, leastRoundTrip.map({ roundTrip < $0 }) ?? true || isStale(at: now) else { return }
    leastRoundTrip = roundTrip
    leastAt = now
  }

  /// Checks whether the minimum round trip has expired.
  package func isStale(at now: SimTime) -> Bool { now - leastAt > Self.roundTripWindow }

  /// Restarts the expiry of the minimum round trip, after ProbeRTT.
  package mutating func renew(at now: SimTime) { leastAt = now }

  /// Returns a multiple of the bandwidth-delay product [segment], rounded up; `nil` before a measurement.
  package func product(_ gain: Double, at rate: Double) -> Int? {
    leastRoundTrip.map { Int((rate * $0.seconds * gain).rounded(.up)) }
  }
}
