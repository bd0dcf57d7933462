package import Quantity

/// Packet arrivals at a receiver and the transport-wide feedback messages built from them.
///
/// Follows libwebrtc's `modules/remote_bitrate_estimator/transport_sequence_number_feedback_generator.cc`: one message
/// every 68 bytes / (5 % of this endpoint's own send estimate), clamped to 50 to 250 ms, on Chromium's timer. An
/// endpoint that sends nothing still has the initial estimate of every connection (`call/call.cc` reports any target):
/// 300 kbps, which gives 50 ms, or 62.5 ms on that timer.
package struct ArrivalLog: BitwiseCopyable {
  package struct Arrival: BitwiseCopyable {
    /// Transport-wide sequence number as on the wire.
    package var sequence: UInt16
    package var at: SimTime
  }

  /// Feedback message with the arrivals that it reports.
  package struct Message: BitwiseCopyable {
    /// First sequence number covered.
    package var base: UInt16
    /// Position of its first arrival in the log, modulo 2^32.
    package var first: UInt32
    /// Number of arrivals.
    package var count: UInt32
    /// Size on the wire [byte].
    package var size: UInt16
  }

  private static let shortest = SimDuration.milliseconds(50)
  private static let longest = SimDuration.milliseconds(250)
  /// SRTCP index and tag, UDP, IPv4 [byte].
  private static let packetOverhead = 14 + 8 + 20
  /// Maximum number of arrivals kept for messages in flight.
  private static let limit = 4096
  /// Arrivals kept behind a delivered message, for messages that it overtook.
  private static let slack = 256

  private var arrivals = Ring<Arrival>(capacity: 32)
  private var reported = 0
  private var nextBase: UInt16 = 0

  package init() {}

  package func deallocate() { arrivals.deallocate() }

  package mutating func append(_ sequence: UInt16, at now: SimTime) {
    arrivals.append(Arrival(sequence: sequence, at: now), limit: Self.limit)
  }

  /// Number of packets received.
  package var total: Int { arrivals.tail }
  /// Sequence number of the last packet received, as on the wire.
  package var newest: UInt16 { arrivals.tail > arrivals.head ? arrivals[arrivals.tail - 1].sequence : 0 }

  /// Accesses the arrival at a position that is ``held(_:)``.
  subscript(position: Int) -> Arrival { arrivals[position] }

  /// Returns the subrange of positions still in the log.
  func held(_ places: Range<Int>) -> Range<Int> { places.clamped(to: arrivals.head..<arrivals.tail) }

  /// Records the delivery of a message with the arrivals from a position on.
  package mutating func noteDelivery(from position: Int) { arrivals.removeAll(before: position - Self.slack) }

  /// Creates the message that reports all arrivals since the last one; `nil` if there are none.
  package mutating func takeMessage() -> Message? {
    let first = max(reported, arrivals.head)
    let count = arrivals.tail - first
    guard count > 0 else { return nil }
    reported = arrivals.tail
    let last = arrivals[arrivals.tail - 1].sequence
    let base = nextBase
    nextBase = last &+ 1
    let covered = Int(last &- base) + 1
    // RTCP header and SSRCs, base, count, reference time; one 2-byte chunk per seven packets, one delta byte each
    // (draft-holmer-rmcat-transport-wide-cc-extensions-01 section 3.1), padded to a word.
    let payload = 20 + (covered + 6) / 7 * 2 + count
    let size = (payload + 3) / 4 * 4 + Self.packetOverhead
    return Message(
      base: base, first: UInt32(truncatingIfNeeded: first), count: UInt32(count),
      size: UInt16(min(size, 1500)))
  }

  /// Begins a new connection, on which arrivals of the old one are not reported.
  ///
  /// - Parameter next: sequence number of the first packet that will be sent on it.
  package mutating func beginConnection(from next: UInt16) {
    reported = arrivals.tail
    nextBase = next
  }

  /// Time between two messages before the receiver has an estimate of its own (libwebrtc's
  /// `transport_sequence_number_feedback_generator.cc`).
  package static let initialInterval = ChromiumTimer.snapped(.milliseconds(100))

  /// Returns the time until the next message.
  ///
  /// - Parameter estimate: this endpoint's own send estimate.
  package static func interval(ownEstimate estimate: BitRate) -> SimDuration {
    let rate = max(estimate.bitsPerSecond / 20, 1)
    let wait = SimDuration(nanoseconds: 68 * 8 * 1_000_000_000 / rate)
    return ChromiumTimer.snapped(min(max(wait, shortest), longest))
  }
}
