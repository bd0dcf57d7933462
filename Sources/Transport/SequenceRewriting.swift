/// How an SFU numbered, for one viewer, the packets that were missing when their successors passed.
///
/// Real SFUs keep such a table to put a repaired packet into the place that was left for it (Jitsi's and LiveKit's
/// sequence number translation); this one remembers the last 32 gaps: bursts that a path
/// reorders make several at once.
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

  /// Remembers that `count` packets of a stream from `first` on are to become `rewritten` and the numbers after it.
  package mutating func leaveRoom(stream: UInt16, first: UInt32, count: UInt32, rewritten: UInt32) {
    gaps[next] = Gap(stream: stream, first: first, count: count, rewritten: rewritten)
    next = (next + 1) & (Self.capacity - 1)
  }

  /// The number left for a packet; `nil` when no room was left for it.
  package func number(stream: UInt16, sequence: UInt32) -> UInt32? {
    var place = 0
    while place < Self.capacity {
      let gap = gaps[place]
      if gap.stream == stream, sequence &- gap.first < gap.count {
        return gap.rewritten &+ (sequence &- gap.first)
      }
      place += 1
    }
    return nil
  }
}
