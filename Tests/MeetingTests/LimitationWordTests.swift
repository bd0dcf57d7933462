import Meeting
import Metrics
import TestSupport
import Testing

/// The limitations in `streams.csv` while links fail and recover.
@Suite("Limitations of failing links")
struct LimitationWordTests {
  private static let systems = [
    "jitsi", "mediasoup", "signal", "best", "janus", "{name: janus, allocation: true}", "livekit",
    "bluejeans", "stream", "vonage", "agora", "gso",
  ]

  /// Returns the limitations of a stage, or of a tile of 180 lines, between two times [s].
  private func words(_ scenario: String, from start: Double, to end: Double) throws -> Set<String> {
    let rows = try Meetings.run(Meetings.scenario(scenario)).tables.rows(of: .streams).filter {
      $0["viewer"] == "v" && $0.number("time_s") >= start && $0.number("time_s") <= end
    }
    #expect(!rows.isEmpty)
    return Set(rows.map { $0["limitation"] })
  }

  /// Of a camera of 15 frames a second, 14 come in the second in which a screen's key frame waits in the pacer, and 16 in
  /// the next: the tile, asked for with 30, lacks none of its layer's.
  @Test func aFrameThatFallsIntoTheNextSecondIsNotMissing() throws {
    let text = """
      name: burst
      duration: 8s
      seed: 430033
      policy: bluejeans
      estimator: gcc
      speech: timeline
      links: {wide: {capacity: 200 Mbps, delay: 10 ms}}
      participants:
        - id: p1
          publish: {camera: {capture: 720p30, ladder: single}, audio: false}
          up: {capacity: 3 Mbps, delay: 5 ms, loss: 1 %}
          down: wide
        - id: p2
          join: 5s
          publish: {camera: {capture: 640x360@15, ladder: single}, audio: false, screen: {capture: 1080p15, on: true}}
          up: {capacity: 1500 kbps, delay: 20 ms}
          down: wide
        - id: p3
          publish: {camera: {capture: 640x360@15, ladder: bluejeans-classic}, audio: false}
          up: {capacity: 20 Mbps, delay: 5 ms}
          down: wide
        - id: v
          publish: audio-only
          up: wide
          down: {capacity: 2500 kbps, delay: 5 ms}
          capabilities: {receive-720p: true, decode: {streams: 2}}
          view:
            tiles:
              - {participant: p1, size: 320x180}
              - {participant: p2, size: 160x90}
              - {participant: p3, size: 160x90}
      """
    let rows = try Meetings.run(Meetings.scenario(text)).tables.stream(viewer: "v", source: "p3")
    let seconds = rows.filter { ["6.000", "7.000"].contains($0["time_s"]) }
    #expect(seconds.map { $0.number("frames_per_second") } == [14, 16])
    #expect(seconds.map { $0["limitation"] } == ["sender", "sender"])
  }

  /// A camera whose uplink is down from 20 to 28 s, whether the server has noticed and stopped or still forwards.
  @Test(arguments: systems)
  func anUplinkThatIsDownIsTheSenders(policy: String) throws {
    let words = try words(
      """
      name: gone
      duration: 30s
      policy: \(policy)
      links: {phone: {capacity: 5 Mbps, delay: 20 ms}}
      participants:
        - {id: a, up: phone, publish: {camera: 720p30}}
        - {id: v, view: {stage: a}}
      timeline:
        - {at: 20s, link: a/up, down: 8s}
      """, from: 22, to: 28)
    #expect(words == ["sender-uplink"])
  }

  /// An uplink that falls to 400 kbps from 15 to 30 s cuts off 360p and 720p; the server sees them again only after a
  /// while, during which no decision is pending.
  @Test func anEncodingThatTheServerHasNotSeenAgainIsTheSenders() throws {
    let words = try words(
      """
      name: returns
      duration: 40s
      policy: livekit
      links: {phone: {capacity: [{at: 0s, to: 5 Mbps}, {at: 15s, to: 400 kbps}, {at: 30s, to: 5 Mbps}], delay: 20 ms}}
      participants:
        - {id: a, up: phone, publish: {camera: 720p30}}
        - {id: v, view: {stage: a}}
      """, from: 24, to: 40)
    #expect(words == ["sender-uplink"])
  }

  /// The lowest estimate of the last seconds is below the lowest encoding, and so is the current one: waiting does not
  /// help.
  @Test func whatTheEstimateDoesNotCarryIsNoWait() throws {
    let words = try words(
      """
      name: thin
      duration: 40s
      policy: signal
      links: {thin: {capacity: [{at: 0s, to: 3 Mbps}, {at: 15s, to: 60 kbps}], delay: 20 ms, queue: 300 ms}}
      participants:
        - {id: a, publish: {camera: 720p30}}
        - {id: v, down: thin, view: {stage: a}}
      """, from: 17, to: 40)
    #expect(words == ["bandwidth"])
  }

  /// A 15 fps camera with 30 fps requested, on a link that carries next to nothing of its 180p.
  @Test(arguments: systems)
  func aSlowCameraIsNotWhatALinkLoses(policy: String) throws {
    let words = try words(
      """
      name: lost
      duration: 25s
      policy: \(policy)
      links: {thin: {capacity: 64 kbps, delay: 60 ms, queue: 500 ms}}
      participants:
        - {id: b, publish: {camera: {capture: 360p15}}}
        - {id: v, down: thin, view: {tiles: {b: 320x180}}}
      """, from: 8, to: 25)
    #expect(words == ["bandwidth"])
  }

  /// 24 fps on an uplink that carries 180p of 720p: the main shortfall is in lines, which the camera has.
  @Test(arguments: ["jitsi", "mediasoup", "janus", "livekit", "stream"])
  func aSlowCameraDoesNotHideANarrowUplink(policy: String) throws {
    let words = try words(
      """
      name: narrow
      duration: 25s
      policy: \(policy)
      links: {narrow: {capacity: 350 kbps, delay: 20 ms}}
      participants:
        - {id: a, up: narrow, publish: {camera: {capture: 720p24}}}
        - {id: v, view: {stage: a}}
      """, from: 15, to: 25)
    #expect(words == ["sender-uplink"])
  }

  /// The first key frames fall into an outage until 5.45 s, and the one that is shown arrives near 6 s: until then
  /// there is no picture to lose. The outage from 8.3 to 8.95 s drops 10 of 15 pictures that would have been shown.
  @Test(arguments: ["jitsi", "mediasoup"])
  func aKeyFrameThatComesLateIsNotWhatALinkLoses(policy: String) throws {
    let rows = try Meetings.run(
      Meetings.scenario(
        """
        name: late
        duration: 9s
        policy: \(policy)
        estimator: oracle
        links: {open: {capacity: 100 Mbps, delay: 20 ms}}
        participants:
          - {id: p, up: open, down: open, join: 5s, publish: {audio: false, camera: 180p15}}
          - {id: v, up: open, down: open, view: {tiles: {p: 320x180}}}
        timeline:
          - {at: 5050ms, link: v/down, down: 400ms}
          - {at: 8300ms, link: v/down, down: 650ms}
        """)
    ).tables.rows(of: .streams).filter { $0["viewer"] == "v" }
    let words = rows.suffix(4).map { $0["limitation"] }
    #expect(words == ["switching", "none", "none", "bandwidth"])
  }

  /// Tiles of 90 lines are granted 180, the lowest available, on a downlink that eight of them fill: while a tile has no picture at all, the missing layer is not its limitation.
  @Test func aTileWithoutAPictureHasNoGapBetweenLayers() throws {
    let rows = try Meetings.run(
      Meetings.scenario(
        """
        name: dark
        duration: 20s
        policy: {name: janus, allocation: true}
        links: {home: {capacity: 300 kbps, delay: 40 ms}}
        participants:
          - {id: p, count: 8, publish: {camera: 720p30}}
          - {id: v, down: home, view: {everybody: 160x90}}
        """)
    ).tables.rows(of: .streams).filter { $0["viewer"] == "v" }
    let dark = rows.filter { $0["state"] == "waiting-for-keyframe" }
    #expect(!dark.isEmpty)
    #expect(Set(dark.map { $0["limitation"] }).isSubset(of: ["switching", "bandwidth"]))
    #expect(rows.contains { $0["frame_height_px"] == "180" })
  }
}
