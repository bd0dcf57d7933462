import Meeting
import Metrics
import Quantity
import TestSupport
import Testing

@Suite("GetStream's clients, packet by packet")
struct StreamClientMeetingTests {
  private func meeting(client: String = "guide", view: String, _ timeline: String) -> String {
    """
    name: test
    duration: 16s
    policy: {name: stream, client: \(client)}
    participants:
      - {id: ann, publish: {camera: 720p30}}
      - {id: bob, publish: {camera: 720p30}}
      - {id: viewer, view: \(view)}
    timeline:
    \(timeline)
    """
  }

  private func heights(_ run: MemorySink, _ source: String, at seconds: [Int]) -> [String] {
    let rows = run.stream(viewer: "viewer", source: source)
    return seconds.map { rows[$0 - 1]["frame_height_px"] }
  }

  @Test func anOverrideTakesTheTilesPlaceForOneOrForEverybody() throws {
    let run = try Meetings.run(
      Meetings.scenario(
        meeting(
          view: "{everybody: 720p, override: 320x180}",
          """
            - {at: 3s, participant: viewer, override: {participant: ann, size: 640x360}}
            - {at: 6s, participant: viewer, override: {size: off}}
            - {at: 9s, participant: viewer, override: {participant: ann, size: none}}
            - {at: 12s, participant: viewer, override: {size: none}}
          """))
    ).tables
    #expect(heights(run, "ann", at: [3, 6, 9, 12, 16]) == ["180", "360", "360", "", "720"])
    #expect(heights(run, "bob", at: [3, 6, 9, 12, 16]) == ["180", "180", "", "", "720"])
    let off = run.stream(viewer: "viewer", source: "bob")[8]
    #expect(off["bitrate_bps"] == "0" && off["limitation"] == "request-cap" && off["state"] == "paused")
    // The tile remains what it was.
    #expect(run.stream(viewer: "viewer", source: "ann")[5]["tile_height_px"] == "720")
    let decisions = run.rows(of: .decisions).filter { $0["source"] == "bob" && $0["given"] == "" }
    #expect(decisions.first?["time_s"] == "6.015")
  }

  @Test(
    arguments: [
      // Client, time of the decision after a tile shrank at 4 s, and whether a tile hidden at 8 s continues.
      ("guide", "4.015", false), ("javascript", "4.605", false), ("ios", "4.015", true),
    ])
  func hiddenTilesAndTimersAreTheClients(client: String, shrunk: String, goesOn: Bool) throws {
    let run = try Meetings.run(
      Meetings.scenario(
        meeting(
          client: client, view: "{everybody: 720p}",
          """
            - {at: 4s, participant: viewer, resize: {participant: ann, to: 320x180}}
            - {at: 8s, participant: viewer, hide: bob}
          """))
    ).tables
    let decision = run.rows(of: .decisions).last { $0["source"] == "ann" && $0["given"] != $0["previous"] }
    #expect(decision?["time_s"] == shrunk && decision?["given"] == (client == "ios" ? "q.0" : "q.2"))
    let bob = run.stream(viewer: "viewer", source: "bob")[11]
    #expect(bob["state"] == (goesOn ? "receiving" : "hidden"))
  }

  @Test func theIOSClientPublishesAtOneMegabit() throws {
    for (client, rate) in [("ios", 1000.0), ("javascript", 1250)] {
      let run = try Meetings.run(
        Meetings.scenario(meeting(client: client, view: "{everybody: 720p}", "  []")))
      let rates = run.tables.stream(viewer: "viewer", source: "ann").suffix(10)
        .map { $0.number("bitrate_bps") / 1000 }
      #expect(abs(rates.reduce(0, +) / 10 / (rate * 1.06) - 1) < 0.05, "\(client)")
    }
  }

  @Test func tilesThatScrollAreUnsubscribedAfter600MillisecondsBelow35PercentWithJavaScript() throws {
    // Three tiles of 400x600 points, the viewer's own and ann's above: with 405 points scrolled, 32.5 % of ann's is
    // left.
    for (client, state) in [("javascript", "hidden"), ("guide", "receiving")] {
      let run = try Meetings.run(
        Meetings.scenario(
          meeting(
            client: client, view: "{grid: stream-pages, screen: 800x1200}",
            "  - {at: 5s, participant: viewer, scroll: 405}"))
      ).tables
      let rows = run.stream(viewer: "viewer", source: "ann")
      #expect(rows[3]["state"] == "receiving" && rows[8]["state"] == state, "\(client)")
      let stopped = run.rows(of: .decisions).last { $0["source"] == "ann" && $0["given"] == "" }
      #expect(stopped?["time_s"] == (client == "javascript" ? "5.605" : nil))
    }
  }

  @Test func overridesAreForStreamsClientsOnly() {
    #expect(throws: Meetings.Failure.self) {
      try Meetings.scenario(
        meeting(view: "{everybody: 720p, override: off}", "  []"), overrides: ["policy=bluejeans"])
    }
  }

  /// The thirteenth participant joins while twelve are known, and starts hidden for those who are there; a viewer who
  /// leaves and comes back knows nobody who joined while known.
  @Test func whoComesBackKnowsNobodyHidden() throws {
    let run = try Meetings.run(
      Meetings.scenario(
        """
        name: back
        duration: 14s
        policy: {name: stream, client: ios}
        estimator: oracle
        participants:
          - {id: p, count: 11, publish: {camera: 360p30, audio: false}}
          - {id: late, join: 3.1s, publish: {camera: 360p30, audio: false}}
          - {id: viewer, view: {everybody: 160x90, per-page: 5}}
        timeline: [{at: 7.2s, participant: viewer, leave: true}, {at: 9.2s, participant: viewer, join: true}]
        """)
    ).tables
    let late = run.stream(viewer: "viewer", source: "late")
      .map { "\($0["time_s"]) \($0["bitrate_bps"] == "0" ? "off" : "on")" }
    #expect(late.contains("7.000 off") && late.contains("11.000 on") && late.contains("14.000 on"), "\(late)")
  }
}
