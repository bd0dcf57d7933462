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
    var summaries = TileSummaries(tileCount: 1, viewerCount: 1, sourceCount: 1, duration: .seconds(4))
    for (second, row) in rows.enumerated() {
      summaries.add(row, tile: 0, at: .zero + .seconds(Int64(second + 1)), interval: .seconds(1))
    }
    return summaries
  }

  @Test func pixelsCountByHeightAndFrameRate() {
    // All (29 of 30 frames: one may fall into the next second), a quarter, a half, an eighth.
    let summaries = summaries([
      row(height: 720, frames: 29), row(height: 360, frames: 30, limitation: "bandwidth"),
      row(height: 1080, frames: 15, limitation: "sender"),
      row(height: 360, frames: 15, limitation: "bandwidth"),
    ])
    let visible = summaries.tiles[0].visible
    #expect(visible.delivered * 8 == visible.wanted * 15 / 4)
    #expect(visible.thousandthsAsAsked == 250)
    #expect(visible.missing.map(\.limitation) == ["bandwidth", "sender"])
    // Three quarters and seven eighths of a second, and a half.
    #expect(visible.missing.map { $0.pixels * 32 / visible.wanted } == [13, 4])
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
    #expect(tile.requestedTime == .seconds(4) && tile.visible.time == .seconds(1))
    #expect(tile.visible.delivered == tile.visible.wanted && tile.visible.freezeCount == 1)
    #expect(tile.visible.missing.isEmpty)
    #expect(tile.visible.course.percents(in: 4) == [nil, nil, nil, 100])
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
