import ResultReading
import TestSupport
import Testing

@Suite("Tiles that lack most")
struct TileShortfallTests {
  private static let header =
    "time_s,viewer,source,limitation,requested_height_px,requested_fps,frame_height_px,frames_per_second,"
    + "freezes_duration_s,freeze_count,state\n"

  /// Ann's tile lacks two seconds, eve's the one before second 6: no row before it does not make it longer.
  @Test func aRowAfterAGapCountsForItsOwnInterval() throws {
    let rows = ["1.000,ann", "2.000,ann", "6.000,eve"].map {
      "\($0),bob,bandwidth,720,30,,0,0.000,0,receiving\n"
    }
    let folder = try TemporaryFolder(["streams.csv": Self.header + rows.joined()])
    let worst = try TileShortfall.worst(
      in: folder.path, viewer: nil, source: nil, interval: 1, count: 2)
    #expect(worst.map(\.viewer) == ["ann", "eve"] && worst.map(\.worstAt) == [1, 6])
  }

  /// Of two seconds and a half the last row is half a second: less than the second before.
  @Test func theLastIntervalMayBeShorter() throws {
    let rows = ["1.000,ann", "2.500,eve"].map { "\($0),bob,bandwidth,720,30,,0,0.000,0,receiving\n" }
    let folder = try TemporaryFolder(["streams.csv": Self.header + rows.joined()])
    let worst = try TileShortfall.worst(
      in: folder.path, viewer: nil, source: nil, interval: 1, count: 1)
    #expect(worst.map(\.viewer) == ["ann"])
  }

  /// Dark in second 1, from 3 to 6 and from 8 to 10, and half dark, or nothing to see, in between: the moment is in the
  /// middle of the longest darkness. With half seconds, too.
  @Test(arguments: [(1.0, 4.0), (0.5, 2.0)], ["bandwidth,720,30,720,15", "off-screen,720,30,,0"])
  func theWorstMomentIsInTheMiddleOfTheLongestStretch(
    times: (interval: Double, moment: Double), between: String
  ) throws {
    let rows = (1...10).map { place in
      let state = [2, 7].contains(place) ? between : "bandwidth,720,30,,0"
      return "\(Double(place) * times.interval),ann,bob,\(state),0.000,0,receiving\n"
    }
    let folder = try TemporaryFolder(["streams.csv": Self.header + rows.joined()])
    let worst = try TileShortfall.worst(
      in: folder.path, viewer: nil, source: nil, interval: times.interval, count: 1)
    #expect(worst.map(\.worstAt) == [times.moment])
  }

  /// Ann's tile lacks a second of pixels; eve's is frozen for 300 + 500 ms, and most in its second row; off screen
  /// nobody sees dan's 900 ms.
  @Test func tilesAreRankedByFreezesToo() throws {
    let rows =
      "1.000,cat,ann,bandwidth,720,30,,1,0.200,1,receiving\n1.000,cat,eve,none,360,30,360,30,0.300,1,receiving\n"
      + "2.000,cat,eve,none,360,30,360,30,0.500,1,receiving\n2.000,cat,dan,off-screen,360,30,360,30,0.900,1,hidden\n"
    let folder = try TemporaryFolder(["streams.csv": Self.header + rows])
    let worst = try TileShortfall.worst(
      in: folder.path, viewer: nil, source: nil, interval: 1, count: 3, by: .freezes)
    #expect(worst.map(\.source) == ["eve", "ann"] && worst.map(\.worstAt) == [2, 1])
    let missing = try TileShortfall.worst(in: folder.path, viewer: nil, source: nil, interval: 1, count: 3)
    #expect(missing.map(\.source) == ["ann"])
  }

  /// A freeze of 2.3 s that ends in the interval up to 5 s covers the one up to 4 s, one of 1.9 s may not: at 5 s the
  /// picture goes on.
  @Test(arguments: [("2.300", 4.0), ("1.900", 5.0)])
  func aLongFreezeIsWorstBeforeItEnds(freeze: String, moment: Double) throws {
    let rows =
      "2.000,cat,ann,none,360,30,360,30,0.000,0,receiving\n4.000,cat,ann,none,360,30,,0,0.000,0,receiving\n"
      + "5.000,cat,ann,none,360,30,360,20,\(freeze),1,receiving\n"
    let folder = try TemporaryFolder(["streams.csv": Self.header + rows])
    let worst = try TileShortfall.worst(
      in: folder.path, viewer: nil, source: nil, interval: 1, count: 1, by: .freezes)
    #expect(worst.map(\.worstAt) == [moment])
  }

  /// A picture that stands still from second 3 on, whether the table ends with 5 or the tile then leaves the screen: no
  /// freeze ends, and the moment is before the last second, in which the source may have ended.
  @Test(arguments: ["", "6.000,cat,ann,off-screen,,,,0,0.000,0,hidden\n"])
  func aPictureThatStandsStillIsAFreeze(after: String) throws {
    let rows = (1...5).map { second in
      "\(second).000,cat,ann,bandwidth,360,30,\(second < 3 ? "360,30" : ",0"),0.000,0,receiving\n"
    }
    let folder = try TemporaryFolder(["streams.csv": Self.header + rows.joined() + after])
    let worst = try TileShortfall.worst(
      in: folder.path, viewer: nil, source: nil, interval: 1, count: 1, by: .freezes)
    #expect(worst.map(\.worstAt) == [4])
  }
}
