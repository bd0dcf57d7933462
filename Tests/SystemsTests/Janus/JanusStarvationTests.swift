import Allocation
import Quantity
import Systems
import Testing

/// A stream whose packets arrive.
private final class Starving {
  private var starvation = JanusStarvation()
  var temporaryTarget: Int? { starvation.temporaryTarget }

  /// A packet of an encoding while another is relayed.
  func packet(
    of encoding: Int, current: Int?, wanted: Int = 2, limit: Int? = nil, _ milliseconds: Int64
  ) -> (target: Int, wantsKeyFrame: Bool) {
    let target = starvation.target(onPacketOf: encoding, wanted: wanted, limit: limit)
    let now = SimTime.zero + .milliseconds(milliseconds)
    return (target, starvation.notePacket(of: encoding, current: current, target: target, at: now))
  }
}

@Suite("Janus falls back when the relayed encoding stops")
struct JanusStarvationTests {
  @Test func oneLowerAfterMoreThan250Milliseconds() {
    let starvation = Starving()
    _ = starvation.packet(of: 2, current: 2, 1000)
    #expect(starvation.packet(of: 1, current: 2, 1250) == (2, false))
    #expect(starvation.temporaryTarget == nil)
    #expect(starvation.packet(of: 1, current: 2, 1251) == (2, true))
    #expect(starvation.temporaryTarget == 1)
    // The step counts as a packet: the next one takes as long again.
    #expect(starvation.packet(of: 0, current: 2, 1501) == (1, false))
    #expect(starvation.packet(of: 0, current: 2, 1502) == (1, true))
    #expect(starvation.temporaryTarget == 0)
    #expect(starvation.packet(of: 0, current: 2, 1800) == (0, false))
  }

  @Test func aHigherPacketEndsIt() {
    let starvation = Starving()
    _ = starvation.packet(of: 2, current: 2, 0)
    _ = starvation.packet(of: 0, current: 2, 300)
    #expect(starvation.temporaryTarget == 1)
    #expect(starvation.packet(of: 1, current: 1, 310).target == 1)
    #expect(starvation.packet(of: 2, current: 1, 320).target == 2)
    #expect(starvation.temporaryTarget == nil)
  }

  @Test func anAppThatAsksForAsLittleEndsItToo() {
    let starvation = Starving()
    _ = starvation.packet(of: 2, current: 2, 0)
    _ = starvation.packet(of: 0, current: 2, 300)
    #expect(starvation.packet(of: 0, current: 0, wanted: 1, 310).target == 1)
    #expect(starvation.temporaryTarget == nil)
  }

  /// Bandwidth allows 360p, which stops: the fallback begins there.
  @Test func bandwidthLimitsWhatItFallsFrom() {
    let starvation = Starving()
    #expect(starvation.packet(of: 1, current: 1, limit: 1, 0).target == 1)
    #expect(starvation.packet(of: 0, current: 1, limit: 1, 300) == (1, true))
    #expect(starvation.temporaryTarget == 0)
  }

  @Test func theLowestEncodingHasNoFallbackButAsksForKeyFrames() {
    let starvation = Starving()
    _ = starvation.packet(of: 0, current: 0, 0)
    #expect(starvation.packet(of: 1, current: 0, 999) == (2, false))
    #expect(starvation.packet(of: 1, current: 0, 1000) == (2, true))
    #expect(starvation.temporaryTarget == nil)
  }

  @Test func beforeTheFirstKeyFrameEveryPacketAsksForOne() {
    let starvation = Starving()
    #expect(starvation.packet(of: 1, current: nil, 0) == (2, true))
    #expect(starvation.packet(of: 1, current: 1, 500) == (2, false))
    #expect(starvation.packet(of: 0, current: 1, 750) == (2, false))
    #expect(starvation.packet(of: 0, current: 1, 751) == (2, true))
    #expect(starvation.temporaryTarget == 1)
  }
}

@Suite("Janus' branch decides every 250 ms")
struct JanusScheduleTests {
  private func at(_ milliseconds: Int64) -> SimTime { .zero + .milliseconds(milliseconds) }

  @Test func periodsAndFalls() {
    var schedule = JanusSchedule(interval: .milliseconds(250))
    func receive(_ rate: BitRate, allocated: BitRate, at now: SimTime) -> Bool {
      schedule.receive(rate, allocated: allocated, at: now)
    }
    #expect(schedule.dueAt == nil)
    #expect(receive(.kilobits(1000), allocated: .zero, at: at(0)))
    schedule.noteDecision(at: at(0))
    #expect(schedule.dueAt == at(250))
    #expect(!receive(.kilobits(1100), allocated: .zero, at: at(100)))
    // The first fall at once, those after it in their time.
    #expect(receive(.kilobits(900), allocated: .zero, at: at(150)))
    schedule.noteDecision(at: at(150))
    #expect(!receive(.kilobits(800), allocated: .zero, at: at(399)))
    #expect(receive(.kilobits(800), allocated: .zero, at: at(400)))
  }
}
