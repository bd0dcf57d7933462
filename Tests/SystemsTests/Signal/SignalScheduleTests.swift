import Allocation
import Quantity
import Systems
import TestSupport
import Testing
import Vendors

@Suite("Timing of allocations in Signal's SFU")
struct SignalScheduleTests {

  @Test func aSecondHasToHavePassed() {
    var schedule = SignalSchedule()
    let isFirst = schedule.receive(.megabits(1), allocated: .zero, at: .ms(0))
    schedule.noteDecision(at: .ms(0))
    let later = SimTime.ms(1000) + SimDuration(nanoseconds: 1)
    #expect(schedule.dueAt == later)
    let answers = [SimTime.ms(1000), later].map { schedule.receive(.megabits(9), allocated: .zero, at: $0) }
    #expect([isFirst] + answers == [true, false, true])
  }

  /// Nine tenths of 1111 are 999.9, rounded down.
  @Test(arguments: [(1000, 900, false), (1000, 899, true), (1111, 999, false), (1111, 998, true)])
  func anEstimateBelowNineTenthsOfWhatIsAllocatedIsActedOnAtOnce(
    allocated: Int64, target: Int64, expected: Bool
  ) {
    var schedule = SignalSchedule()
    schedule.noteDecision(at: .ms(0))
    let isNow = schedule.receive(
      BitRate(bitsPerSecond: target), allocated: BitRate(bitsPerSecond: allocated), at: .ms(1))
    #expect(isNow == expected)
  }

  private func least(_ schedule: SignalSchedule) -> BitRate? {
    var state = AllocationState(budget: .megabits(5), subscriptions: [])
    schedule.complete(&state, queued: .zero, at: .zero)
    return state.demand.minimumTarget
  }

  @Test func theLeastOfTwoGenerationsIsRemembered() {
    var schedule = SignalSchedule()
    #expect(least(schedule) == nil)
    // Later than 2.5 s, a new generation starts with that estimate.
    let estimates: [(kilobits: Int64, milliseconds: Int64, least: Int64)] = [
      (800, 0, 800), (700, 1000, 700), (900, 2500, 700), (900, 2501, 700), (1000, 5001, 700),
      (1000, 5002, 900),
      (1000, 7503, 1000), (100, 7504, 100),
    ]
    for estimate in estimates {
      _ = schedule.receive(.kilobits(estimate.kilobits), allocated: .zero, at: .ms(estimate.milliseconds))
      #expect(least(schedule) == .kilobits(estimate.least))
    }
  }

  /// 31,250 B is 250 kbit: 500 kbps for half a second.
  @Test func aQueueIsToBeEmptyInHalfASecond() {
    func drain(_ bytes: Int64, _ parameters: SignalParameters = .init(), signalled: BitRate? = nil)
      -> BitRate?
    {
      var state = AllocationState(budget: .megabits(5), subscriptions: [])
      state.demand.queueDrain = signalled
      SignalSchedule(parameters).complete(&state, queued: ByteCount(bytes), at: .zero)
      return state.demand.queueDrain
    }
    #expect(drain(0) == .zero)
    #expect(drain(31_250) == .kilobits(500))
    #expect(drain(31_250, signalled: .kilobits(50)) == .kilobits(50))
    var slow = SignalParameters()
    slow.queueDrainTime = .seconds(1)
    #expect(drain(31_250, slow) == .kilobits(250))
  }

  @Test func whatIsSignalledStays() {
    var schedule = SignalSchedule()
    _ = schedule.receive(.kilobits(800), allocated: .zero, at: .ms(0))
    var state = AllocationState(budget: .megabits(5), subscriptions: [])
    state.demand.minimumTarget = .kilobits(900)
    schedule.complete(&state, queued: .zero, at: .ms(0))
    #expect(state.demand.minimumTarget == .kilobits(900))
  }
}
