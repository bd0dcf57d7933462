import Ladder
import Media
import Quantity
import Systems
import Testing
import Vendors

@Suite("Encodings at the source's frame rate")
struct FrameRateTests {
  /// Frames kept of those that come evenly over whole seconds.
  private func kept(_ rate: Int, limit: Double, seconds: Int) -> [Int] {
    var spacing = FrameSpacing(milliFramesPerSecond: Int(limit * 1000))
    return (0..<seconds).map { second in
      (0..<rate).count {
        spacing.admits(at: SimTime(nanoseconds: Int64(second * rate + $0) * 1_000_000_000 / Int64(rate)))
      }
    }
  }

  @Test(
    arguments: [
      (60, 30, 30), (45, 30, 30), (36, 30, 30), (30, 30, 30), (24, 30, 24), (30, 15, 15), (24, 15, 15),
      (20, 15, 15), (16, 15, 15), (15, 15, 15), (5, 15, 5), (40, 30, 30), (120, 30, 30),
    ] as [(Int, Double, Int)])
  func aLimitLeavesOutEvenlyWhatIsBeyondIt(rate: Int, limit: Double, each: Int) {
    #expect(kept(rate, limit: limit, seconds: 10) == Array(repeating: each, count: 10))
  }

  @Test func whatAPauseLeavesOverIsNotCaughtUpWith() {
    var spacing = FrameSpacing(milliFramesPerSecond: 10_000)
    let times: [Int64] = [0, 1000, 1010, 1074, 1075, 1100, 1175, 1274, 1275]
    let kept = times.map { spacing.admits(at: SimTime(nanoseconds: $0 * 1_000_000)) }
    // Due at 0, 100, 1100, 1200 and 1300 ms.
    #expect(kept == [true, true, false, false, false, true, false, true, false])
  }

  @Test(
    arguments: [
      (30_000, [7500, 15_000, 30_000], [512, 768, 1280]), (15_000, [3750, 7500, 15_000], [256, 384, 640]),
      (24_000, [6000, 12_000, 24_000], [410, 614, 1024]),
      (60_000, [7500, 15_000, 30_000], [512, 768, 1280]),
      (0, [0, 0, 0], [0, 0, 0]),
    ] as [(Int, [Int], [Int])])
  func temporalLayersHalveTheRateAtWhichAnEncodingRuns(source: Int, rates: [Int], kilobits: [Int]) {
    let layers = Ladder.bluejeans([.p720]).running(at: source).layers
    #expect(layers.map(\.format.milliFramesPerSecond) == rates)
    #expect(layers.map { Int((Double($0.bitrate.bitsPerSecond) / 1000).rounded()) } == kilobits)
  }

  @Test func anEncodingRunsAtNoMoreThanItsOwnRate() {
    let layers = Ladder.bluejeans([.p90, .p180]).running(at: 24_000).layers
    #expect(layers.map(\.format.milliFramesPerSecond) == [3750, 7500, 15_000, 6000, 12_000, 24_000])
  }
}
