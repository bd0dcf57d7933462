import Allocation
import Quantity
import Systems
import Testing
import Vendors

@Suite("GSO-Simulcast's controller decides every 1.8 s, or 1 s after the last time")
struct GSOScheduleTests {
  private let empty = MeetingAllocationState(publishers: [], viewers: [])
  private let nothing = MeetingAllocationOutcome(viewers: [], publishers: [], margin: BudgetMargin())

  private func at(_ milliseconds: Int64) -> SimTime { .zero + .milliseconds(milliseconds) }

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
    schedule.noteChange(at: at(300))
    #expect(schedule.dueAt == at(300))
    schedule.noteDecision(empty, nothing, at: at(300))
    #expect(schedule.dueAt == at(2100))
    schedule.noteChange(at: at(400))
    #expect(schedule.dueAt == at(1300))
    schedule.noteDecision(empty, nothing, at: at(1300))
    schedule.noteChange(at: at(2500))
    #expect(schedule.dueAt == at(2500))
  }

  @Test func onlyAChangeByMoreThanATenthIsSignificant() {
    var schedule = GSOSchedule(GSOParameters())
    schedule.noteDecision(state(1000), outcome(isDowngrade: false), at: at(0))
    for rate in [900, 1100] as [Int64] {
      schedule.receive(.kilobits(rate), of: .down(participant: 2), at: at(100))
      #expect(schedule.dueAt == at(1800))
    }
    schedule.receive(.kilobits(1101), of: .down(participant: 2), at: at(100))
    #expect(schedule.dueAt == at(1000))
    // A link without a decision so far counts as news.
    schedule.noteDecision(state(1000), outcome(isDowngrade: false), at: at(2000))
    schedule.receive(.kilobits(1), of: .up(participant: 0), at: at(2100))
    #expect(schedule.dueAt == at(3000))
  }

  @Test func aLinkIsHeldUntilItIsBetterByMoreThanATenth() {
    var schedule = GSOSchedule(GSOParameters())
    func held() -> BitRate? {
      var state = state(0)
      schedule.complete(&state)
      return state.viewers[0].heldAt
    }
    schedule.noteDecision(state(1000), outcome(isDowngrade: false), at: at(0))
    #expect(held() == nil)
    schedule.noteDecision(state(600), outcome(isDowngrade: true), at: at(2000))
    #expect(held() == .kilobits(600))
    schedule.noteDecision(state(660), outcome(isDowngrade: false), at: at(4000))
    #expect(held() == .kilobits(600))
    schedule.noteDecision(state(661), outcome(isDowngrade: false), at: at(6000))
    #expect(held() == nil)
  }
}
