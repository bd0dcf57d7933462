import Network
import Quantity
import Testing
import Transport

/// Expectations of libwebrtc's `rtp_packet_history_unittest.cc`: how long and how often a packet can be retransmitted.
@Suite("Retransmission history")
struct RetransmissionHistoryTests {
  /// A history with packet 1, sent at time zero, and some after it.
  private func history(later: UInt32 = 0) -> RetransmissionHistory {
    var history = RetransmissionHistory(rate: .megabits(5), framesPerSecond: 30)
    for number in 1...(1 + later) {
      history.append(Packet(sentAt: .zero, size: 1000, sequence: number), at: .zero)
    }
    return history
  }

  /// Returns whether packet 1 is retransmitted.
  private func repeats(
    _ history: inout RetransmissionHistory, at now: Int64, roundTrip: Int64, isWaiting: Bool = false
  ) -> Bool {
    guard history.packet(1, toRepeatAt: now, roundTrip: roundTrip) != nil else { return false }
    history.noteRepetition(of: 1, at: now, isWaiting: isWaiting)
    return true
  }

  /// Three seconds while few packets follow, one after 600; three round trips if these are longer than a second, and
  /// three times that.
  @Test(
    arguments: [
      (0, 50, 2999, true), (0, 50, 3000, false), (599, 50, 2999, true), (600, 50, 999, true),
      (600, 50, 1000, false), (0, 500, 4499, true), (0, 500, 4500, false), (600, 500, 1499, true),
      (600, 500, 1500, false),
    ] as [(UInt32, Int64, Int64, Bool)])
  func packetsAreKeptForATime(later: UInt32, roundTrip: Int64, age: Int64, isKept: Bool) {
    let history = history(later: later)
    defer { history.deallocate() }
    let packet = history.packet(1, toRepeatAt: age * 1_000_000, roundTrip: roundTrip * 1_000_000)
    #expect((packet != nil) == isKept)
  }

  @Test func aPacketThatComesLateDoesNotHideItsSuccessors() {
    var history = history(later: 9)
    defer { history.deallocate() }
    history.append(Packet(sentAt: .zero, size: 1000, sequence: 5), at: .zero)
    for number in UInt32(1)...10 {
      #expect(history.packet(number, toRepeatAt: 1_000_000, roundTrip: 0)?.sequence == number)
    }
  }

  /// MinResendInterval: at once, then not until a round trip has passed.
  @Test func aPacketIsRepeatedOnceEachRoundTrip() {
    var history = history()
    defer { history.deallocate() }
    let taken = [10, 25, 109, 110, 209, 210].map { milliseconds in
      repeats(&history, at: Int64(milliseconds) * 1_000_000, roundTrip: 100_000_000)
    }
    #expect(taken == [true, false, false, true, false, true])
  }

  /// `send_time` is set when a packet leaves the pacer: one that waited there for two seconds is kept for another
  /// three.
  @Test func ageCountsFromTheDeparture() {
    let times: [(milliseconds: Int64, isKept: Bool)] = [(4999, true), (5000, false)]
    for time in times {
      var history = history()
      defer { history.deallocate() }
      history.noteDeparture(of: 1, at: SimTime(nanoseconds: 2_000_000_000))
      let packet = history.packet(1, toRepeatAt: time.milliseconds * 1_000_000, roundTrip: 0)
      #expect((packet != nil) == time.isKept)
    }
  }

  /// A retransmitted packet is young again, and the round trip counts from then.
  @Test func ageCountsFromTheLastTime() {
    var history = history()
    defer { history.deallocate() }
    let taken = [2900, 5800, 8799].map { milliseconds in
      repeats(&history, at: Int64(milliseconds) * 1_000_000, roundTrip: 50_000_000)
    }
    #expect(taken == [true, true, true])
    #expect(!repeats(&history, at: 11_799_000_000, roundTrip: 50_000_000))
  }

  /// A packet that waits in the pacer for its retransmission is not queued a second time.
  @Test func aPacketThatWaitsIsNotRepeated() {
    var history = history()
    defer { history.deallocate() }
    #expect(repeats(&history, at: 10_000_000, roundTrip: 100_000_000, isWaiting: true))
    #expect(!repeats(&history, at: 500_000_000, roundTrip: 100_000_000))
    history.noteDeparture(of: 1, at: SimTime(nanoseconds: 600_000_000))
    #expect(!repeats(&history, at: 699_000_000, roundTrip: 100_000_000))
    #expect(repeats(&history, at: 700_000_000, roundTrip: 100_000_000))
  }

  /// 2 s in the pacer and two retransmissions, the last after 200 s, change nothing but the transport-wide number.
  @Test func aPacketComesBackAsItWas() throws {
    var history = RetransmissionHistory(rate: .megabits(5), framesPerSecond: 30)
    defer { history.deallocate() }
    let sent = Packet(
      sentAt: SimTime(nanoseconds: 1_000_000_007), size: 65_535, stream: 65_535, sequence: 4_294_967_295,
      destination: 65_535, kind: 15, flags: 255, frame: 4_294_967_295, index: 65_535, count: 65_535,
      format: 65_535)
    var numbered = sent
    numbered.transportSequence = 65_535
    history.append(numbered, at: SimTime(nanoseconds: 1_000_000_007))
    history.noteDeparture(of: sent.sequence, at: SimTime(nanoseconds: 3_000_000_000))
    for time in [4_000_000_000, 201_000_000_000] as [Int64] {
      history.noteRepetition(of: sent.sequence, at: time, isWaiting: false)
    }
    let packet = try #require(history.packet(sent.sequence))
    #expect(packet.sentAt == sent.sentAt && packet.transportSequence == 0)
    let fields = [packet.stream, packet.size, packet.destination, packet.index, packet.count, packet.format]
    #expect(fields.allSatisfy { $0 == 65_535 })
    #expect(packet.kind == 15 && packet.flags == 255)
    #expect(packet.frame == 4_294_967_295 && packet.sequence == 4_294_967_295)
    // Times have a resolution of 32 ns, of which 201 s are a multiple: the packet is kept for three seconds from then.
    let end: Int64 = 204_000_000_000
    let kept = [end - 1, end].map { history.packet(sent.sequence, toRepeatAt: $0, roundTrip: 0) != nil }
    #expect(kept == [true, false])
  }

  @Test func whatWasNeverSentIsNotThere() {
    let history = history(later: 3)
    defer { history.deallocate() }
    let none = [0, 5].map { history.packet($0, toRepeatAt: 0, roundTrip: 0) }
    #expect(none.allSatisfy { $0 == nil })
  }
  /// A stream below its full rate also keeps three seconds, in less space.
  @Test(arguments: [(25, 74), (100, 299), (250, 600)])
  func threeSecondsAreKeptAtAnyRate(packetsPerSecond: Int, expected: Int) {
    var history = RetransmissionHistory(rate: .megabits(5), framesPerSecond: 30)
    defer { history.deallocate() }
    let spacing = 1_000_000_000 / Int64(packetsPerSecond)
    let count = UInt32(10 * packetsPerSecond)
    for number in 0..<count {
      let time = SimTime(nanoseconds: Int64(number) * spacing)
      history.append(Packet(sentAt: time, size: 1000, sequence: number), at: time)
    }
    let now = Int64(count) * spacing
    let kept = (0..<count).filter { history.packet($0, toRepeatAt: now, roundTrip: 0) != nil }
    // Those younger than 3 s, but at most the newest 600.
    #expect(kept.count == expected)
  }
}

@Suite("Retransmission budget")
struct RetransmissionBudgetTests {
  /// 800 kbps is 100,000 bytes a second. Half a second later, half of the spent bytes are forgotten.
  @Test func aSecondOfTheTargetMayBeSpent() {
    var budget = RetransmissionBudget()
    let target = BitRate.kilobits(800)
    var spent = budget.spend(60_000, target: target, at: .zero)
    #expect(spent)
    spent = budget.spend(40_001, target: target, at: .zero)
    #expect(!spent)
    spent = budget.spend(40_000, target: target, at: .zero)
    #expect(spent)
    // Repairs take at most half of a rate.
    let rates = [800, 2000].map { budget.rate(within: .kilobits($0), at: .zero) }
    #expect(rates == [.kilobits(400), .kilobits(800)])
    let half = SimTime(nanoseconds: 500_000_000)
    spent = budget.spend(50_001, target: target, at: half)
    #expect(!spent)
    spent = budget.spend(50_000, target: target, at: half)
    #expect(spent)
  }
}
