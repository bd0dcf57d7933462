import Meeting
import Metrics
import Quantity
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

  /// The request of `c`, behind 10 kbit/s, never comes through: its tile, which it hears of at 11 s, is dark, and counts as
  /// such from 10 s later.
  @Test func aTileWhoseRequestIsHeldUpCounts() throws {
    let text = """
      name: thin
      duration: 30s
      policy: mediasoup
      estimator: gcc
      links: {thin: {capacity: 10 kbps, delay: 30 ms}, wide: {capacity: 20 Mbps, delay: 10 ms}}
      participants:
        - {id: a, up: wide, down: wide, publish: {camera: 360p30}}
        - {id: b, up: wide, down: wide, view: {tiles: {a: 320x180}}}
        - {id: c, up: thin, down: thin, publish: {camera: 360p30}, view: {tiles: {a: 320x180}}}
      """
    let tables = try Meetings.run(Meetings.scenario(text)).tables
    let late = tables.stream(viewer: "c", source: "a").filter { $0.number("time_s") >= 23 }
    #expect(late.count == 8)
    #expect(late.allSatisfy { $0["state"] == "absent" && $0["limitation"] == "bandwidth" }, "\(late)")
    #expect(late.allSatisfy { $0["requested_height_px"] == "180" && $0["requested_fps"] == "30.00" })
    let score = tables.rows(of: .scalars).first { $0["metric"] == "mos" && $0["viewer"] == "c" }
    #expect(score?.number("value") == 1, "\(score as Any)")
  }

  /// GSO's server stops a source that is muted only with its next decision; nothing is missing meanwhile.
  @Test(arguments: ["gso", "agora", "jitsi"]) func aMutedSourceLacksNothing(policy: String) throws {
    let text = """
      name: muted
      duration: 14s
      policy: \(policy)
      estimator: oracle
      participants:
        - {id: a, publish: {camera: 360p15, audio: false}}
        - {id: b, view: {everybody: 640x360}}
      timeline: [{at: 10.3s, participant: a, mute: video}]
      """
    let tables = try Meetings.run(Meetings.scenario(text), interval: .milliseconds(250)).tables
    let rows = tables.stream(viewer: "b", source: "a").filter { $0.number("time_s") >= 10.5 }
    #expect(rows.count == 15 && rows.allSatisfy { $0["limitation"] == "muted" }, "\(rows)")
  }

  /// The second page is never looked at, whatever its source does; on the first a mute is seen, from 5.2 s on.
  @Test(
    arguments: [
      "vonage", "bluejeans", "agora", "janus", "jitsi", "livekit", "mediasoup", "signal", "stream", "gso",
      "best",
    ])
  func aMuteOnTheOtherPageIsOffTheScreen(policy: String) throws {
    let tables = try meeting(
      policy, "everybody: 640x360, per-page: 2",
      "{at: 5.2s, participant: s-1, mute: video}, {at: 5.2s, participant: s-3, mute: video}")
    let words = ["s-1", "s-3"].map { source in
      tables.stream(viewer: "v", source: source).filter { $0.number("time_s") >= 7 }.map { $0["limitation"] }
    }
    #expect(words == [["muted", "muted", "muted", "muted"], Array(repeating: "off-screen", count: 4)])
    let times = tables.rows(of: .scalars).filter { $0["metric"] == "time_off_screen" }
      .map { "\($0["source"]) \($0.number("value"))" }
    #expect(times == ["s-1 0.0", "s-2 0.0", "s-3 10.0"])
  }
}
