import Media
import Quantity
import Testing

@Suite("Intake of pushed frames")
struct FrameIntakeTests {
  /// Indicates which of the frames at these times [ms] are taken.
  private func taken(_ times: [Int], limit: Double, evenly: Bool = false) -> [Bool] {
    var intake = FrameIntake(milliFramesPerSecond: Int(limit * 1000))
    return times.map { intake.admits(at: SimTime(nanoseconds: Int64($0) * 1_000_000), evenly: evenly) }
  }

  @Test func aBatchIsTakenWholeUpToTheLimit() {
    #expect(taken(Array(stride(from: 0, to: 100, by: 10)), limit: 30) == Array(repeating: true, count: 10))
    #expect(taken([5, 5, 6], limit: 30) == [true, true, true])
    let forty = taken(Array(0..<40), limit: 30)
    #expect(forty == Array(repeating: true, count: 30) + Array(repeating: false, count: 10))
  }

  /// At most three in any second: the frame at 400 ms has to wait until the first is a second old, later ones for the
  /// next.
  @Test func noSecondHasMoreThanTheLimit() {
    #expect(
      taken([0, 100, 300, 400, 999, 1000, 1050, 1100, 1299, 1300], limit: 3)
        == [true, true, true, false, false, true, false, true, false, true])
  }

  /// 7.5 frames per second allow eight in 1067 ms.
  @Test func aLimitNeedNotBeWhole() {
    let times = Array(0..<8) + [1000, 1066, 1067]
    #expect(taken(times, limit: 7.5) == Array(repeating: true, count: 8) + [false, false, true])
  }

  @Test(arguments: [(60, 30), (45, 30), (36, 30), (30, 30), (24, 24)])
  func ofAnAppThatGoesOnFasterFramesAreLeftOutEvenly(rate: Int, each: Int) {
    var intake = FrameIntake(milliFramesPerSecond: 30_000)
    let kept = (0..<5).map { second in
      (0..<rate).count {
        let place = Int64(second * rate + $0)
        return intake.admits(at: SimTime(nanoseconds: place * 1_000_000_000 / Int64(rate)), evenly: rate > 30)
      }
    }
    #expect(kept == Array(repeating: each, count: 5))
    #expect(
      taken([0, 16, 33, 50, 66, 83, 100], limit: 30, evenly: true)
        == [true, false, false, true, false, true, true])
  }
}
