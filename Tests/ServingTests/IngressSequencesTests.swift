import Endpoint
import Network
import Quantity
import Serving
import Testing

private typealias Gap = IngressSequences.Gap

@Suite("Sequence numbers at the SFU")
struct IngressSequencesTests {
  /// Numbers begin with the first packet's, and wrap.
  @Test func aGapIsWhatWasSkipped() {
    var sequences = IngressSequences(streams: 2)
    var gaps: [Gap?] = []
    for number: UInt32 in [.max - 1, .max, 2, 1, 3] { gaps.append(sequences.follow(number, of: 1)) }
    #expect(
      gaps == [
        Gap(first: .max - 1, count: 0), Gap(first: .max, count: 0), Gap(first: 0, count: 2), nil,
        Gap(first: 3, count: 0),
      ])
    sequences.restart(1)
    let anew = sequences.follow(70, of: 1)
    #expect(anew == Gap(first: 70, count: 0))
  }

  @Test func aMissingPacketIsTakenOnce() {
    var sequences = IngressSequences(streams: 1)
    let isAdded = sequences.add(Gap(first: 5, count: 2), of: 0)
    let taken = [5, 5, 7, 6].map { sequences.take($0, of: 0) }
    let isIncomplete = sequences.hasMissing(0)
    #expect(isAdded && taken == [true, false, false, true] && !isIncomplete)
  }

  /// At most 1000 packets of a stream are awaited.
  @Test(arguments: [(UInt32(998), true), (999, false)])
  func tooManyMissingPacketsAreGivenUp(count: UInt32, isAdded: Bool) {
    var sequences = IngressSequences(streams: 1)
    _ = sequences.add(Gap(first: 0, count: 2), of: 0)
    let result = sequences.add(Gap(first: 10, count: count), of: 0)
    let first = sequences.take(0, of: 0)
    #expect(result == isAdded && first == isAdded)
  }

  /// Frame 4 ends with packet 9; 10 and 11 are its protection, and 12 begins frame 5.
  @Test(arguments: [(UInt32(5), false), (6, true)])
  func lostProtectionIsNotAwaited(frame: UInt32, isAwaited: Bool) {
    var sequences = IngressSequences(streams: 1)
    sequences.noteProtection(10, of: 0)
    _ = sequences.add(Gap(first: 10, count: 2), of: 0)
    let next = Packet(sentAt: .zero, size: 1000, stream: 0, sequence: 12, frame: frame, count: 3)
    sequences.noteFrame(next, after: 4)
    let awaits = sequences.hasMissing(0)
    #expect(awaits == isAwaited)
  }
}
