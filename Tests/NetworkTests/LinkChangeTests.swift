import Network
import Quantity
import Statistics
import Testing

private let ms: Int64 = 1_000_000

/// 1000 bytes at 8 Mbit/s take 1 ms.
@Suite("Changing links")
struct LinkChangeTests {
  private func link(
    delay: Int64 = 50, _ changes: (at: Int64, change: LinkChange)..., queue: QueueLimit = .packets(1_000)
  ) -> LinkParameters {
    var parameters = LinkParameters(
      capacity: .constant(.megabits(8)), propagationDelay: .milliseconds(delay), queueLimit: queue)
    for (time, change) in changes { parameters.change(change, at: SimTime(nanoseconds: time * ms)) }
    return parameters
  }

  private func share(_ value: Double) throws -> Fraction { try #require(Fraction(value)) }

  private func plan(at milliseconds: [Double], size: UInt16 = 1000) -> [(time: Int64, size: UInt16)] {
    milliseconds.map { (Int64($0 * 1e6), size) }
  }

  /// Returns the arrival times [ms], the numbers of the packets, and the counters.
  private func arrivals(
    _ parameters: LinkParameters, at times: [Double], size: UInt16 = 1000
  ) -> (times: [Double], frames: [Int], counters: LinkCounters) {
    var model = OneLink(parameters)
    model.run(plan(at: times, size: size))
    return (model.times.map { Double($0) / 1e6 }, model.arrivals.map { Int($0.packet.frame) }, model.counters)
  }

  @Test func aDelayHoldsForPacketsWhoseTransmissionBeginsLater() {
    // The packet of 9.5 ms is in transmission at 10 ms; the packet of 9.75 ms still waits.
    let found = arrivals(link((10, .delay(.milliseconds(80)))), at: [0, 9.5, 9.75, 20])
    #expect(found.times == [51, 60.5, 91.5, 101])
  }

  @Test func orderIsKeptWhenADelayFalls() {
    // On their own they would arrive at 81, 86, 31, 61, 91 and 96 ms; the third and fourth arrive right behind the
    // second.
    let parameters = link(delay: 80, (10, .delay(.milliseconds(20))))
    let found = arrivals(parameters, at: [0, 5, 10, 40, 70, 75])
    #expect(found.times == [81, 86, 87, 88, 91, 96])
    #expect(found.frames == [0, 1, 2, 3, 4, 5])
  }

  @Test func aLinkThatReordersLetsThemOvertake() {
    var parameters = link(delay: 80, (10, .delay(.milliseconds(20))))
    parameters.reorders = true
    // No packet arrives before the next arrival that is pending when it is sent.
    let found = arrivals(parameters, at: [0, 5, 10, 40, 70, 75])
    #expect(found.times == [81, 81, 81, 86, 91, 96])
    #expect(found.frames == [0, 2, 3, 1, 4, 5])
  }

  @Test func jitterComesAndGoes() {
    let parameters = link((1_000, .jitter(.milliseconds(5))), (3_000, .jitter(.zero)))
    let found = arrivals(parameters, at: (0..<200).map { Double($0) * 20 })
    #expect(found.frames == Array(0..<200))
    let extra = found.times.enumerated().map { $0.element - Double($0.offset) * 20 - 51 }
    #expect(extra[..<50].allSatisfy { $0 == 0 } && extra[150...].allSatisfy { $0 == 0 })
    #expect(extra[50..<150].allSatisfy { 0...15 ~= $0 })
    // 5 sqrt(2 / pi) = 3.99 ms on average, with a standard error of 0.30 ms.
    let mean = extra[50..<150].reduce(0, +) / 100
    #expect(abs(mean - 3.99) < 1, "\(mean)")
  }

  @Test func everythingIsLostWhileTheLossIsWhole() throws {
    let parameters = link(
      (10, .loss(.independent(try share(1)))), (20, .loss(.independent(.zero))))
    let found = arrivals(parameters, at: [0, 5, 9.5, 10, 15, 19.5, 20, 25])
    // The packet of 10 ms waits until 10.5 ms, that of 20 ms until 20.5 ms.
    #expect(found.frames == [0, 1, 2, 6, 7])
    #expect(found.times == [51, 56, 60.5, 71.5, 76])
    #expect(found.counters.lostPackets == 3 && found.counters.droppedPackets == 0)
  }

  @Test func aLossBeginsAtItsTime() throws {
    let parameters = link((20_000, .loss(.independent(try share(0.1)))))
    let found = arrivals(parameters, at: (0..<20_000).map { Double($0) * 2 })
    #expect(found.frames.prefix(10_000).elementsEqual(0..<10_000))
    // Binomial: mean 1,000, standard deviation 30.
    #expect(abs(found.counters.lostPackets - 1_000) < 120)
  }

  @Test func lossInBurstsBeginsInItsGoodState() throws {
    let model = GilbertElliott(toBad: try share(1), toGood: .zero, lossWhenBad: try share(1))
    let parameters = link((10, .loss(.bursts(model))), (30, .loss(.independent(.zero))))
    let found = arrivals(parameters, at: [0, 5, 10, 15, 20, 25, 30])
    #expect(found.frames == [0, 1, 2, 6])
  }

  @Test func aNewLimitIsForNewPackets() {
    // Of ten at once one is sent and five wait. At 2.5 ms three still wait; at 4.5 ms one does, so another may join it.
    let parameters = link(delay: 0, (2, .queue(.packets(2))), queue: .packets(5))
    let found = arrivals(parameters, at: Array(repeating: 0, count: 10) + [2.5, 4.5, 4.5])
    #expect(found.times == [1, 2, 3, 4, 5, 6, 7])
    #expect(found.frames == [0, 1, 2, 3, 4, 5, 11])
    #expect(found.counters.droppedPackets == 6)
  }

  @Test func aLimitMayChangeItsKind() {
    let burst = { (time: Double) in [Double](repeating: time, count: 30) }
    let parameters = link(
      delay: 0, (50, .queue(.duration(.milliseconds(20)))), (150, .queue(.bytes(ByteCount(4_500)))),
      (250, .queue(.packets(7))), queue: .bytes(ByteCount(2_500)))
    let found = arrivals(parameters, at: burst(0) + burst(100) + burst(200) + burst(300))
    // One in transmission; then 2,500 B, 20 ms at 8 Mbit/s (20,000 B), 4,500 B, and 7 packets.
    let taken = (0..<4).map { round in found.frames.count { $0 / 30 == round } }
    #expect(taken == [3, 21, 5, 8])
  }

  /// Changes after the last packet have no effect, although the link is no longer a plain one.
  @Test func aLinkIsAsBeforeUntilItsFirstChange() throws {
    var draws = RandomStream(seed: 4, name: "sizes")
    var time = 0.0
    let plan = (0..<5_000).map { _ -> (time: Int64, size: UInt16) in
      time += draws.exponential(mean: 0.75)
      return (Int64(time * 1e6), UInt16(100 + draws.index(below: 1400)))
    }
    var plain = OneLink(link(queue: .packets(20)))
    var changing = OneLink(
      link(
        (10_000, .delay(.zero)), (10_000, .loss(.independent(try share(1)))),
        (10_000, .queue(.packets(1))), (10_000, .down(.seconds(9))), queue: .packets(20)))
    plain.run(plan)
    changing.run(plan)
    let (expected, found) = (plain.times, changing.times)
    #expect(expected == found && expected.count > 3_000)
    let (before, after) = (plain.counters, changing.counters)
    #expect(before == after && before.droppedPackets > 50)
  }
}
