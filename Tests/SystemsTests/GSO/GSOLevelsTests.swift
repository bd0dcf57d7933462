import Ladder
import Quantity
import Systems
import Testing
import Vendors

@Suite("Levels of captures outside the paper's table")
struct GSOLevelsTests {
  private func rates(_ capture: Resolution) -> [Int64] {
    GSOLevels.camera(capture: VideoFormat(capture, framesPerSecond: 30)).map { $0.bitrate.bitsPerSecond }
  }

  @Test func capturesOfTheTablesSizes() {
    #expect(rates(.p360) == [100, 300, 400, 500, 600, 800].map { $0 * 1000 })
    #expect(rates(.p180) == [100_000, 300_000])
    // Nothing is added above 720p.
    #expect(rates(.p1080) == rates(.p720))
    #expect(GSOLevels.camera(capture: VideoFormat(.p1080, framesPerSecond: 30)).last?.size == .p720)
  }

  /// 540p lies 5/12 of the way from 360p to 720p in pixels: 800 + 5/12 · 700 kbps and 700 + 5/12 · 500.
  @Test func aSizeBetween() {
    let levels = GSOLevels.camera(capture: VideoFormat(.p540, framesPerSecond: 30))
    #expect(levels.suffix(3).map { $0.bitrate.bitsPerSecond } == [883_333, 1_008_333, 1_091_666])
    #expect(levels.suffix(3).map(\.qoe) == [720, 845, 908])
    #expect(levels.suffix(3).allSatisfy { $0.size == .p540 })
  }

  /// 4:3 fills its boxes in height.
  @Test func anotherAspectRatio() {
    let levels = GSOLevels.camera(
      capture: VideoFormat(Resolution(width: 960, height: 720), framesPerSecond: 30))
    #expect(levels.sizes.map(\.width) == [240, 480, 960])
    #expect(levels.map { $0.bitrate.bitsPerSecond } == rates(.p720))
  }

  @Test func valuesOfOtherRates() {
    func qoe(_ kilobits: Int64) -> Int { GSOLevels.qoe(at: .kilobits(kilobits)) }
    #expect(
      [100, 300, 400, 500, 600, 800, 1000, 1300, 1500].map(qoe) == [
        100, 300, 360, 440, 530, 700, 750, 1050, 1200,
      ])
    #expect(qoe(50) == 50 && qoe(200) == 200 && qoe(350) == 330 && qoe(700) == 615)
    #expect(qoe(1700) == 1350)
    #expect(GSOLevels.qoe(at: BitRate(bitsPerSecond: 1)) == 1)
  }

  @Test func aLadderHasAnEncodingForEachSize() {
    let ladder = Ladder(
      levels: GSOLevels.camera(capture: VideoFormat(.p720, framesPerSecond: 30)), milliFramesPerSecond: 15_000
    )
    #expect(ladder.encodings.map(\.rid) == ["q", "h", "f"])
    #expect(ladder.encodings.map(\.bitrate) == [.kilobits(300), .kilobits(800), .kilobits(1500)])
    #expect(ladder.encodings.map(\.minimum) == [.kilobits(100), .kilobits(400), .kilobits(1000)])
    #expect(
      ladder.encodings.allSatisfy { $0.format.milliFramesPerSecond == 15_000 && $0.temporalLayers == 1 })
    #expect(GSOLevels.levels(of: ladder).map(\.qoe) == [300, 700, 1200])
  }
}
