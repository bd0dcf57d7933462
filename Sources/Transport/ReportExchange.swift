package import Quantity

/// What the two ends of a path keep for RTCP sender and receiver reports (RFC 3550 section 6.4), and the rules of both.
///
/// The sender tells when it sent its report; the receiver answers with how long ago that report came, and with what it
/// missed: so the sender learns the round trip and the loss without any clock in common. Times are in 1/65536 s on the
/// wire, as there.
package struct ReportExchange: BitwiseCopyable, Sendable {
  /// What a receiver report tells the sender.
  package struct Outcome: BitwiseCopyable, Hashable, Sendable {
    /// At least a millisecond, as libwebrtc counts it; `nil` when the receiver had no sender report yet.
    package var roundTrip: SimDuration?
    /// Since the last receiver report that came: packets that the receiver missed, of as many as it expected.
    package var lost: Int
    package var expected: Int
  }

  /// What goes into a receiver report's label.
  package struct Block: BitwiseCopyable, Hashable, Sendable {
    /// Middle of the last sender report's time; 0 for none.
    package var lastReport: UInt32
    /// Time since it came.
    package var delay: UInt32
    /// Since the beginning, modulo 2^16.
    package var expected: UInt16
    package var lost: UInt16

    package init(lastReport: UInt32, delay: UInt32, expected: UInt16, lost: UInt16) {
      self.lastReport = lastReport
      self.delay = delay
      self.expected = expected
      self.lost = lost
    }
  }

  // At the receiver.
  private var lastReport: UInt32 = 0
  private var lastReportAt = SimTime.zero
  private var greatest: Int64 = -1
  private var reportedArrivals = 0
  // At the sender.
  private var knownExpected: UInt16 = 0
  private var knownLost: UInt16 = 0

  package init() {}

  /// The receiver has got a sender report.
  package mutating func receive(report time: UInt32, at now: SimTime) {
    lastReport = time
    lastReportAt = now
  }

  /// The receiver's report; `nil` when nothing has come since the last one.
  ///
  /// - Parameter newest: the transport-wide number that came last, as on the wire.
  package mutating func takeBlock(newest: UInt16, arrivals: Int, at now: SimTime) -> Block? {
    guard arrivals > reportedArrivals else { return nil }
    reportedArrivals = arrivals
    let step = Int64(Int16(bitPattern: newest &- UInt16(truncatingIfNeeded: max(greatest, 0))))
    greatest = max(greatest, max(greatest, 0) + step)
    let expected = greatest + 1
    return Block(
      lastReport: lastReport, delay: lastReport == 0 ? 0 : Self.compact(now - lastReportAt),
      expected: UInt16(truncatingIfNeeded: expected),
      lost: UInt16(truncatingIfNeeded: max(expected - Int64(arrivals), 0)))
  }

  /// The sender has got a receiver report.
  package mutating func receive(_ block: Block, at now: SimTime) -> Outcome {
    // Fewer than before can be missed, when what was late has come: that is no loss.
    let lost = Int(Int16(bitPattern: block.lost &- knownLost))
    let expected = Int(Int16(bitPattern: block.expected &- knownExpected))
    knownLost = block.lost
    knownExpected = block.expected
    var roundTrip: SimDuration?
    if block.lastReport != 0 {
      let units = Int32(bitPattern: Self.stamp(now) &- block.lastReport &- block.delay)
      roundTrip = max(SimDuration(nanoseconds: Int64(units) * 1_000_000_000 >> 16), .milliseconds(1))
    }
    return Outcome(roundTrip: roundTrip, lost: max(lost, 0), expected: max(expected, 0))
  }

  /// The middle 32 bits of a time, which sender reports carry; never 0.
  package static func stamp(_ time: SimTime) -> UInt32 {
    max(1, compact(time - .zero))
  }

  private static func compact(_ duration: SimDuration) -> UInt32 {
    let seconds = duration.nanoseconds / 1_000_000_000
    let rest = duration.nanoseconds % 1_000_000_000
    return UInt32(truncatingIfNeeded: seconds << 16 | rest << 16 / 1_000_000_000)
  }
}

/// Sizes and times of RTCP reports.
extension ReportExchange {
  /// SRTCP index and tag, UDP, IPv4 [byte].
  private static let overhead = 14 + 8 + 20
  /// Header, sender information (RFC 3550 section 6.4.1), and a source description of a 16-letter name (6.5) [byte].
  private static let senderReport = 8 + 20 + 28
  /// Header and one block (RFC 3550 section 6.4.2) [byte].
  private static let receiverReport = 8 + 24
  private static let largest = 1200

  /// One report for each stream of the path, one behind the other in a packet (RFC 3550 section 6.1) [byte].
  package static func senderReportSize(streams: Int) -> UInt16 {
    UInt16(min(senderReport * max(streams, 1), largest) + overhead)
  }

  package static func receiverReportSize(streams: Int) -> UInt16 {
    UInt16(min(receiverReport * max(streams, 1), largest) + overhead)
  }

  /// Mean time between reports (libwebrtc `rtcp_sender.cc`): 5 s with audio alone, else 1 s or, for one who sends, less
  /// from 360 kbps on.
  package static func interval(hasVideo: Bool, sendRate: BitRate? = nil) -> SimDuration {
    guard hasVideo else { return .seconds(5) }
    guard let sendRate, sendRate > .zero else { return .seconds(1) }
    return min(.seconds(1), SimDuration(nanoseconds: 360_000_000_000_000 / max(sendRate.bitsPerSecond, 1)))
  }
}
