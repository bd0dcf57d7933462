import Quantity
import Testing

@Suite("Optional times")
struct DeadlineTests {
  private func time(_ seconds: Int64) -> SimTime { .zero + .seconds(seconds) }

  @Test func aDeadlineIsDueFromItsTimeOn() {
    let deadline = Deadline(time(3))
    #expect(!deadline.isDue(at: time(2)) && deadline.isDue(at: time(3)) && deadline.isDue(at: time(4)))
    #expect(deadline.time == time(3) && deadline < .never && MemoryLayout<Deadline>.stride == 8)
  }

  @Test func neverIsNotDueEvenAfterAYear() {
    #expect(Deadline.never.time == nil && !Deadline.never.isDue(at: time(365 * 86_400)))
  }

  @Test func aLastTimeGrowsOld() {
    let last = LastTime(time(3))
    #expect(!last.hasPassed(.seconds(2), at: time(4)) && last.hasPassed(.seconds(1), at: time(4)))
    #expect(!last.isOlder(than: .seconds(1), at: time(4)) && last.isOlder(than: .seconds(1), at: time(5)))
    #expect(last.time == time(3) && MemoryLayout<LastTime>.stride == 8)
  }

  @Test func whatHasNotHappenedIsOlderThanAnything() {
    let never = LastTime.never
    #expect(never.time == nil && never < LastTime(.zero))
    #expect(never.hasPassed(.longest, at: .zero) && never.isOlder(than: .longest, at: .zero))
  }
}
