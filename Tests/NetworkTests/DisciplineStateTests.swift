import Network
import Quantity
import Statistics
import Testing

private let ms: Int64 = 1_000_000

@Suite("CoDel as a state machine")
struct ControlledDelayTests {
  /// Returns the drop times of a queue that stays 20 ms long, checked every millisecond from a time on [ms].
  private func drops(
    _ codel: inout ControlledDelay, from start: Int64, to end: Int64, waited: Int64 = 20 * ms
  ) -> [Int64] {
    var times: [Int64] = []
    for at in start..<end {
      while codel.drops(waited: waited, bytesLeft: 50_000, at: at * ms) { times.append(at) }
    }
    return times
  }

  /// 100 ms above the target, then 100 / sqrt(n) ms between drops: 100, 200, 270.7, 328.4, 378.4, 423.2 ms.
  @Test func dropsFollowTheControlLaw() {
    var codel = ControlledDelay(CoDelParameters())
    #expect(drops(&codel, from: 0, to: 430) == [100, 200, 271, 329, 379, 424])
  }

  /// Six drops in the first spell, less the one counted before: the next starts with five, 100 / sqrt(5) = 44.7 ms
  /// apart.
  @Test func aSpellSoonAfterAnotherBeginsNearItsRate() {
    var codel = ControlledDelay(CoDelParameters())
    _ = drops(&codel, from: 0, to: 430)
    #expect(drops(&codel, from: 430, to: 500, waited: ms) == [])
    #expect(drops(&codel, from: 500, to: 690) == [600, 645, 686])
  }

  /// More than 16 intervals after the last drop was due, nothing is remembered.
  @Test func aSpellLongAfterAnotherBeginsAnew() {
    var codel = ControlledDelay(CoDelParameters())
    _ = drops(&codel, from: 0, to: 430)
    #expect(drops(&codel, from: 430, to: 3_000, waited: ms) == [])
    #expect(drops(&codel, from: 3_000, to: 3_280) == [3_100, 3_200, 3_271])
  }

  @Test func aPacketBehindWhichLittleWaitsIsKept() {
    var codel = ControlledDelay(CoDelParameters())
    for at in 0..<1_000 as Range<Int64> {
      let drops = codel.drops(waited: 900 * ms, bytesLeft: 1514, at: at * ms)
      #expect(!drops)
    }
  }

  @Test func targetAndIntervalAreParameters() {
    var parameters = CoDelParameters()
    parameters.target = .milliseconds(30)
    var patient = ControlledDelay(parameters)
    #expect(drops(&patient, from: 0, to: 1_000) == [])
    parameters.target = .milliseconds(10)
    parameters.interval = .milliseconds(40)
    var strict = ControlledDelay(parameters)
    #expect(drops(&strict, from: 0, to: 110) == [40, 80, 109])
  }
}

@Suite("PIE as a state machine")
struct ProportionalIntegralTests {
  /// Updates every 15 ms with alpha 1/8 and beta 5/4 per second, computed by hand.
  @Test func theProbabilityMovesInHandComputedSteps() {
    var pie = ProportionalIntegral(PIEParameters())
    pie.advance(to: 14 * ms, delay: 35 * ms)
    #expect(pie.probability == 0)
    // (0.125 * 0.020 + 1.25 * 0.035) / 2048 = 0.04625 / 2048.
    pie.advance(to: 15 * ms, delay: 35 * ms)
    #expect(abs(pie.probability - 0.04625 / 2048) < 1e-12)
    // 2.258e-5 is below 1e-4: 0.125 * 0.020 / 128 more.
    pie.advance(to: 30 * ms, delay: 35 * ms)
    #expect(abs(pie.probability - (0.04625 / 2048 + 0.0025 / 128)) < 1e-12)
    // Still 4.211e-5: the delay falls to 5 ms, 0.125 * -0.010 + 1.25 * -0.030 = -0.03875, and nothing is left.
    pie.advance(to: 45 * ms, delay: 5 * ms)
    #expect(pie.probability == 0)
  }

  @Test func aHighProbabilityRisesByTwoHundredthsAtMostAndDecaysWithAnEmptyQueue() {
    var pie = ProportionalIntegral(PIEParameters())
    var time: Int64 = 0
    while pie.probability < 0.2 {
      time += 15 * ms
      pie.advance(to: time, delay: 500 * ms)
    }
    let before = pie.probability
    time += 15 * ms
    pie.advance(to: time, delay: 900 * ms)
    #expect(abs(pie.probability - before - 0.02) < 1e-12)
    // Down from 900 ms: 0.125 * -0.015 + 1.25 * -0.9 empties it.
    time += 15 * ms
    pie.advance(to: time, delay: 0)
    #expect(pie.probability == 0)
  }

  @Test func withAnEmptyQueueTheProbabilityDecays() {
    var parameters = PIEParameters()
    parameters.beta = 0
    var pie = ProportionalIntegral(parameters)
    var time: Int64 = 0
    while pie.probability < 0.2 {
      time += 15 * ms
      pie.advance(to: time, delay: 165 * ms)
    }
    pie.advance(to: time + 15 * ms, delay: 0)
    let first = pie.probability
    pie.advance(to: time + 30 * ms, delay: 0)
    // 0.125 * -0.015 less, then 2 % of what remains.
    #expect(abs(pie.probability - (first - 0.001875) * 0.98) < 1e-12)
  }

  /// Packets are dropped at the given probability, but more evenly than at random: never two within 0.85 / p packets.
  @Test func dropsAreSpreadEvenly() {
    var parameters = PIEParameters()
    parameters.beta = 0
    parameters.burst = .zero
    var pie = ProportionalIntegral(parameters)
    var time: Int64 = 0
    while pie.probability < 0.05 {
      time += 15 * ms
      pie.advance(to: time, delay: 165 * ms)
    }
    var draws = RandomStream(seed: 6, name: "pie")
    var gaps: [Int] = []
    var gap = 0
    for _ in 0..<20_000 {
      gap += 1
      if pie.drops(waitingPackets: 100, &draws) {
        gaps.append(gap)
        gap = 0
      }
    }
    let smallest = Int((0.85 / pie.probability).rounded(.down))
    #expect(gaps.count > 400 && gaps.allSatisfy { $0 >= smallest })
    #expect(gaps.allSatisfy { $0 <= Int((8.5 / pie.probability).rounded(.up)) })
  }

  @Test func aBurstAndAShortQueuePass() {
    var pie = ProportionalIntegral(PIEParameters())
    var draws = RandomStream(seed: 6, name: "pie")
    pie.advance(to: 135 * ms, delay: 400 * ms)
    var dropped = (0..<500).count { _ in pie.drops(waitingPackets: 100, &draws) }
    #expect(dropped == 0)
    pie.advance(to: 1_500 * ms, delay: 400 * ms)
    dropped = (0..<500).count { _ in pie.drops(waitingPackets: 2, &draws) }
    #expect(dropped == 0)
    dropped = (0..<500).count { _ in pie.drops(waitingPackets: 3, &draws) }
    #expect(dropped > 20)
  }
}
