import Ladder
import Media
import Quantity
import Testing

@Suite("How publishers adapt")
struct AdaptationTests {
  private let ladder: [SimulcastRateAllocator.Limits] = [
    .init(minimum: .kilobits(30), target: .kilobits(150), maximum: .kilobits(200)),
    .init(minimum: .kilobits(150), target: .kilobits(500), maximum: .kilobits(700)),
    .init(minimum: .kilobits(600), target: .kilobits(2500), maximum: .kilobits(2500)),
  ]

  private func rates(_ kilobits: Int64, on: [Bool] = [true, true, true]) -> [Int64] {
    SimulcastRateAllocator.rates(within: .kilobits(kilobits), limits: ladder, wereOn: on)
      .map { $0.bitsPerSecond / 1000 }
  }

  /// Switch-on totals of libwebrtc's VP8 ladder: 360p at 300 kbps (again at 330), 720p at 1250 (again at 1370), full at
  /// 3150.
  @Test func encodingsSwitchOnWhereLibwebrtcsDo() {
    #expect(rates(20) == [30, 0, 0])
    #expect(rates(299) == [200, 0, 0])
    #expect(rates(300) == [150, 150, 0])
    #expect(rates(329, on: [true, false, false]) == [200, 0, 0])
    #expect(rates(330, on: [true, false, false]) == [150, 180, 0])
    #expect(rates(1249) == [150, 700, 0])
    #expect(rates(1250) == [150, 500, 600])
    #expect(rates(1369, on: [true, true, false]) == [150, 700, 0])
    #expect(rates(1370, on: [true, true, false]) == [150, 500, 720])
    #expect(rates(4000) == [150, 500, 2500])
  }

  /// Captures thirty times a second at a rate; gives the height and the frames left out in each second.
  private func run(
    _ kilobits: (Int) -> Int64, seconds: Int, preference: DegradationPreference = .balanced
  ) -> [(height: Int, dropped: Int)] {
    var adaptation = SingleStreamAdaptation(
      capture: VideoFormat(.p720, framesPerSecond: 30), content: .rich, preference: preference)
    return (0..<seconds).map { second in
      let target = BitRate.kilobits(kilobits(second))
      var dropped = 0
      for frame in 0..<30 {
        let now = SimTime(nanoseconds: Int64(second * 30 + frame) * 33_333_333)
        let step = adaptation.capture(target: min(target, adaptation.greatestRate), at: now)
        if step.isDropped {
          dropped += 1
        } else {
          adaptation.encoded(bytes: max(Int(target.bitsPerSecond / 240), adaptation.leastFrameBytes))
        }
      }
      return (adaptation.size.height, dropped)
    }
  }

  /// Singlecast start rates of VP8: 270p from 200 kbps on, 360p from 300, 540p from 500, 720p from 900.
  @Test(arguments: [(190, 180), (220, 270), (310, 360), (510, 540), (950, 720)] as [(Int64, Int)])
  func theFirstSizeIsThatOfTheStartRate(kilobits: Int64, height: Int) {
    #expect(run({ _ in kilobits }, seconds: 1).first?.height == height)
  }

  @Test func thePictureClimbsAStepAtATimeWhileItsQuantizerIsLow() {
    let heights = run({ $0 == 0 ? 220 : 2600 }, seconds: 60).map(\.height)
    #expect(heights.first == 270)
    #expect(heights.last == 720)
    #expect(zip(heights, heights.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(Set(heights) == [270, 360, 540, 720])
  }

  @Test func aSharpCutCostsFramesAndThenSize() {
    let result = run({ $0 < 40 ? 2600 : 150 }, seconds: 60)
    #expect(result[39].height == 720)
    #expect(result[41...43].allSatisfy { $0.dropped > 5 })
    #expect(result[59].height < 540)
    #expect(result[59].dropped < 15)
  }

  @Test func maintainResolutionKeepsTheSize() {
    let result = run({ _ in 150 }, seconds: 30, preference: .maintainResolution)
    #expect(result.allSatisfy { $0.height == 720 })
    #expect(result[29].dropped > 0)
  }
}
