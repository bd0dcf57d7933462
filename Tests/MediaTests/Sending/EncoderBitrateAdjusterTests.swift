import Ladder
import Media
import Quantity
import Testing

@Suite("Encoder bit rate adjustment")
struct EncoderBitrateAdjusterTests {
  /// Feeds frames of the given sizes [byte] at 30 fps and 240 kbps, where 1000 bytes a frame match the target.
  private func adjuster(_ sizes: [Int]) -> EncoderBitrateAdjuster {
    var adjuster = EncoderBitrateAdjuster(pattern: TemporalPattern(layers: 1))
    for (index, bytes) in sizes.enumerated() {
      let frame = EncodedFrame(bytes: bytes, temporalLayer: 0, groupPosition: 0, isKeyFrame: false)
      adjuster.add(
        frame, target: 240_000, adjusted: 240_000, framesPerSecond: 30,
        at: SimTime(nanoseconds: Int64(index) * 1_000_000_000 / 30))
    }
    return adjuster
  }

  @Test func beforeThirtyFramesAFifthIsTakenForOvershoot() {
    let sizes = [Int](repeating: 1000, count: 29)
    #expect(adjuster(sizes).utilization(target: 240_000, headroom: 0) == 1.2)
    #expect(adjuster(sizes + [1000]).utilization(target: 240_000, headroom: 0) < 1.001)
  }

  /// Each frame finds 200 bytes of the previous one in the bucket; they count, and are removed.
  @Test func steadyOvershootDividesTheTarget() {
    let found = adjuster([Int](repeating: 1200, count: 300)).utilization(target: 240_000, headroom: 0)
    #expect(abs(found - 1.2) < 0.005)
  }

  /// Alternating frames of 700 and 1300 bytes have a mean of 1000: a large one leaves 300, which the small one absorbs.
  /// With two large ones in a row, the second finds 300 and is 300 too large.
  @Test func whatTheNextFrameTakesUpIsNoOvershoot() {
    let turns = (0..<300).map { $0 % 2 == 0 ? 700 : 1300 }
    #expect(adjuster(turns).utilization(target: 240_000, headroom: 0) < 1.001)
    let pairs = (0..<300).map { $0 % 4 < 2 ? 700 : 1300 }
    // One of four frames counts 1.3.
    #expect(abs(adjuster(pairs).utilization(target: 240_000, headroom: 0) - 1.075) < 0.01)
  }

  @Test func whatTheLinkHasToSpareMayBeOvershotInto() {
    let pairs = adjuster((0..<300).map { $0 % 4 < 2 ? 700 : 1300 })
    #expect(pairs.utilization(target: 240_000, headroom: 100_000) < 1.01)
    let half = pairs.utilization(target: 240_000, headroom: 0.0375 * 240_000)
    #expect(abs(half - 1.075 / 1.0375) < 0.01)
    // Overshoot of the mean rate is not excused by headroom.
    let large = adjuster([Int](repeating: 1200, count: 300))
    #expect(abs(large.utilization(target: 240_000, headroom: 100_000) - 1.2) < 0.01)
  }

  @Test func theTargetIsHalvedAtMost() {
    #expect(adjuster([Int](repeating: 5000, count: 300)).utilization(target: 240_000, headroom: 0) == 2)
  }
}
