import Metrics
import Quantity
import Testing

/// A meeting of 4 s with one viewer and one source, in intervals of 1 s.
@Suite("Summaries of tiles")
struct TileSummaryTests {
  private func row(
    height: Int, frames: Int, asked: Int = 720, state: TileState = .receiving, limitation: String = "none"
  ) -> StreamRow {
    StreamRow(
      viewer: 0, source: 0, kind: "camera", state: state, tile: nil, requestedHeight: asked,
      requestedMilliFrames: 30_000, targetHeight: 0, frame: height > 0 ? (height * 16 / 9, height) : nil,
      frames: frames, bytes: 1000, decodedBytes: 900, packetsLost: 0, freezeCount: 1,
      freezesDuration: .milliseconds(200),
      limitation: limitation, hundredthsOfMOS: nil)
  }

  private func summaries(_ rows: [StreamRow]) -> TileSummaries {
    var summaries = TileSummaries(tileCount: 1, viewerCount: 1, captureRates: [30_000], duration: .seconds(4))
    for (second, row) in rows.enumerated() {
      summaries.add(row, tile: 0, at: .zero + .seconds(Int64(second + 1)), interval: .seconds(1))
    }
    return summaries
  }

  @Test func pixelsCountByHeightAndFrameRate() {
    // All (29 of 30 frames: one may fall in the next second), a quarter, a half, an eighth.
    let summaries = summaries([
      row(height: 720, frames: 29), row(height: 360, frames: 30, limitation: "bandwidth"),
      row(height: 1080, frames: 15, limitation: "sender"),
      row(height: 360, frames: 15, limitation: "bandwidth"),
    ])
    let visible = summaries.tiles[0].visible
    #expect(visible.ofRequest.shown * 8 == visible.ofRequest.wanted * 15 / 4)
    #expect(visible.thousandthsAsAsked == 250)
    #expect(visible.missing.map(\.limitation) == ["bandwidth", "sender"])
    // Three quarters and seven eighths of a second, and a half. Without a tile, the request counts as the screen.
    #expect(visible.missing.map { $0.pixels * 32 / visible.ofScreen.wanted } == [13, 4])
    #expect(visible.course.percents(in: 4) == [100, 25, 50, 13])
    #expect(summaries.viewerCourses[0].percents(in: 2) == [62.5, 31.5])
  }

  @Test func hiddenAndMutedTilesDoNotCount() {
    let summaries = summaries([
      row(height: 0, frames: 0, state: .hidden, limitation: "off-screen"),
      row(height: 0, frames: 0, state: .muted, limitation: "muted"),
      row(height: 0, frames: 0, asked: 0), row(height: 720, frames: 30),
    ])
    let tile = summaries.tiles[0]
    #expect(tile.intervals == 4 && tile.visible.time == .seconds(1) && tile.timeOffScreen == .seconds(1))
    #expect(tile.bytes == 4000 && tile.visible.bytes == 1000)
    #expect(tile.visible.ofScreen.thousandths == 1000 && tile.visible.freezeCount == 1)
    #expect(tile.visible.missing.isEmpty)
    #expect(tile.visible.course.percents(in: 4) == [nil, nil, nil, 100])
  }

  /// Two of four seconds without a frame, whether the picture is frozen, paused or has never come, unless the source
  /// sends none.
  @Test(arguments: [
    (TileState.receiving, "bandwidth", 2), (.paused, "bandwidth", 2), (.waitingForKeyFrame, "starting", 2),
    (.receiving, "sender", 0), (.hidden, "off-screen", 0),
  ])
  func secondsWithoutAFrameAreCounted(state: TileState, limitation: String, seconds: Int64) {
    let dark = row(height: 0, frames: 0, state: state, limitation: limitation)
    var summaries = summaries([dark, row(height: 720, frames: 30), dark, row(height: 180, frames: 1)])
    summaries.finish()
    #expect(summaries.tiles[0].visible.timeWithoutFrames == .seconds(seconds))
  }

  /// Each row has a freeze of 200 ms that has ended. A picture that stands still for the last two of four seconds counts
  /// too, unless the stream is paused, the source sends nothing or the tile was never shown; at one frame a second three
  /// seconds are no freeze.
  @Test(
    arguments: [
      ([30, 30, 0, 0], .receiving, "bandwidth", 5, 2800), ([30, 0, 0, 30], .receiving, "bandwidth", 4, 800),
      ([30, 30, 0, 0], .waitingForKeyFrame, "switching", 5, 2800),
      ([30, 30, 0, 0], .paused, "bandwidth", 4, 800), ([30, 30, 0, 0], .receiving, "sender", 4, 800),
      ([0, 0, 0, 0], .receiving, "switching", 4, 800),
      ([1, 1, 1, 0, 0, 0], .receiving, "none", 6, 1200),
      ([1, 1, 1, 0, 0, 0, 0], .receiving, "none", 8, 5400),
    ] as [([Int], TileState, String, Int64, Int64)])
  func aPictureThatStandsStillToTheEndIsAFreeze(
    frames: [Int], state: TileState, limitation: String, count: Int64, milliseconds: Int64
  ) {
    var summaries = summaries(
      frames.map {
        row(height: $0 > 0 ? 720 : 0, frames: $0, state: $0 > 0 ? .receiving : state, limitation: limitation)
      })
    summaries.finish()
    let visible = summaries.tiles[0].visible
    #expect(visible.freezeCount == count && visible.freezesDuration == .milliseconds(milliseconds))
  }

  /// Two frames in the first second, then none for four: the browser, which has no five frame durations yet, counts no
  /// freeze when the picture goes on. One that it counts is not counted twice, and a pause is none; without a frame
  /// before there was no picture to freeze, and gaps below a second or three frame distances are left to the browser.
  @Test(
    arguments: [
      ([2, 0, 0, 0, 0, 30], .receiving, 0, 1000, 1, 4000),
      ([2, 0, 0, 0, 0, 30], .receiving, 1, 1000, 1, 4500),
      ([2, 0, 0, 0, 0, 30], .paused, 0, 1000, 0, 0), ([0, 0, 0, 0, 0, 30], .receiving, 0, 1000, 0, 0),
      ([2, 0, 30], .receiving, 0, 1000, 0, 0), ([2, 0, 0, 30], .receiving, 0, 1000, 1, 2000),
      ([2, 0, 0, 0, 0, 30], .receiving, 0, 200, 0, 0), ([2, 0, 0, 0, 0, 0, 30], .receiving, 0, 200, 1, 1000),
    ] as [([Int], TileState, Int, Int64, Int64, Int64)])
  func aPictureThatGoesOnUnnoticedByTheBrowserWasFrozen(
    frames: [Int], state: TileState, browser: Int, interval: Int64, count: Int64, milliseconds: Int64
  ) {
    var summaries = TileSummaries(tileCount: 1, viewerCount: 1, captureRates: [30_000], duration: .seconds(6))
    for (index, number) in frames.enumerated() {
      var row = row(height: number > 0 ? 720 : 0, frames: number, state: number > 0 ? .receiving : state)
      let ends = index == frames.count - 1 ? browser : 0
      (row.freezeCount, row.freezesDuration) = (ends, .milliseconds(ends > 0 ? 4500 : 0))
      let end = SimTime.zero + .milliseconds(interval * Int64(index + 1))
      summaries.add(row, tile: 0, at: end, interval: .milliseconds(interval))
    }
    summaries.finish()
    let visible = summaries.tiles[0].visible
    #expect(visible.freezeCount == count && visible.freezesDuration == .milliseconds(milliseconds))
  }

  /// Seven seconds without a frame, after which the browser takes the stream for paused: the pause of 7.4 s is known to the
  /// frame, one of 20 s began before the tile could be frozen. While the server pauses it, it is no freeze.
  @Test(
    arguments: [
      (.receiving, 7400, 7400), (.receiving, 20_000, 7000), (.receiving, 0, 7000), (.paused, 7400, 0),
    ] as [(TileState, Int64, Int64)])
  func aPauseIsKnownToTheFrame(state: TileState, pause: Int64, milliseconds: Int64) {
    var rows = [30, 0, 0, 0, 0, 0, 0, 0, 20].map {
      row(height: $0 > 0 ? 720 : 0, frames: $0, state: $0 > 0 ? .receiving : state)
    }
    for place in rows.indices { (rows[place].freezeCount, rows[place].freezesDuration) = (0, .zero) }
    rows[8].frameTimes.pauses = .milliseconds(pause)
    var summaries = summaries(rows)
    summaries.finish()
    let visible = summaries.tiles[0].visible
    #expect(visible.freezesDuration == .milliseconds(milliseconds))
    #expect(visible.freezeCount == (milliseconds > 0 ? 1 : 0))
  }

  /// A tile leaves the screen while its picture stands still for a second; back on it, the freeze that ends has lasted
  /// longer than the visit and counts from its beginning on.
  @Test func aFreezeIsCountedOnTheScreenAlone() {
    var ends = row(height: 720, frames: 30)
    ends.freezesDuration = .seconds(5)
    let hidden = row(height: 0, frames: 0, state: .hidden, limitation: "off-screen")
    let summaries = summaries([row(height: 720, frames: 30), row(height: 0, frames: 0), hidden, ends])
    let visible = summaries.tiles[0].visible
    #expect(
      visible.freezeCount == 4 && visible.freezesDuration == SimDuration.milliseconds(200 + 200 + 1000 + 1000)
    )
  }

  /// A tile of 640x360 of a 30 fps camera whose system requests 180 lines at 13 fps: a quarter of the pixels at 12 of
  /// the 24 frames per second that count, then all pixels, more than requested.
  @Test func theScreenCountsWhateverWasRequested() {
    var small = row(height: 180, frames: 12, asked: 180)
    small.requestedMilliFrames = 13_000
    small.tile = (640, 360)
    var large = small
    (large.frame, large.frames) = ((1280, 720), 24)
    let visible = summaries([small, large]).tiles[0].visible
    #expect(visible.ofRequest.thousandths == 1000)
    #expect(visible.ofScreen.thousandths == (125 + 1000) / 2)
    #expect(visible.missing.map(\.limitation) == ["request"])
  }

  /// A freeze of 5 s that ends 1 s after the tile returned to the screen was seen for 1 s; then the picture stands still
  /// for the last second, which scores 1 as it shows no frame. The row off the screen has 200 ms of its own.
  @Test func onlySecondsOnTheScreenCount() {
    var seen = row(height: 720, frames: 10)
    (seen.freezesDuration, seen.hundredthsOfMOS) = (.seconds(5), 400)
    let summaries = summaries([
      row(height: 0, frames: 0, state: .hidden, limitation: "off-screen"), seen,
      row(height: 0, frames: 0, limitation: "bandwidth"),
    ])
    let visible = summaries.tiles[0].visible
    #expect(visible.freezesDuration == SimDuration.milliseconds(1000 + 200 + 1000))
    #expect(visible.meanScore == 250 && visible.thousandthsAtHeight == 500)
  }

  /// A picture stands still for the last half second of a visit, which its subscription survives or not; back on the
  /// screen the tile is paused for half a second and waits for a key frame in the last 100 ms: it never had a picture.
  @Test(arguments: [true, false])
  func aStillPictureIsJudgedByIntervals(isSubscribed: Bool) {
    let tenth = SimDuration.milliseconds(100)
    var hidden = row(height: 0, frames: 0, state: .hidden, limitation: "off-screen")
    hidden.isSubscribed = isSubscribed
    let rows =
      Array(repeating: row(height: 720, frames: 3), count: 10)
      + Array(repeating: row(height: 0, frames: 0, limitation: "bandwidth"), count: 5) + [hidden]
      + Array(repeating: row(height: 0, frames: 0, state: .paused, limitation: "bandwidth"), count: 5)
      + [row(height: 0, frames: 0, state: .waitingForKeyFrame, limitation: "switching")]
    var summaries = TileSummaries(tileCount: 1, viewerCount: 1, captureRates: [30_000], duration: .seconds(4))
    for (index, row) in rows.enumerated() {
      var row = row
      (row.freezeCount, row.freezesDuration) = (0, .zero)
      summaries.add(row, tile: 0, at: .zero + tenth * Int64(index + 1), interval: tenth)
    }
    summaries.finish()
    let visible = summaries.tiles[0].visible
    #expect(visible.freezeCount == 1 && visible.freezesDuration == .milliseconds(500))
  }

  /// A share of 5 fps in intervals of 100 ms, every second of which has no frame: a second of them is as good as one
  /// interval of a second. What is left when the tile leaves the screen, and at the end, counts as well.
  @Test func shortIntervalsAreJudgedBySeconds() {
    var shown = row(height: 720, frames: 1)
    (shown.requestedMilliFrames, shown.freezesDuration) = (5_000, .zero)
    var none = shown
    (none.frame, none.frames) = (nil, 0)
    var hidden = row(height: 0, frames: 0, state: .hidden, limitation: "off-screen")
    hidden.requestedMilliFrames = 5_000
    var summaries = TileSummaries(tileCount: 1, viewerCount: 1, captureRates: [5_000], duration: .seconds(4))
    let rows = (0..<14).map { $0 % 2 == 0 ? shown : none } + [hidden] + [shown, none, none]
    for (index, row) in rows.enumerated() {
      summaries.add(
        row, tile: 0, at: .zero + .milliseconds(Int64(100 * (index + 1))), interval: .milliseconds(100))
    }
    #expect(summaries.tiles[0].visible.time == .milliseconds(1400))
    summaries.finish()
    let visible = summaries.tiles[0].visible
    #expect(visible.time == .milliseconds(1700) && summaries.tiles[0].timeOffScreen == .milliseconds(100))
    #expect(visible.frames == 8 && visible.ofRequest.thousandths == 1000)
    #expect(visible.thousandthsAtHeight == 1000 && visible.missing.isEmpty)
  }

  /// Two seconds of half a second each, of which one has another request, stay apart.
  @Test func aStretchHasOneRequest() {
    let half = SimDuration.milliseconds(500)
    var summaries = TileSummaries(tileCount: 1, viewerCount: 1, captureRates: [30_000], duration: .seconds(4))
    summaries.add(row(height: 360, frames: 15), tile: 0, at: .zero + half, interval: half)
    summaries.add(row(height: 360, frames: 15, asked: 360), tile: 0, at: .zero + half * 2, interval: half)
    summaries.finish()
    #expect(summaries.tiles[0].visible.thousandthsAtHeight == 500)
    #expect(summaries.tiles[0].visible.requests.map(\.frames) == [15, 15])
  }

  @Test func theLongestRequestIsTheMainOne() throws {
    let summaries = summaries([
      row(height: 720, frames: 30), row(height: 180, frames: 20, asked: 180),
      row(height: 180, frames: 30, asked: 180), row(height: 180, frames: 30, asked: 180),
    ])
    let visible = summaries.tiles[0].visible
    let main = try #require(visible.mainRequest)
    #expect(visible.requests.count == 2)
    #expect((main.height, main.medianHeight, main.frames) == (180, 180, 80))
  }
}
