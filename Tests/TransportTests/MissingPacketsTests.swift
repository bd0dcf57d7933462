import Testing
import Transport

/// Expectations of libwebrtc's `nack_requester_unittest.cc`.
@Suite("Missing packets")
struct MissingPacketsTests {
  /// Returns what is requested at a time, with a round trip, both in milliseconds.
  private func ask(_ missing: inout MissingPackets, at milliseconds: Int64, roundTrip: Int64 = 20) -> [UInt32]
  {
    var numbers: [UInt32] = []
    while let request = missing.takeRequest(at: milliseconds * 1_000_000, roundTrip: roundTrip * 1_000_000) {
      numbers.append(request.sequence)
      for bit in UInt32(0)..<32 where request.following & 1 << bit != 0 {
        numbers.append(request.sequence &+ 1 &+ bit)
      }
      #expect(request.count == 1 + request.following.nonzeroBitCount)
    }
    return numbers
  }

  /// NackOnePacket, ResendNack: at once, then once per round trip.
  @Test func onePacketIsAskedForEachRoundTrip() {
    var missing = MissingPackets()
    defer { missing.deallocate() }
    _ = missing.add(2, count: 1)
    #expect(ask(&missing, at: 0) == [2])
    #expect(ask(&missing, at: 159, roundTrip: 160) == [])
    #expect(ask(&missing, at: 160, roundTrip: 160) == [2])
    #expect(ask(&missing, at: 319, roundTrip: 160) == [])
    #expect(ask(&missing, at: 320, roundTrip: 160) == [2])
    let isKnown = missing.remove(2)
    #expect(isKnown)
    #expect(missing.isEmpty)
  }

  /// A sequence number and the 32 bits after it (RFC 4585 section 6.2.1 has 16; here two blocks of them).
  @Test func oneRequestNames33Packets() {
    var missing = MissingPackets()
    defer { missing.deallocate() }
    _ = missing.add(10, count: 34)
    let first = missing.takeRequest(at: 0, roundTrip: 20_000_000)
    #expect(first?.sequence == 10 && first?.following == UInt32.max && first?.count == 33)
    let second = missing.takeRequest(at: 0, roundTrip: 20_000_000)
    #expect(second?.sequence == 43 && second?.following == 0 && second?.count == 1)
  }

  /// libwebrtc's maximum number of retries, 100 in 2026.
  @Test func aPacketIsAskedForAHundredTimes() {
    var missing = MissingPackets()
    defer { missing.deallocate() }
    _ = missing.add(7, count: 1)
    var asked = 0
    for step in Int64(0)..<150 { asked += ask(&missing, at: step * 20).count }
    #expect(asked == 100)
    #expect(missing.isEmpty)
  }

  /// WrappingSeqNum, with numbers of 32 bits.
  @Test func numbersGoOnBeyondTheirLast() {
    var missing = MissingPackets()
    defer { missing.deallocate() }
    _ = missing.add(.max, count: 2)
    #expect(ask(&missing, at: 0) == [.max, 0])
  }

  /// TooLargeNackList: a thousand are requested; one more is beyond repair.
  @Test func aThousandAreKept() {
    var missing = MissingPackets()
    defer { missing.deallocate() }
    let fits = missing.add(1, count: 1000)
    #expect(fits)
    #expect(ask(&missing, at: 0) == Array(1...1000))
    let overflows = missing.add(1002, count: 1)
    #expect(!overflows)
    #expect(missing.isEmpty)
    #expect(ask(&missing, at: 20) == [])
  }

  /// PacketNackCount: two of four arrive, the others are requested again.
  @Test func whatCameIsNotAskedForAgain() {
    var missing = MissingPackets()
    defer { missing.deallocate() }
    _ = missing.add(1, count: 4)
    #expect(ask(&missing, at: 0, roundTrip: 100) == [1, 2, 3, 4])
    let removed = [missing.remove(2), missing.remove(3), missing.remove(2)]
    #expect(removed == [true, true, false])
    #expect(ask(&missing, at: 100, roundTrip: 100) == [1, 4])
  }
}

extension MissingPacketsTests {
  @Test func theOnlyMissingOfAGroupIsFound() {
    var missing = MissingPackets()
    defer { missing.deallocate() }
    _ = missing.add(10, count: 5)
    // 10, 12 and 14; 11 and 13.
    #expect(missing.missing(from: 10, step: 2, count: 5) == (3, 14))
    _ = missing.remove(10)
    _ = missing.remove(14)
    #expect(missing.missing(from: 10, step: 2, count: 5) == (1, 12))
    #expect(missing.missing(from: 10, step: 2, count: 2) == (0, nil))
    #expect(missing.missing(from: 11, step: 2, count: 5) == (2, 13))
  }

  @Test func aSpanIsForgotten() {
    var missing = MissingPackets()
    defer { missing.deallocate() }
    _ = missing.add(.max - 1, count: 5)
    missing.removeAll(from: .max, before: 2)
    #expect(!missing.remove(.max) && !missing.remove(1))
    #expect(missing.remove(.max - 1) && missing.remove(2) && missing.isEmpty)
  }
}
