/// Rewritten sequence numbers that an SFU has reserved, for one viewer, for packets still missing upstream.
///
/// Real SFUs keep such a table to forward a recovered packet under the number reserved for it; this one keeps the last
/// 32 gaps, since a reordered burst can open several at once.
package struct SequenceRewriting: BitwiseCopyable {
  private static let capacity = 32

  private struct Gap: BitwiseCopyable {
    var stream: UInt16 = .max
    var first: UInt32 = 0
    var count: UInt32 = 0
    var rewritten: UInt32 = 0
  }

  private var gaps = InlineArray<32, Gap>(repeating: Gap())
  private var next = 0

  package init() {}

  /// Reserves the numbers from `rewritten` on for `count` packets of a stream from `first` on.
  package mutating func leaveRoom(stream: UInt16, first: UInt32, count: UInt32, rewritten: UInt32) {
    gaps[next] = Gap(stream: stream, first: first, count: count, rewritten: rewritten)
    next = (next + 1) & (Self.capacity - 1)
  }

  /// Returns the number reserved for a packet; `nil` if there is none.
  package func number(stream: UInt16, sequence: UInt32) -> UInt32? {
    var index = 0
    while index < Self.capacity {
      let gap = gaps[index]
      if gap.stream == stream, sequence &- gap.first < gap.count {
        return gap.rewritten &+ (sequence &- gap.first)
      }
      index += 1
    }
    return nil
  }
}
