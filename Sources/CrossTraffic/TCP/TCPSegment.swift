package import Quantity

/// A data segment that a ``TCPSender`` wants sent, as its driver puts it into a packet.
///
/// Segments are numbered, not bytes: all but the last of a transfer carry the same payload, and Linux counts its
/// window in segments too.
package struct TCPSegment: BitwiseCopyable, Hashable, Sendable {
  /// Headers around the payload [byte]: IPv4 20, TCP 20, timestamps option with padding 12 (RFC 7323).
  package static let headerSize: Int32 = 52

  /// Number of the segment; a retransmission has the number of the original.
  package var number: Int64
  /// Size on the wire, IP header included [byte].
  package var size: Int32
  /// When it left the sender: the value of its timestamps option.
  package var sentAt: SimTime
  package var isRetransmission: Bool

  package init(number: Int64, size: Int32, sentAt: SimTime, isRetransmission: Bool = false) {
    self.number = number
    self.size = size
    self.sentAt = sentAt
    self.isRetransmission = isRetransmission
  }
}

/// A run of segments that a receiver holds beyond a gap; empty where `lower == upper`.
package struct SegmentRange: BitwiseCopyable, Hashable, Sendable {
  package var lower: Int64
  /// One past the last.
  package var upper: Int64

  package init(lower: Int64, upper: Int64) {
    self.lower = lower
    self.upper = upper
  }

  package static let empty = SegmentRange(lower: 0, upper: 0)
  package var isEmpty: Bool { lower >= upper }
}

/// What a ``TCPReceiver`` answers.
package struct TCPAcknowledgement: BitwiseCopyable, Hashable, Sendable {
  /// The first segment that the receiver lacks: it has all before.
  package var next: Int64
  /// Timestamp echo (RFC 7323 section 4.3): when the oldest segment that this answers was sent.
  package var echo: SimTime
  /// Selective blocks (RFC 2018), the one with the newest segment first; three fit beside timestamps.
  package var first = SegmentRange.empty
  package var second = SegmentRange.empty
  package var third = SegmentRange.empty

  package init(next: Int64, echo: SimTime) {
    self.next = next
    self.echo = echo
  }

  /// Size on the wire, IP header included [byte]: 4 for the option's head and padding, 8 for each block.
  package var size: Int32 {
    guard !first.isEmpty else { return TCPSegment.headerSize }
    return TCPSegment.headerSize + 12 + (second.isEmpty ? 0 : 8) + (third.isEmpty ? 0 : 8)
  }
}
