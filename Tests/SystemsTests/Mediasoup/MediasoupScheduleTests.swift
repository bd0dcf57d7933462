import Allocation
import CongestionControl
import Quantity
import Systems
import TestSupport
import Testing
import Vendors

@Suite("Timing of mediasoup's distribution")
struct MediasoupScheduleTests {

  /// Indicates which of several estimates are distributed, after 1 Mbit/s at the start.
  private func distributed(_ estimates: [(bits: Int64, milliseconds: Int64)]) -> [Bool] {
    var schedule = begun()
    return estimates.map {
      schedule.receive(BitRate(bitsPerSecond: $0.bits), allocated: .zero, at: .ms($0.milliseconds))
    }
  }

  private func begun() -> MediasoupSchedule {
    var schedule = MediasoupSchedule()
    let isDistributed = schedule.receive(.megabits(1), allocated: .zero, at: .ms(0))
    #expect(isDistributed)
    #expect(schedule.dueAt == SimTime.ms(1000))
    return schedule
  }

  @Test func anEstimateIsDistributedASecondAfterTheLast() {
    #expect(
      distributed([(1_001_000, 999), (1_001_000, 1000), (1_002_000, 1999), (1_002_000, 2000)]) == [
        false, true, false, true,
      ])
  }

  @Test func everySecondIsDistributedWhetherTheEstimateHasChangedOrNot() {
    var schedule = begun()
    schedule.noteDecision(at: .ms(500))
    #expect(schedule.dueAt == SimTime.ms(1500))
    // Any decision restarts the second.
    let isDistributed = schedule.receive(.kilobits(1002), allocated: .zero, at: .ms(1499))
    #expect(!isDistributed)
    #expect(schedule.dueAt == SimTime.ms(1500))
  }

  @Test(arguments: [(749_999, true), (750_000, false), (1_500_000, false), (1_500_001, true)])
  func whatIsFarFromThePreviousEstimateIsDistributedAtOnce(estimate: Int64, isDistributed: Bool) {
    #expect(distributed([(estimate, 1)]) == [isDistributed])
  }

  /// The previous estimate counts, not the last one distributed.
  @Test func slowChangesAreNotFar() {
    #expect(distributed([(800_000, 1), (700_000, 2), (599_000, 3)]) == [false, false, false])
  }

  // MARK: Bounds of the estimate

  private func most(
    _ schedule: inout MediasoupSchedule, _ kilobits: [Int64], at milliseconds: Int64
  ) -> Int64? {
    let state = AllocationState(
      budget: .megabits(1), subscriptions: kilobits.map { consumed([[$0 * 500], [$0 * 1000], [$0 * 600]]) })
    guard case .bound(let least, let most)? = schedule.commands(on: state, at: .ms(milliseconds)).first
    else {
      return nil
    }
    #expect(least == .kilobits(30))
    return most.rate.map { $0.bitsPerSecond / 1000 }
  }

  /// 1.35 times the sum of each source's largest stream, at least 600 kbps; it stays if within 10 % of the last.
  @Test func theMaximumFollowsWhatConsumersCouldUse() {
    var schedule = begun()
    // The estimator is created with the first consumer.
    #expect(most(&schedule, [], at: 0) == nil)
    #expect(most(&schedule, [300], at: 0) == 600)
    #expect(most(&schedule, [600, 400], at: 0) == 1350)
    #expect(most(&schedule, [650, 400], at: 0) == 1350)
    #expect(most(&schedule, [800, 400], at: 0) == 1620)
    // 1200 less 5 % of it per second: 1080 after two seconds.
    #expect(most(&schedule, [300, 300], at: 2000) == 1458)
    // A consumer that ends counts at once.
    #expect(most(&schedule, [600], at: 2100) == 810)
    #expect(most(&schedule, [], at: 2200) == 600)
  }

  /// A source that counts at 30 kbps, because its sender follows its receivers, could use what it sends: of 700 kbps
  /// 1.35 times as much.
  @Test func theMaximumFollowsASenderThatFollowsItsReceivers() {
    var schedule = begun()
    var source = consumed([[30_000]])
    source.followingRate = .kilobits(700)
    let state = AllocationState(budget: .megabits(1), subscriptions: [source])
    #expect(
      schedule.commands(on: state, at: .ms(0))
        == [.bound(minimum: .kilobits(30), maximum: RateLimit(.kilobits(945)))])
  }

  @Test func theInitialValueIsIgnoredAfterTheFirst() {
    #expect(distributed([(600_000, 2000), (600_001, 2001)]) == [false, true])
    var schedule = begun()
    _ = schedule.receive(.kilobits(600), allocated: .zero, at: .ms(2000))
    var state = AllocationState(budget: .kilobits(600), subscriptions: [])
    schedule.complete(&state, queued: .zero, at: .ms(2000))
    #expect(state.budget == .megabits(1))
    _ = schedule.receive(.kilobits(601), allocated: .zero, at: .ms(2001))
    state.budget = .kilobits(601)
    schedule.complete(&state, queued: .zero, at: .ms(2001))
    #expect(state.budget == .kilobits(601))
    var first = MediasoupSchedule()
    let isDistributed = first.receive(.kilobits(600), allocated: .zero, at: .ms(0))
    #expect(isDistributed)
  }
}
