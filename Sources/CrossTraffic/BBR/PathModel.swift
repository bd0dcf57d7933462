package import Quantity

/// BBR's model of the path: packet-timed rounds, the greatest delivery rate of recent rounds or cycles, and the least
/// round trip of ten seconds (draft-ietf-ccwg-bbr section 5.5, Linux `tcp_bbr.c`).
package struct PathModel: BitwiseCopyable, Sendable {
  /// MinRTTFilterLen.
  package static let roundTripWindow = SimDuration.seconds(10)
  private static let slots = 10

  /// Greatest rates [segment/s] of the last periods; a period is a round (v1) or a cycle (v3).
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

  /// Greatest delivery rate of the window [segment/s].
  package var rate: Double {
    var greatest = 0.0
    for slot in 0..<window { greatest = max(greatest, rates[slot]) }
    return greatest
  }

  /// Counts rounds: one ends when a segment is delivered that was sent after the last one had ended.
  package mutating func countRound(_ ack: BBRAcknowledgement) {
    isRoundStart = ack.sample.priorDelivered >= nextRound
    guard isRoundStart else { return }
    rounds += 1
    nextRound = ack.totalDelivered
  }

  /// Begins a round now, so that the next starts with a segment that is sent from now on.
  package mutating func beginRound(delivered: Int64) { nextRound = delivered }

  /// Begins the next period of the rate's window.
  package mutating func beginPeriod() {
    period = (period + 1) % window
    rates[period] = 0
  }

  package mutating func note(rate: Double) { rates[period] = max(rates[period], rate) }

  /// Takes a round trip that is the least, or the first after the window of the last one.
  package mutating func noteRoundTrip(_ roundTrip: SimDuration?, at now: SimTime) {
    guard let roundTrip, leastRoundTrip.map({ roundTrip < $0 }) ?? true || isStale(at: now) else { return }
    leastRoundTrip = roundTrip
    leastAt = now
  }

  /// Checks whether the least round trip is older than its window.
  package func isStale(at now: SimTime) -> Bool { now - leastAt > Self.roundTripWindow }

  /// Renews the least round trip's time after its own measurement.
  package mutating func renew(at now: SimTime) { leastAt = now }

  /// Returns a multiple of the bandwidth-delay product [segment], rounded up; `nil` before a measurement.
  package func product(_ gain: Double, at rate: Double) -> Int? {
    leastRoundTrip.map { Int((rate * $0.seconds * gain).rounded(.up)) }
  }
}
