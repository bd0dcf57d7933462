import Allocation
import Quantity
import Systems
import TestSupport
import Testing
import Vendors

@Suite("GSO-Simulcast's controller decides every 1.8 s, or 1 s after the last time")
struct GSOScheduleTests {
  private let empty = MeetingAllocationState(publishers: [], viewers: [])
  private let nothing = MeetingAllocationOutcome(viewers: [], publishers: [], margin: BudgetMargin())

  private func state(_ kilobits: Int64) -> MeetingAllocationState {
    MeetingAllocationState(
      publishers: [],
      viewers: [
        MeetingViewer(
          participant: 2, allocation: AllocationState(budget: .kilobits(kilobits), subscriptions: []))
      ])
  }

  private func outcome(isDowngrade: Bool) -> MeetingAllocationOutcome {
    var decision = SourceDecision(layer: nil, ideal: nil, rank: 1, rule: "")
    decision.isDowngrade = isDowngrade
    return MeetingAllocationOutcome(
      viewers: [[decision]], publishers: [],
      margin: BudgetMargin())
  }

  @Test func periods() {
    var schedule = GSOSchedule(GSOParameters())
    #expect(schedule.dueAt == nil)
    schedule.noteChange(at: .ms(300))
    #expect(schedule.dueAt == SimTime.ms(300))
    schedule.noteDecision(empty, nothing, at: .ms(300))
    #expect(schedule.dueAt == SimTime.ms(2100))
    schedule.noteChange(at: .ms(400))
    #expect(schedule.dueAt == SimTime.ms(1300))
    schedule.noteDecision(empty, nothing, at: .ms(1300))
    schedule.noteChange(at: .ms(2500))
    #expect(schedule.dueAt == SimTime.ms(2500))
  }

  @Test func onlyAChangeByMoreThanATenthIsSignificant() {
    var schedule = GSOSchedule(GSOParameters())
    schedule.noteDecision(state(1000), outcome(isDowngrade: false), at: .ms(0))
    for rate in [900, 1100] as [Int64] {
      schedule.receive(.kilobits(rate), of: .down(participant: 2), at: .ms(100))
      #expect(schedule.dueAt == SimTime.ms(1800))
    }
    schedule.receive(.kilobits(1101), of: .down(participant: 2), at: .ms(100))
    #expect(schedule.dueAt == SimTime.ms(1000))
    // A link without a decision so far counts as news.
    schedule.noteDecision(state(1000), outcome(isDowngrade: false), at: .ms(2000))
    schedule.receive(.kilobits(1), of: .up(participant: 0), at: .ms(2100))
    #expect(schedule.dueAt == SimTime.ms(3000))
  }

  @Test func aLinkIsHeldUntilItIsBetterByMoreThanATenth() {
    var schedule = GSOSchedule(GSOParameters())
    func held() -> BitRate? {
      var state = state(0)
      schedule.complete(&state)
      return state.viewers[0].heldAt
    }
    schedule.noteDecision(state(1000), outcome(isDowngrade: false), at: .ms(0))
    #expect(held() == nil)
    schedule.noteDecision(state(600), outcome(isDowngrade: true), at: .ms(2000))
    #expect(held() == .kilobits(600))
    schedule.noteDecision(state(660), outcome(isDowngrade: false), at: .ms(4000))
    #expect(held() == .kilobits(600))
    schedule.noteDecision(state(661), outcome(isDowngrade: false), at: .ms(6000))
    #expect(held() == nil)
  }
}
