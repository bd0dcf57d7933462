import Allocation
import Quantity
import Systems
import TestSupport
import Testing
import Vendors

@Suite("Janus' branch decides every 250 ms")
struct JanusScheduleTests {

  @Test func periodsAndFalls() {
    var schedule = JanusSchedule(interval: .milliseconds(250))
    func receive(_ rate: BitRate, allocated: BitRate, at now: SimTime) -> Bool {
      schedule.receive(rate, allocated: allocated, at: now)
    }
    #expect(schedule.dueAt == nil)
    #expect(receive(.kilobits(1000), allocated: .zero, at: .ms(0)))
    schedule.noteDecision(at: .ms(0))
    #expect(schedule.dueAt == SimTime.ms(250))
    #expect(!receive(.kilobits(1100), allocated: .zero, at: .ms(100)))
    // The first drops count at once, later ones after the interval.
    #expect(receive(.kilobits(900), allocated: .zero, at: .ms(150)))
    schedule.noteDecision(at: .ms(150))
    #expect(!receive(.kilobits(800), allocated: .zero, at: .ms(399)))
    #expect(receive(.kilobits(800), allocated: .zero, at: .ms(400)))
  }
}
