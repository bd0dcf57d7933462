import Media
import Quantity
import Testing

@Suite("Freezes as defined by W3C webrtc-stats")
struct FreezeMeterTests {
  /// Returns the freezes of frames rendered for these durations [ms].
  private func freezes(_ durations: [Int64]) -> (count: UInt32, milliseconds: Int64) {
    var meter = FreezeMeter()
    var now = SimTime.zero
    meter.render(at: now)
    for duration in durations {
      now += .milliseconds(duration)
      meter.render(at: now)
    }
    return (meter.freezeCount, meter.freezesDuration.nanoseconds / 1_000_000)
  }

  private func frames(_ count: Int, _ milliseconds: Int64) -> [Int64] {
    Array(repeating: milliseconds, count: count)
  }

  /// With 29 frames of 20 ms and one of d the mean is (580 + d) / 30: d exceeds it by 150 ms from 175.2 ms on.
  @Test(arguments: [(175, 0), (176, 1), (1000, 1)] as [(Int64, UInt32)])
  func aFrameThatLasts150MillisecondsLongerThanTheMeanFreezes(last: Int64, count: UInt32) {
    let found = freezes(frames(60, 20) + [last])
    #expect(found.count == count && found.milliseconds == (count > 0 ? last : 0))
  }

  /// With frames of 100 ms, three times the mean is more: (2900 + d) / 10, which d reaches at 322.2 ms.
  @Test(arguments: [(322, 0), (323, 1)] as [(Int64, UInt32)])
  func orThreeTimesTheMean(last: Int64, count: UInt32) {
    #expect(freezes(frames(60, 100) + [last]).count == count)
  }

  /// After 30 frames of 20 ms, the earlier slow ones no longer count.
  @Test func theMeanIsOfThirtyFrames() {
    #expect(freezes(frames(40, 100) + frames(30, 20) + [176]).count == 1)
    #expect(freezes(frames(40, 100) + frames(28, 20) + [176]).count == 0)
  }

  @Test func theFirstFourDurationsAreNone() {
    #expect(freezes([20, 20, 20, 900]).count == 0)
    #expect(freezes([20, 20, 20, 20, 900]).count == 1)
  }

  /// Of 60 frames of 20 ms, one that lasts 7 s is a freeze, but not if the stream was inactive in the meantime; the next
  /// one of 176 ms is one again, since the pause is no sample.
  @Test(arguments: [(false, 1), (true, 0)] as [(Bool, UInt32)])
  func aPauseIsNoFreeze(isInactive: Bool, count: UInt32) {
    var meter = FreezeMeter()
    var now = SimTime.zero
    for _ in 0..<60 {
      meter.render(at: now)
      now += .milliseconds(20)
    }
    now += .milliseconds(6980)
    if isInactive { meter.noteInactivity() }
    meter.render(at: now)
    #expect(meter.freezeCount == count)
    guard isInactive else { return }
    #expect(meter.lastShownAt == now)
    now += .milliseconds(176)
    meter.render(at: now)
    #expect(meter.freezeCount == 1 && meter.freezesDuration == .milliseconds(176))
  }
}
