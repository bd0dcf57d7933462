import Ladder
import Quantity
import Systems
import Testing
import Vendors

@Suite("Ladders fitted to a capture")
struct CaptureTests {
  private static let bluejeans = Ladder.bluejeans([.p90, .p180, .p360, .p720])

  private func fitted(_ capture: String) throws -> [Encoding] {
    Self.bluejeans.fitted(to: try VideoFormat(captureText: capture)).encodings
  }

  @Test(
    arguments: [
      ("720p30", ["90p", "180p", "360p", "720p"]), ("1080p30", ["90p", "180p", "360p", "720p"]),
      ("360p15", ["90p", "180p", "360p"]), ("540p30", ["90p", "180p", "360p", "540p"]),
      ("640x480@30", ["120x90", "240x180", "480x360", "640x480"]),
      ("720x1280@30", ["90x160", "180x320", "360x640", "720x1280"]),
      ("480x640@30", ["90x120", "180x240", "360x480", "480x640"]),
      ("720x720@30", ["90x90", "180x180", "360x360", "720x720"]),
      ("64x48@15", ["64x48"]),
    ])
  func picturesKeepTheCapturesShapeAndAreNeverLarger(capture: String, sizes: [String]) throws {
    #expect(try fitted(capture).map(\.format.resolution.description) == sizes)
  }

  /// 720p30 takes 512, 768 and 1280 kbps for up to 7.5, 15 and 30 fps; 90p15 40, 59 and 99 for up to 3.75, 7.5 and 15.
  @Test(
    arguments: [
      ("720p60", 3, [7500, 15_000, 30_000], [512_000, 768_000, 1_280_000]),
      ("720p24", 3, [6000, 12_000, 24_000], [409_600, 665_600, 1_075_200]),
      ("720p15", 3, [7500, 15_000], [512_000, 768_000]), ("720p10", 3, [5000, 10_000], [341_333, 597_333]),
      ("720p7", 3, [7000], [477_867]), ("720p1", 3, [1000], [68_267]),
      ("720p24", 0, [3750, 7500, 15_000], [40_000, 59_000, 99_000]),
      ("720p5", 0, [2500, 5000], [26_667, 46_333]),
    ])
  func encodingsRunAtNoMoreThanTheCapturesRate(
    capture: String, encoding: Int, frames: [Int], bits: [Int64]
  ) throws {
    let own = try fitted(capture)[encoding]
    #expect(own.cumulativeBitrates.indices.map { own.milliFramesPerSecond(upTo: $0) } == frames)
    #expect(own.cumulativeBitrates.map(\.bitsPerSecond) == bits)
  }

  /// 640x480 lies (307,200 - 172,800) / (691,200 - 172,800) = 7/27 of the way from 480x360 to the ladder's 960x720: 640
  /// + 7/27 x 640 kbps with all layers.
  @Test func aSmallerTopPictureHasABitRateBetweenItsNeighbours() throws {
    let top = try #require(try fitted("640x480@30").last)
    #expect(top.cumulativeBitrates.map(\.bitsPerSecond) == [322_370, 483_556, 805_926])
  }

  /// 64x48 has 3,072 of the 10,800 pixels of 120x90.
  @Test func onePictureBelowTheLadderHasItsShareOfTheLowestRate() throws {
    let only = try #require(try fitted("64x48@15").first)
    #expect(only.cumulativeBitrates.map(\.bitsPerSecond) == [11_378, 16_782, 28_160])
  }

  @Test(arguments: [("1280x720", 720), ("720x1280", 720), ("480x640", 480)])
  func linesCountTheShorterSide(size: String, lines: Int) throws {
    #expect(try VideoFormat(captureText: size + "@30").resolution.lines == lines)
  }

  @Test func onlyRequestedQualitiesRoundToTheVendorsRates() throws {
    #expect(try VideoFormat(text: "90p7").milliFramesPerSecond == 7500)
    #expect(try VideoFormat(captureText: "90p7").milliFramesPerSecond == 7000)
  }
}
