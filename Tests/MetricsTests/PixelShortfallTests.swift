import Metrics
import Quantity
import Testing

@Suite("Missing pixels")
struct PixelShortfallTests {
  /// 720 lines at 30 Hz over two seconds, in 1/64: a quarter of the lines squared, and half of the frames.
  @Test(
    arguments: [
      (720, 60, 64), (360, 60, 16), (720, 30, 32), (360, 30, 8), (1080, 90, 64), (0, 0, 0), (720, 59, 64),
    ])
  func linesCountSquaredAndFramesOnce(height: Int, frames: Int, sixtyFourths: Int) {
    let pixels = PixelShortfall(
      requestedHeight: 720, requestedMilliFrames: 30_000, height: height, frames: frames, over: .seconds(2))
    #expect(pixels.shown * 64 == pixels.wanted * Int128(sixtyFourths))
    #expect(pixels.missing == pixels.wanted - pixels.shown)
    let read = PixelShortfall(
      requestedHeight: 720, requestedRate: 30, height: Double(height), rate: Double(frames) / 2, seconds: 2)
    #expect(read == pixels)
  }

  /// With two frames of 60 missing, both count.
  @Test func oneFrameMayFallBesideTheInterval() {
    let pixels = PixelShortfall(
      requestedHeight: 720, requestedMilliFrames: 30_000, height: 720, frames: 58, over: .seconds(2))
    #expect(pixels.missing * 30 == pixels.wanted)
  }
}
