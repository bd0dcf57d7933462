import Meeting
import Metrics
import Scenario
import TestSupport
import Testing

/// Requests for packets that were lost on a viewer's downlink, 300 ms away.
@Suite("Requests for missing packets")
struct RepairMeetingTests {
  /// Returns the RTCP that bob sends while watching ann, and the packets that bob has lost.
  private func control(loss: String, publish: String) throws -> (sent: Int64, lost: Int64) {
    let loaded = try Meetings.scenario(
      """
      name: repairs
      duration: 30s
      policy: bluejeans
      estimator: gcc
      links:
        fast: {capacity: 20 Mbps, delay: 10 ms}
        far: {capacity: 4 Mbps, delay: 150 ms, loss: \(loss)}
        back: {capacity: 4 Mbps, delay: 150 ms}
      participants:
        - {id: ann, up: fast, down: fast, publish: {camera: 720p30}}
        - {id: bob, up: back, down: far, \(publish)view: {layout: gallery-25}}
        - {id: eve, up: fast, down: fast, view: {layout: gallery-25}}
      """)
    let ledger = MeetingLedger(of: loaded.plan, seed: 5)
    let up = try #require(ledger.ways.first { $0.participant == "bob" && $0.isUp })
    let lost = ledger.receptions.filter { $0.viewer == "bob" }.map(\.packetsLost).reduce(0, +)
    return (up.controlSent, lost)
  }

  @Test func whoOnlyWatchesKnowsNoRoundTripAndAsksEvery100Milliseconds() throws {
    /// Requests per missing packet, as the amount lost depends on what is allocated.
    func requests(_ publish: String) throws -> Double {
      let lossy = try control(loss: "10 %", publish: publish)
      let clean = try control(loss: "0 %", publish: publish)
      #expect(lossy.lost > 200)
      return Double(lossy.sent - clean.sent) / Double(lossy.lost)
    }
    let watching = try requests("")
    let publishing = try requests("publish: {camera: 360p30}, ")
    // A packet arrives 300 ms after it was requested: after requests at 0, 125 and 250 ms, or after one; some requests
    // are for several packets, and a tenth of the repairs is lost.
    #expect(watching > 2.2 && watching < 3.3, "\(watching)")
    #expect(publishing > 0.9 && publishing < 1.6, "\(publishing)")
  }

  /// On a path without a pacer, repairs take at most half: two streams of 15 pictures a second and 7 packets each, and
  /// 300 of 600 kbit/s for repairs of more than 1 kB, are at most 210 and 38 packets a second.
  @Test func withoutAPacerRepairsLeaveHalfOfThePathToMedia() throws {
    let tables = try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: 20s
        policy: {name: agora, dual-stream: enable}
        participants:
          - {id: a, count: 2, publish: {camera: 640x360@15, audio: false}}
          - {id: viewer, down: {capacity: 5 Mbps, delay: 20 ms}, view: {everybody: 640x360}}
        timeline:
          - {at: 8s, link: viewer/down, capacity: 600 kbps}
        """)
    ).tables
    let drops = tables.rows(of: .links).filter { $0["link"] == "viewer/down" }
      .compactMap { $0.integerIfPresent("packets_dropped") }
    #expect(drops[8] > 50 && drops.allSatisfy { $0 <= 248 }, "\(drops)")
    #expect(drops[14...].allSatisfy { $0 == 0 }, "\(drops)")
    #expect(tables.stream(viewer: "viewer", source: "a-1")[15]["frame_height_px"] == "108")
  }

  /// Behind a queue that overflows, repairs take their maximum, half of what voices and headers leave, and take it
  /// once: a second deduction would leave a quarter.
  @Test func repairsComeOffTheBudgetOnce() throws {
    let tables = try Meetings.run(
      Meetings.scenario(
        """
        name: repairs
        duration: 12s
        policy: {name: best, switching-cost: 0 %}
        estimator: gcc
        links: {home: {capacity: 6 Mbps, delay: 20 ms, queue: 100 ms}}
        participants:
          - {id: p, count: 6, publish: {camera: {capture: 720p30, ladder: webrtc-vp8}, audio: false}}
          - {id: v, down: home, view: {everybody: 640x360}}
        timeline: [{at: 8s, link: v/down, capacity: 500 kbps}]
        """)
    ).tables
    let shares = tables.rows(of: .decisions).filter { $0["viewer"] == "v" && $0.number("repair_bps") > 0 }
      .map { row in
        let payload = row.number("estimate_bps") - row.number("voice_reserve_bps") - row.number("header_bps")
        return row.number("budget_bps") / payload
      }
    #expect(shares.contains { abs($0 - 0.5) < 1e-5 } && shares.allSatisfy { $0 > 0.5 - 1e-5 })
  }

  /// Repairs are deducted from a known capacity as well: an estimator that knows the capacity used to fill it with
  /// them, and nothing was ever decoded. 360p30 takes 500 of 1200 kbit/s, and 720p at its lowest frame rate more than
  /// the rest.
  @Test func repairsLeaveRoomOnADownlinkThatIsKnown() throws {
    let tables = try Meetings.run(
      Meetings.scenario(
        """
        name: repairs
        duration: 40s
        policy: bluejeans
        links: {narrow: {capacity: 1200 kbps, delay: 10 ms, queue: 300 ms, loss: 2 %}}
        participants:
          - {id: p, publish: {camera: {capture: 720p30, ladder: webrtc-vp8}}}
          - {id: v, down: narrow, capabilities: {receive-720p: true}, view: {request: [{quality: 720p30, priority: high}]}}
        """)
    ).tables
    let late = tables.stream(viewer: "v", source: "p").filter { $0.number("time_s") > 10 }
    #expect(
      late.allSatisfy { $0.number("frames_per_second") > 20 }, "\(late.map { $0["frames_per_second"] })")
  }

  /// Repairs are also deducted on an uplink that carries two encodings but not the repairs of either.
  @Test(arguments: ["janus", "mediasoup"])
  func repairsLeaveRoomOnAnUplinkThatIsKnown(policy: String) throws {
    let tables = try Meetings.run(
      Meetings.scenario(
        """
        name: repairs
        duration: 20s
        policy: \(policy)
        links: {weak: {capacity: 400 kbps, delay: 5 ms}}
        participants:
          - {id: p, up: weak, publish: {audio: false, camera: {capture: 720p30}}}
          - {id: v, view: {tiles: [{participant: p, size: 320x180}]}}
        """)
    ).tables
    let late = tables.stream(viewer: "v", source: "p").filter { $0.number("time_s") > 5 }
    #expect(
      late.allSatisfy { $0.number("frames_per_second") > 20 }, "\(late.map { $0["frames_per_second"] })")
  }
}
