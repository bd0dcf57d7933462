import Media
import Testing

@Suite("Frame decimation for slower encodings")
struct FrameDecimationTests {
  @Test(
    arguments: [
      (30_000, 15_000, "x.x.x.x."), (60_000, 30_000, "x.x.x.x."), (24_000, 15_000, "x.x.xx.x"),
      (30_000, 30_000, "xxxxxxxx"), (30_000, 7500, "x...x..."), (15_000, 30_000, "xxxxxxxx"),
      (25_000, 15_000, "x.x.xx.x"),
    ])
  func areTakenEvenly(captured: Int, limit: Int, pattern: String) {
    let decimation = FrameDecimation(captured: captured, limit: limit)
    #expect(String((0..<8).map { decimation.keeps($0) ? "x" : "." }) == pattern)
  }

  @Test(arguments: 1...60)
  func areAsManyAsTheEncodingTakesInASecond(captured: Int) {
    for limit in 1...60 {
      let decimation = FrameDecimation(captured: captured * 1000, limit: limit * 1000)
      let count = (0..<Int64(captured)).count { decimation.keeps(86_400 * Int64(captured) + $0) }
      #expect(count == min(captured, limit))
    }
  }
}
