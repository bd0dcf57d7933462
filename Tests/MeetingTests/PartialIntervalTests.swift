import Meeting
import Metrics
import TestSupport
import Testing

/// Limitations of tiles that can be seen in only a part of an interval.
@Suite("Tiles that begin within an interval")
struct PartialIntervalTests {
  private static let systems = [
    "jitsi", "mediasoup", "signal", "best", "janus", "livekit", "bluejeans", "stream", "vonage", "agora",
  ]

  private func tables(_ policy: String) throws -> MemorySink {
    try Meetings.run(
      Meetings.scenario(
        """
        name: partial
        duration: 6s
        policy: \(policy)
        links: {fibre: {capacity: 100 Mbps, delay: 20 ms}}
        participants:
          - {id: a, up: fibre, down: fibre, publish: {camera: 720p30}}
          - {id: b, up: fibre, down: fibre, join: 3.4s, publish: {camera: 720p30}}
          - {id: v, up: fibre, down: fibre, view: {stage: a, tiles: {b: 320x180}}}
          - {id: w, up: fibre, down: fibre, join: 3.4s, view: {stage: a, tiles: {b: 320x180}}}
          - {id: x, up: fibre, down: fibre, view: {tiles: {a: 320x180, b: 320x180}, per-page: 1}}
        timeline:
          - {at: 2.2s, participant: x, page: 2}
          - {at: 3.4s, participant: x, page: 1}
        """)
    ).tables
  }

  /// Of the frames since the tile has been on the screen half may be missing, and one more.
  @Test(arguments: systems)
  func tooFewFramesSinceTheBeginningHaveACause(policy: String) throws {
    let tables = try tables(policy)
    let layout = tables.rows(of: .layout).filter {
      $0["visible_frac"] == "1.0000" && $0.number("time_s") <= 4
    }
    let begun = tables.rows(of: .streams).filter {
      $0.number("time_s") == 4 && $0["viewer"] != "x" && ($0["source"] == "b" || $0["viewer"] == "w")
    }
    #expect(begun.count == 3)
    for row in begun where row["limitation"] == "none" {
      let place = try #require(
        layout.first { $0["viewer"] == row["viewer"] && $0["source"] == row["source"] })
      let all = row.number("requested_fps") * (4 - place.number("time_s"))
      #expect((row.number("frames_per_second") + 1) * 2 >= all, "\(row)")
    }
  }

  /// Six of twelve frames, which are more than half of those since 3.4 s, are no loss on links of 100 Mbps.
  @Test(arguments: systems)
  func aTileThatIsShownAgainIsNotShortOfBandwidth(policy: String) throws {
    let row = try #require(
      try tables(policy).rows(of: .streams).first {
        $0.number("time_s") == 4 && $0["viewer"] == "x" && $0["source"] == "a"
      })
    #expect(row["limitation"] != "bandwidth", "\(row)")
  }
}
