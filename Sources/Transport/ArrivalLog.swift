package import Quantity

/// What a receiver notes for transport-wide feedback, and when it sends it.
///
/// After libwebrtc's `modules/remote_bitrate_estimator/transport_sequence_number_feedback_generator.cc`: a message each
/// 68 bytes / (5 % of this endpoint's own send estimate), 50 to 250 ms. One that sends nothing has an estimate too, the
/// one that every connection starts with (`call/call.cc` tells of any target): 300 kbps make it 50 ms.
package struct ArrivalLog: BitwiseCopyable {
  package struct Arrival: BitwiseCopyable {
    /// Transport-wide number as on the wire.
    package var sequence: UInt16
    package var at: SimTime
  }

  /// A feedback message that is due: the notes that it carries.
  package struct Message: BitwiseCopyable {
    /// First number that it covers.
    package var base: UInt16
    /// Its part of the notes.
    package var first: UInt32
    package var count: UInt32
    /// Size on the wire [byte].
    package var size: UInt16
  }

  private static let shortest = SimDuration.milliseconds(50)
  private static let longest = SimDuration.milliseconds(250)
  /// SRTCP index and tag, UDP, IPv4 [byte].
  private static let packetOverhead = 14 + 8 + 20
  /// Notes kept for messages under way.
  private static let limit = 4096
  /// Notes kept behind a message that has come, for one that it overtook.
  private static let slack = 256

  private var arrivals = Ring<Arrival>(capacity: 128)
  private var reported = 0
  private var nextBase: UInt16 = 0

  package init() {}

  package func deallocate() { arrivals.deallocate() }

  package mutating func append(_ sequence: UInt16, at now: SimTime) {
    arrivals.append(Arrival(sequence: sequence, at: now), limit: Self.limit)
  }

  /// How many packets have come, and the number of the last one as on the wire.
  package var total: Int { arrivals.tail }
  package var newest: UInt16 { arrivals.tail > arrivals.head ? arrivals[arrivals.tail - 1].sequence : 0 }

  /// The note at a place that is ``held(_:)``.
  subscript(place: Int) -> Arrival { arrivals[place] }

  /// Those of some places that still hold a note.
  func held(_ places: Range<Int>) -> Range<Int> { places.clamped(to: arrivals.head..<arrivals.tail) }

  /// A message that carries notes from a place on has come.
  package mutating func noteDelivery(from place: Int) { arrivals.removeAll(before: place - Self.slack) }

  /// The message that tells what has come since the last one; `nil` when nothing has.
  package mutating func takeMessage() -> Message? {
    let first = max(reported, arrivals.head)
    let count = arrivals.tail - first
    guard count > 0 else { return nil }
    reported = arrivals.tail
    let last = arrivals[arrivals.tail - 1].sequence
    let base = nextBase
    nextBase = last &+ 1
    let covered = Int(last &- base) + 1
    // RTCP header and sources, base, count, reference time; one 2-byte chunk for seven packets, one byte of delta each
    // (draft-holmer-rmcat-transport-wide-cc-extensions-01 section 3.1), filled up to a word.
    let payload = 20 + (covered + 6) / 7 * 2 + count
    let size = (payload + 3) / 4 * 4 + Self.packetOverhead
    return Message(
      base: base, first: UInt32(truncatingIfNeeded: first), count: UInt32(count),
      size: UInt16(min(size, 1500)))
  }

  /// What has come belongs to a connection that is no more: no message will tell of it.
  package mutating func forgetUnreported() {
    guard arrivals.tail > reported else { return }
    reported = arrivals.tail
    nextBase = newest &+ 1
  }

  /// Time until the next message.
  ///
  /// - Parameter estimate: the estimate of this endpoint's own way out.
  package static func interval(ownEstimate estimate: BitRate) -> SimDuration {
    let rate = max(estimate.bitsPerSecond / 20, 1)
    let wait = SimDuration(nanoseconds: 68 * 8 * 1_000_000_000 / rate)
    return min(max(wait, shortest), longest)
  }
}
