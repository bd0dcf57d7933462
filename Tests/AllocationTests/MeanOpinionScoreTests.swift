import Allocation
import Ladder
import Quantity
import Testing

@Suite("Opinion scores")
struct MeanOpinionScoreTests {
  private let tile = Resolution(width: 426, height: 240)

  @Test(
    arguments: [
      (Resolution.p90, 65, 30.0, 1.73), (.p180, 150, 30, 3.40), (.p180, 150, 15, 2.93),
      (.p360, 500, 30, 4.05),
      (.p360, 500, 7.5, 2.95), (.p720, 1500, 30, 4.23),
    ] as [(Resolution, Int64, Double, Double)])
  func aSmallTileIsScoredAsTheReferenceScoresIt(
    coded: Resolution, kilobits: Int64, rate: Double, published: Double
  ) throws {
    let score = try #require(
      MeanOpinionScore.video(coded: coded, tile: tile, bitrate: .kilobits(kilobits), framesPerSecond: rate))
    #expect(abs(score - published) < 0.006)
  }

  @Test(
    arguments: [
      (Resolution.p180, 150, 30.0, 1.16), (.p360, 500, 30, 2.91), (.p360, 500, 15, 2.52),
      (.p720, 2500, 30, 4.33),
    ] as [(Resolution, Int64, Double, Double)])
  func aStageIsScoredAsTheReferenceScoresIt(
    coded: Resolution, kilobits: Int64, rate: Double, published: Double
  ) throws {
    let score = try #require(
      MeanOpinionScore.video(coded: coded, tile: .p720, bitrate: .kilobits(kilobits), framesPerSecond: rate))
    #expect(abs(score - published) < 0.006)
  }
}
