package import Quantity

/// A data segment sent by ``TCPSender`` and carried in a packet.
///
/// Sequence numbers count segments, not bytes: all but the last of a transfer carry the same payload, and Linux keeps
/// its window in segments too.
package struct TCPSegment: BitwiseCopyable, Hashable, Sendable {
  /// Header size [byte]: IPv4 20, TCP 20, timestamps option with padding 12 (RFC 7323).
  package static let headerSize: Int32 = 52

  /// Segment number; retransmissions keep the original's.
  package var number: Int64
  /// Size on the wire, IP header included [byte].
  package var size: Int32
  /// Send time, the value of the timestamps option.
  package var sentAt: SimTime

  package init(number: Int64, size: Int32, sentAt: SimTime) {
    self.number = number
    self.size = size
    self.sentAt = sentAt
  }
}

/// A SACK block: consecutive segments received beyond a gap; empty if `lower == upper`.
package struct SegmentRange: BitwiseCopyable, Hashable, Sendable {
  package var lower: Int64
  /// One past the last segment.
  package var upper: Int64

  package init(lower: Int64, upper: Int64) {
    self.lower = lower
    self.upper = upper
  }

  package static let empty = SegmentRange(lower: 0, upper: 0)
  package var isEmpty: Bool { lower >= upper }
}

/// An acknowledgement sent by ``TCPReceiver``.
package struct TCPAcknowledgement: BitwiseCopyable, Hashable, Sendable {
  /// Next expected segment: everything before it was received.
  package var next: Int64
  /// Timestamp echo (RFC 7323 section 4.3): send time of the oldest segment that this acknowledges.
  package var echo: SimTime
  /// First SACK block (RFC 2018), the most recently changed; three fit beside timestamps.
  package var first = SegmentRange.empty
  /// SACK block that changed before ``first``.
  package var second = SegmentRange.empty
  /// SACK block that changed before ``second``.
  package var third = SegmentRange.empty

  package init(next: Int64, echo: SimTime) {
    self.next = next
    self.echo = echo
  }

  /// Size on the wire, IP header included [byte]; the SACK option takes 4 for its header and padding, and 8 per
  /// block.
  package var size: Int32 {
    guard !first.isEmpty else { return TCPSegment.headerSize }
    return TCPSegment.headerSize + 12 + (second.isEmpty ? 0 : 8) + (third.isEmpty ? 0 : 8)
  }
}
