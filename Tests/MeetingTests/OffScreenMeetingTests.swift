import Meeting
import Metrics
import TestSupport
import Testing

/// Tiles that are not on the screen, in systems that receive them all the same and in those that do not.
@Suite("Tiles off the screen")
struct OffScreenMeetingTests {
  private func meeting(_ policy: String, _ view: String, _ timeline: String = "") throws -> MemorySink {
    try Meetings.run(
      Meetings.scenario(
        """
        name: pages
        duration: 10s
        policy: \(policy)
        estimator: oracle
        participants:
          - {id: s, count: 3, publish: {camera: 360p30, audio: false}}
          - {id: v, view: {\(view)}}
        timeline: [\(timeline)]
        """)
    ).tables
  }

  /// The third tile is on the second page, which is looked at from 6.2 s on: of the seconds until then, none counts as
  /// on the screen.
  @Test(arguments: ["vonage", "bluejeans", "agora", "janus", "jitsi", "livekit", "mediasoup", "signal"])
  func theOtherPageIsOffTheScreen(policy: String) throws {
    let tables = try meeting(policy, "everybody: 640x360, per-page: 2", "{at: 6.2s, participant: v, page: 2}")
    for (source, isFirst) in [("s-1", true), ("s-3", false)] {
      let words = tables.stream(viewer: "v", source: source)
        .map { (time: $0.number("time_s"), isOff: $0["limitation"] == "off-screen") }
      for word in words where word.time >= 2 && word.time != 7 {
        #expect(word.isOff == ((word.time < 7) != isFirst), "\(policy), \(source) at \(word.time) s")
      }
    }
  }
}
