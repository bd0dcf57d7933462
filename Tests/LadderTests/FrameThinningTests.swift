import Ladder
import Quantity
import Testing
import Vendors

@Suite("Base layer thinning for viewers that request fewer frames")
struct FrameThinningTests {
  /// Three of four frames remain if 3 of 3.75 fps are requested, five of eight for 5 of 7.5, one of fifteen for 1 of
  /// 15.
  @Test(arguments: [
    (3750, 3000, "x-xx", 0.75), (7500, 5000, "x-x-xx-x", 0.625), (15_000, 1000, "x--------------", 1.0 / 15),
    (2000, 1500, "x-", 0.5),
  ])
  func asManyAsAskedForOfThoseOfASecond(rate: Int, limit: Int, pattern: String, share: Double) throws {
    let thinning = try #require(FrameThinning(of: rate, to: limit))
    let length = UInt32(pattern.count)
    let shown = (0..<2 * length).map { thinning.keeps($0) ? "x" : "-" }.joined()
    #expect(shown == pattern + pattern)
    #expect(thinning.share == share)
  }

  @Test func aLayerOfNoMoreFramesIsPassedOnWhole() {
    #expect(FrameThinning(of: 7500, to: 7500) == nil && FrameThinning(of: 3750, to: 15_000) == nil)
  }

  /// For every pair of rates: no second has more frames than requested, and a kept frame's number equals the count of
  /// those before.
  @Test func noSecondHasMoreThanAskedFor() throws {
    for rate in stride(from: 1250, through: 60_000, by: 1250) {
      for limit in stride(from: 1000, to: rate, by: 500) {
        let thinning = try #require(FrameThinning(of: rate, to: limit))
        var times: [Int] = []
        for frame in UInt32(0)..<200 where thinning.keeps(frame) {
          #expect(Int(thinning.keptBefore(frame)) == times.count)
          times.append(Int(frame) * 1_000_000_000 / rate)
        }
        for (place, time) in times.enumerated() {
          let inSecond = times[place...].prefix { $0 < time + 1_000_000 }.count
          #expect(inSecond * 1000 <= max(limit, 1000), "\(limit) of \(rate)")
        }
      }
    }
  }

  /// Of layers at 3.75, 7.5 and 15 fps only the first exceeds 3; three quarters of its 40 kbps remain.
  @Test func onlyBaseLayersOfAHigherRateAreThinned() {
    let layers = Ladder.bluejeansLike.layers
    let thinned = layers.thinned(to: 3000)
    #expect(thinned.map(\.format.milliFramesPerSecond) == [3000, 7500, 15_000])
    #expect(thinned.map(\.bitrate) == [.kilobits(30), .kilobits(59), .kilobits(99)])
    #expect(thinned.map { $0.thinning != nil } == [true, false, false])
    #expect(layers.thinned(to: 3750) == layers)
  }
}

extension Ladder {
  /// 90p at 15 fps in three temporal layers.
  fileprivate static let bluejeansLike = Ladder(encodings: [
    Encoding(
      rid: "q", format: VideoFormat(.p90, framesPerSecond: 15),
      cumulativeBitrates: [.kilobits(40), .kilobits(59), .kilobits(99)])
  ])
}
