import Quantity
import Testing
import Transport

@Suite("Transport-wide feedback messages")
struct ArrivalLogTests {
  /// 68 bytes at 5 % of the receiver's own estimate, between 50 and 250 ms, rounded up to a multiple of 15.625 ms: 544
  /// bits at 5 kbps take 108.8 ms, which becomes 109.375.
  @Test(
    arguments: [
      (100_000, 109_375_000), (200_000, 62_500_000), (43_520, 250_000_000), (60_000, 187_500_000),
      (10_000, 250_000_000), (300_000, 62_500_000), (0, 250_000_000),
    ] as [(Int64, Int64)])
  func theIntervalSpendsATwentiethOfTheEstimate(estimate: Int64, interval: Int64) {
    let wait = ArrivalLog.interval(ownEstimate: BitRate(bitsPerSecond: estimate))
    #expect(wait.nanoseconds == interval)
  }

  /// A 2-byte chunk for up to 7 packets and a byte for each that arrived, plus 20 bytes, in whole words; 42 bytes of
  /// overhead.
  @Test func aMessageCoversWhatCameSinceTheLastOne() throws {
    var log = ArrivalLog()
    defer { log.deallocate() }
    let none1 = log.takeMessage()
    #expect(none1 == nil)
    for sequence in [0, 1, 3] as [UInt16] { log.append(sequence, at: .zero) }
    let message2 = log.takeMessage()
    let first = try #require(message2)
    #expect((first.base, first.first, first.count) == (0, 0, 3))
    // 20 + 2 + 3 = 25, padded to 28.
    #expect(first.size == 28 + 42)
    let none3 = log.takeMessage()
    #expect(none3 == nil)
    for sequence in 5...20 as ClosedRange<UInt16> { log.append(sequence, at: .zero) }
    let message4 = log.takeMessage()
    let second = try #require(message4)
    #expect((second.base, second.first, second.count) == (4, 3, 16))
    // The 17 numbers from 4 to 20 take three chunks: 20 + 6 + 16 = 42, padded to 44.
    #expect(second.size == 44 + 42)
    #expect(log.total == 19 && log.newest == 20)
  }

  /// On the old connection, 0 and 1 have arrived, and 2 and 3 are lost with it; on the new one, 4 is lost.
  @Test func aClosedConnectionsPacketsAreNotReported() throws {
    var log = ArrivalLog()
    defer { log.deallocate() }
    log.append(0, at: .zero)
    log.append(1, at: .zero)
    log.beginConnection(from: 4)
    let none5 = log.takeMessage()
    #expect(none5 == nil)
    log.append(5, at: .zero)
    let message6 = log.takeMessage()
    let message = try #require(message6)
    #expect((message.base, message.first, message.count) == (4, 2, 1))
  }
}

@Suite("Numbers kept for late packets")
struct SequenceRewritingTests {
  @Test func aGapHasAsManyNumbersAsPackets() {
    var numbers = SequenceRewriting()
    #expect(numbers.number(stream: 1, sequence: 10) == nil)
    numbers.leaveRoom(stream: 1, first: 10, count: 3, rewritten: 100)
    let found = (9...13).map { numbers.number(stream: 1, sequence: $0) }
    #expect(found == [nil, 100, 101, 102, nil])
    #expect(numbers.number(stream: 2, sequence: 11) == nil)
  }

  @Test func numbersWrap() {
    var numbers = SequenceRewriting()
    let last = UInt32.max
    numbers.leaveRoom(stream: 4, first: last, count: 2, rewritten: last - 1)
    let found = [last, 0, 1].map { numbers.number(stream: 4, sequence: $0) }
    let expected: [UInt32?] = [last - 1, last, nil]
    #expect(found == expected)
  }

  @Test func theLast32GapsAreKept() {
    var numbers = SequenceRewriting()
    for gap in 0..<33 as Range<UInt32> {
      numbers.leaveRoom(stream: 7, first: 10 * gap, count: 1, rewritten: 1000 + gap)
    }
    let found = [UInt32(0), 10, 320].map { numbers.number(stream: 7, sequence: $0) }
    let expected: [UInt32?] = [nil, 1001, 1032]
    #expect(found == expected)
  }
}
