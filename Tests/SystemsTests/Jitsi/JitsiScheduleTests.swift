import Allocation
import Quantity
import Systems
import Testing
import Vendors

@Suite("Timing of Jitsi's decisions")
struct JitsiScheduleTests {
  private func schedule(_ parameters: JitsiParameters = JitsiParameters()) -> any ServerSchedule {
    JitsiSchedule(parameters)
  }

  private let now = SimTime.zero + .seconds(1)

  private func takes(_ estimates: [Int64], _ parameters: JitsiParameters = JitsiParameters()) -> [Bool] {
    var schedule = schedule(parameters)
    return estimates.map { schedule.receive(BitRate(bitsPerSecond: $0), allocated: .zero, at: now) }
  }

  @Test func theFirstEstimateAndThoseThatDifferByMoreThan15Percent() {
    #expect(takes([1_000_000, 1_150_000, 1_150_001]) == [true, false, true])
    #expect(takes([1_000_000, 850_000, 849_999]) == [true, false, true])
    // Compared with the last estimate acted on, so a slow drift counts in the end.
    #expect(
      takes([1_000_000, 1_080_000, 1_140_000, 1_160_000, 1_200_000]) == [true, false, false, true, false])
    #expect(takes([0, 0, 1]) == [true, false, true])
  }

  @Test func inBetweenItActsOnTheLastEstimateThatItActedOn() {
    var schedule = schedule()
    var state = AllocationState(budget: .megabits(3), subscriptions: [])
    schedule.complete(&state, queued: .zero, at: now)
    #expect(state.budget == .megabits(3))
    _ = schedule.receive(.megabits(2), allocated: .zero, at: now)
    _ = schedule.receive(.kilobits(2200), allocated: .zero, at: now)
    schedule.complete(&state, queued: .zero, at: now)
    #expect(state.budget == .megabits(2))
    #expect(state.changeThreshold == Fraction(0.15))
  }

  @Test func atTheLatestEveryFiveSeconds() {
    var schedule = schedule()
    #expect(schedule.dueAt == nil)
    schedule.noteDecision(at: now)
    #expect(schedule.dueAt == now + .milliseconds(5005))
    schedule.noteDecision(at: now + .seconds(2))
    #expect(schedule.dueAt == now + .milliseconds(7005))
  }

  @Test func thresholdAndPeriodAreParameters() {
    var parameters = JitsiParameters()
    parameters.changeThreshold = .zero
    parameters.reallocationPeriod = .seconds(1)
    #expect(takes([2_000_000, 2_000_001, 2_000_001], parameters) == [true, true, false])
    var schedule = schedule(parameters)
    schedule.noteDecision(at: now)
    #expect(schedule.dueAt == now + .milliseconds(1005))
  }
}
