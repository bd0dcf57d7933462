package import Quantity

/// State of both ends of a path for RTCP sender and receiver reports (RFC 3550 section 6.4).
///
/// The receiver report carries the time since the last sender report and the packets lost, from which the sender
/// computes round trip and loss without synchronised clocks. Times are in 1/65536 s, as on the wire.
package struct ReportExchange: BitwiseCopyable, Sendable {
  /// Results that the sender obtains from a receiver report.
  package struct Outcome: BitwiseCopyable, Hashable, Sendable {
    /// Round trip, at least 1 ms as in libwebrtc; `nil` if the receiver had no sender report yet.
    package var roundTrip: SimDuration?
    /// Packets lost since the last receiver report received.
    package var lost: Int
    /// Packets expected since the last receiver report received.
    package var expected: Int
  }

  /// Contents of a receiver report block.
  package struct Block: BitwiseCopyable, Hashable, Sendable {
    /// Middle 32 bits of the last sender report's timestamp (LSR); 0 for none.
    package var lastReport: UInt32
    /// Delay since the last sender report was received (DLSR).
    package var delay: UInt32
    /// Cumulative number of packets expected, modulo 2^16.
    package var expected: UInt16
    /// Cumulative number of packets lost, modulo 2^16.
    package var lost: UInt16

    package init(lastReport: UInt32, delay: UInt32, expected: UInt16, lost: UInt16) {
      self.lastReport = lastReport
      self.delay = delay
      self.expected = expected
      self.lost = lost
    }
  }

  /// First sequence number of the connection, at the receiver.
  private var first: UInt16 = 0
  /// Arrivals before the connection, at the receiver.
  private var earlierArrivals = 0
  private var lastReport: UInt32 = 0
  private var lastReportAt = SimTime.zero
  /// Highest sequence number received, counted from ``first``.
  private var highest: Int64 = -1
  private var reportedArrivals = 0
  /// Packets expected according to the last receiver report, at the sender.
  private var knownExpected: UInt16 = 0
  /// Packets lost according to the last receiver report, at the sender.
  private var knownLost: UInt16 = 0

  package init() {}

  /// Creates the state of a new connection.
  ///
  /// - Parameters:
  ///   - first: transport-wide sequence number of the first packet that will be sent on it.
  ///   - arrivals: packets that have arrived before.
  package init(from first: UInt16, arrivals: Int) {
    self.first = first
    earlierArrivals = arrivals
    reportedArrivals = arrivals
  }

  /// Processes a sender report at the receiver.
  package mutating func receive(report time: UInt32, at now: SimTime) {
    lastReport = time
    lastReportAt = now
  }

  /// Creates the receiver's report block; `nil` if nothing was received since the last one.
  ///
  /// - Parameter newest: transport-wide sequence number received last, as on the wire.
  package mutating func takeBlock(newest: UInt16, arrivals: Int, at now: SimTime) -> Block? {
    guard arrivals > reportedArrivals else { return nil }
    reportedArrivals = arrivals
    let step = Int64(Int16(bitPattern: newest &- first &- UInt16(truncatingIfNeeded: max(highest, 0))))
    highest = max(highest, max(highest, 0) + step)
    let expected = highest + 1
    return Block(
      lastReport: lastReport, delay: lastReport == 0 ? 0 : Self.compact(now - lastReportAt),
      expected: UInt16(truncatingIfNeeded: expected),
      lost: UInt16(truncatingIfNeeded: max(expected - Int64(arrivals - earlierArrivals), 0)))
  }

  /// Processes a receiver report at the sender.
  package mutating func receive(_ block: Block, at now: SimTime) -> Outcome {
    // The cumulative loss decreases when late packets arrive, which is not a loss.
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

  /// Returns the middle 32 bits of a timestamp, as in sender reports; never 0.
  package static func stamp(_ time: SimTime) -> UInt32 {
    max(1, compact(time.sinceStart))
  }

  /// Returns a delay in a report block as a duration.
  package static func duration(_ delay: UInt32) -> SimDuration {
    SimDuration(nanoseconds: Int64(delay) * 1_000_000_000 >> 16)
  }

  private static func compact(_ duration: SimDuration) -> UInt32 {
    let seconds = duration.nanoseconds / 1_000_000_000
    let rest = duration.nanoseconds % 1_000_000_000
    return UInt32(truncatingIfNeeded: seconds << 16 | rest << 16 / 1_000_000_000)
  }
}

/// Sizes and intervals of RTCP reports.
extension ReportExchange {
  /// SRTCP index and tag, UDP, IPv4 [byte].
  private static let overhead = 14 + 8 + 20
  /// Header, sender information (RFC 3550 section 6.4.1), and an SDES item with a 16-character CNAME (6.5) [byte].
  private static let senderReport = 8 + 20 + 28
  /// Header and one report block (RFC 3550 section 6.4.2) [byte].
  private static let receiverReport = 8 + 24
  private static let largest = 1200

  /// Returns the size of a compound packet with one sender report per stream (RFC 3550 section 6.1) [byte].
  package static func senderReportSize(streams: Int) -> UInt16 {
    UInt16(min(senderReport * max(streams, 1), largest) + overhead)
  }

  package static func receiverReportSize(streams: Int) -> UInt16 {
    UInt16(min(receiverReport * max(streams, 1), largest) + overhead)
  }

  /// Returns the mean report interval (libwebrtc `rtcp_sender.cc`): 5 s for audio only, otherwise 1 s; shorter for
  /// senders above 360 kbps.
  package static func interval(hasVideo: Bool, sendRate: BitRate? = nil) -> SimDuration {
    guard hasVideo else { return .seconds(5) }
    guard let sendRate, sendRate > .zero else { return .seconds(1) }
    return min(.seconds(1), SimDuration(nanoseconds: 360_000_000_000_000 / max(sendRate.bitsPerSecond, 1)))
  }
}
