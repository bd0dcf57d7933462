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

  private func rows(_ policy: String, at time: Double) throws -> [Row] {
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
    ).tables.rows(of: .streams).filter { $0.number("time_s") == time }
  }

  /// Of the frames of 0.6 s, 18 at 30 per second, half and one more may be missing: nine decoded frames at least, or
  /// six of 20 per second.
  @Test(arguments: systems)
  func tooFewFramesSinceTheBeginningHaveACause(policy: String) throws {
    let begun = try rows(policy, at: 4).filter {
      $0["viewer"] != "x" && ($0["source"] == "b" || $0["viewer"] == "w")
    }
    #expect(begun.count == 3)
    for row in begun where row["limitation"] == "none" {
      let frames = row.number("frames_per_second")
      #expect((frames + 1) * 2 >= row.number("requested_fps") * 0.6, "\(row)")
    }
  }

  /// Six of twelve frames, which are more than half of those since 3.4 s, are no loss on links of 100 Mbps.
  @Test(arguments: systems)
  func aTileThatIsShownAgainIsNotShortOfBandwidth(policy: String) throws {
    let row = try #require(try rows(policy, at: 4).first { $0["viewer"] == "x" && $0["source"] == "a" })
    #expect(row["limitation"] != "bandwidth", "\(row)")
  }
}
