import Meeting
import Metrics
import Quantity
import Scenario
import TestSupport
import Testing

/// For a 720p camera, q takes 150 to 160 kbit/s, h 450 and f 1700, plus headers.
@Suite("Dynacast, packet by packet")
struct DynacastMeetingTests {
  private func meeting(
    _ timeline: String, view: String = "{size: 1280x720}", policy: String = "livekit",
    estimator: String = "oracle",
    duration: String = "30s", others: String = ""
  ) -> String {
    """
    name: dynacast
    duration: \(duration)
    policy: \(policy)
    estimator: \(estimator)
    links: {open: {capacity: 1000 Mbps, delay: 200 us}}
    participants:
      - {id: p, up: open, down: open, publish: {audio: false, camera: {capture: 720p30, content: 3 Mbps}}}
      - {id: viewer, up: open, down: open, view: {signals: {tracks: {p: \(view)}}}}
    \(others)timeline:
    \(timeline)
    """
  }

  /// Returns the publisher's rate in kbit/s, for each tenth of a second.
  private func uplink(_ text: String) throws -> [Int] {
    try Meetings.run(Meetings.scenario(text), interval: .milliseconds(100)).tables.rows(of: .participants)
      .filter { $0["participant"] == "p" }.map { Int($0.number("up_bitrate_bps") / 1000) }
  }

  /// Returns the mean over a time, in kbit/s.
  private func mean(_ rates: [Int], _ from: Double, _ to: Double) -> Int {
    let part = rates[Int((from * 10).rounded())..<Int((to * 10).rounded())]
    return part.reduce(0, +) / part.count
  }

  @Test(arguments: ["oracle", "gcc"])
  func encodingsStopFiveSecondsAfterTheLastWishAndBeginAtOnce(estimator: String) throws {
    let rates = try uplink(
      meeting(
        """
          - {at: 15s, participant: viewer, signals: {tracks: {p: {size: 320x180}}}}
          - {at: 40s, participant: viewer, signals: {tracks: {p: {size: 1280x720}}}}
          - {at: 55s, participant: viewer, signals: {tracks: {p: {disabled: true}}}}
          - {at: 75s, participant: viewer, signals: {tracks: {p: {size: 640x360}}}}
        """, estimator: estimator, duration: "90s"))
    // All three until 5.1 s after the request, then q alone.
    #expect((2000...2700).contains(mean(rates, 12, 20)))
    #expect((120...250).contains(mean(rates, 20.3, 40)))
    // All of them again 100 ms after the next request.
    #expect(mean(rates, 40.1, 40.6) > 1500)
    #expect((2000...2700).contains(mean(rates, 42, 60)))
    // Nothing 5.1 s after the track is disabled, and everything at once when it is enabled again.
    #expect(mean(rates, 60.3, 75) == 0)
    #expect(mean(rates, 75.1, 75.6) > 1500)
    #expect((2000...2700).contains(mean(rates, 77, 80)))
    // f stops 5.1 s later, leaving q and h.
    #expect((520...800).contains(mean(rates, 80.3, 90)))
  }

  /// A client's first settings come right after its subscription, for which everything is sent; f is forwarded until a
  /// key frame of q has come, about a second later.
  @Test func theFirstSettingsAreAStepDown() throws {
    let rates = try uplink(meeting("  []", view: "{quality: low}", duration: "15s"))
    #expect((2000...2700).contains(mean(rates, 3, 5)))
    #expect((120...250).contains(mean(rates, 6.5, 15)))
  }

  /// With adaptive stream the first wish is for the lowest encoding, which is then enough.
  @Test func theFirstWishTakesEffectAtOnce() throws {
    let rates = try uplink(
      meeting("  []", duration: "8s").replacing(
        "{signals: {tracks: {p: {size: 1280x720}}}}", with: "{tiles: {p: 320x180}}"))
    #expect((120...250).contains(mean(rates, 1, 8)))
  }

  @Test func whatNobodyWatchesStopsAfterTenSeconds() throws {
    let rates = try uplink(
      meeting("  []", duration: "15s").replacing(
        ", view: {signals: {tracks: {p: {size: 1280x720}}}}", with: ""))
    #expect((2000...2700).contains(mean(rates, 3, 9.9)))
    #expect(mean(rates, 10.2, 15) == 0)
  }

  /// From high to medium at 15 s, from medium to low at 18 s: nothing stops before 20.1 s, then both do.
  @Test func aFurtherStepDownDoesNotRestartTheDelay() throws {
    let rates = try uplink(
      meeting(
        """
          - {at: 15s, participant: viewer, signals: {tracks: {p: {quality: medium}}}}
          - {at: 18s, participant: viewer, signals: {tracks: {p: {quality: low}}}}
        """, view: "{quality: high}"))
    #expect((2000...2700).contains(mean(rates, 17, 20)))
    #expect((120...250).contains(mean(rates, 20.3, 30)))
  }

  @Test func aWishWithinTheDelayKeepsAnEncoding() throws {
    let rates = try uplink(
      meeting(
        """
          - {at: 15s, participant: viewer, signals: {tracks: {p: {quality: low}}}}
          - {at: 19s, participant: viewer, signals: {tracks: {p: {quality: high}}}}
        """, view: "{quality: high}"))
    #expect((2000...2700).contains(mean(rates, 19.5, 30)))
  }

  @Test func theHighestWishOfAllViewersCounts() throws {
    let other = "  - {id: other, up: open, down: open, view: {signals: {tracks: {p: {quality: medium}}}}}\n"
    let rates = try uplink(
      meeting(
        "  - {at: 15s, participant: viewer, signals: {tracks: {p: {quality: low}}}}", view: "{quality: high}",
        others: other))
    #expect((520...800).contains(mean(rates, 20.3, 30)))
  }

  @Test func withoutDynacastEverythingIsSentForNobody() throws {
    let rates = try uplink(
      meeting("  []", view: "{disabled: true}", policy: "{name: livekit, dynacast: false}", duration: "20s"))
    #expect((2000...2700).contains(mean(rates, 12, 20)))
  }

  /// 1250 kbps carry the three encodings at first; an encoding that was off has no higher threshold to come back, 1370,
  /// since the sender gets a new allocator.
  @Test func anEncodingComesBackWhereItWasOn() throws {
    let tables = try Meetings.run(
      Meetings.scenario(
        """
        name: again
        duration: 30s
        policy: livekit
        estimator: oracle
        links: {narrow: {capacity: 1450 kbps, delay: 20 ms}}
        participants:
          - {id: p, up: narrow, publish: {audio: false, camera: {capture: 720p30, ladder: webrtc-vp8}}}
          - {id: v, view: {tiles: {p: 1280x720}}}
        timeline:
          - {at: 10s, participant: v, resize: {participant: p, to: 320x180}}
          - {at: 20s, participant: v, resize: {participant: p, to: 1280x720}}
        """)
    ).tables
    let f = tables.rows(of: .sent).filter { $0["layer"] == "f" }
    func isOn(_ second: Int) -> Bool {
      f.contains { $0["time_s"] == "\(second).000" && $0.number("target_bitrate_bps") > 0 }
    }
    #expect(isOn(9) && !isOn(18) && isOn(25))
  }
}
