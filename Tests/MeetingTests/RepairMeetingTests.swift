import Meeting
import Scenario
import TestSupport
import Testing

/// Requests for packets that were lost on a viewer's way down, 300 ms away.
@Suite("Asking for missing packets")
struct RepairMeetingTests {
  /// RTCP of bob, who watches ann.
  private func control(loss: String, publish: String) throws -> Int64 {
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
    let ways = MeetingLedger(of: loaded.plan, seed: 5).ways
    return try #require(ways.first { $0.participant == "bob" && $0.isUp }).controlSent
  }

  @Test func whoOnlyWatchesKnowsNoRoundTripAndAsksEvery100Milliseconds() throws {
    func requests(_ publish: String) throws -> Int64 {
      try control(loss: "10 %", publish: publish) - control(loss: "0 %", publish: publish)
    }
    let watching = try requests("")
    let publishing = try requests("publish: {camera: 360p30}, ")
    // A packet comes 300 ms after it was asked for: after three requests, or after one.
    #expect(publishing > 200)
    #expect(watching > 2 * publishing, "\(watching) and \(publishing)")
  }
}
