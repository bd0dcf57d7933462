import Meeting
import Metrics
import Quantity
import Scenario
import TestSupport
import Testing

/// Composition of a publisher's traffic.
@Suite("Publishers' traffic")
struct SenderTrafficTests {
  private func bitrates(_ tables: MemorySink, _ viewer: String) -> [Double] {
    tables.stream(viewer: viewer, source: "ann").compactMap { row in
      row.number("time_s") > 4 ? row.numberIfPresent("bitrate_bps") : nil
    }
  }

  /// Both show the same picture: more to code for one is more for the other. Over 400 ms, three rounds of the temporal
  /// pattern.
  @Test func theEncodingsOfASourceVaryTogether() throws {
    let run = try Meetings.run(
      Meetings.scenario(
        """
        name: encodings
        duration: 60s
        policy: janus
        links:
          # No frame arrives across the edge of an interval.
          late: {capacity: 100 Mbps, delay: 20 ms}
        participants:
          - {id: ann, up: late, publish: {camera: {capture: 720p30, ladder: webrtc-vp8, content: rich}, audio: false}}
          - {id: bob, view: {request: [{quality: 180p30, priority: high, participant: ann}]}}
          - {id: eve, view: {request: [{quality: 360p30, priority: high, participant: ann}]}}
        """), interval: .milliseconds(400))
    let (low, middle) = (bitrates(run.tables, "bob"), bitrates(run.tables, "eve"))
    #expect(low.count > 130 && low.count == middle.count)
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    func product(_ a: [Double], _ b: [Double]) -> Double {
      zip(a, b).reduce(0) { $0 + ($1.0 - mean(a)) * ($1.1 - mean(b)) }
    }
    let correlation = product(low, middle) / (product(low, low) * product(middle, middle)).squareRoot()
    #expect(correlation > 0.8, "\(correlation)")
  }

  /// 2.5 Mbps of frames, the maximum at 720p, are 10.4 kB each: 9 packets with 68 bytes of headers, 147 kbps. Overshoot
  /// is not deducted from the frames while the link has room.
  @Test func aSingleEncodingUsesItsMaximumWhereTheLinkHasRoom() throws {
    let run = try Meetings.run(
      Meetings.scenario(
        """
        name: single
        duration: 60s
        policy: janus
        participants:
          - {id: ann, publish: {camera: {capture: 720p30, ladder: single, content: rich}, audio: false}}
          - {id: bob, view: {request: [{quality: 720p30, priority: high, participant: ann}]}}
        """))
    let rates = bitrates(run.tables, "bob").suffix(15)
    let mean = rates.reduce(0, +) / Double(rates.count)
    #expect(abs(mean / 2_647_000 - 1) < 0.02, "\(mean)")
  }

  private func voice(_ keys: String, capacity: String) throws -> LoadedScenario {
    try Meetings.scenario(
      """
      name: voice
      duration: 30s
      policy: janus
      estimator: gcc
      \(keys)
      links: {narrow: {capacity: \(capacity), delay: 10 ms}}
      participants:
        - {id: ann, up: narrow, publish: {camera: {capture: 720p30, ladder: single, content: rich}}}
        - {id: bob, view: {request: [{quality: 720p30, priority: high, participant: ann}]}}
      timeline: [{at: 0s, participant: ann, speaks: 30s}]
      """)
  }

  /// 50 packets a second for 30 s are sent over the link without numbers.
  @Test func voicesWithoutFeedbackAreNotNumbered() throws {
    for (keys, unnumbered) in [("", 0), ("audio: {transport-cc: false}", 1500)] as [(String, Int64)] {
      let ledger = MeetingLedger(of: try voice(keys, capacity: "2 Mbps").plan, seed: 2)
      let way = try #require(ledger.ways.first { $0.participant == "ann" && $0.isUp })
      #expect(abs(way.offered - way.mediaSent - way.controlSent - unnumbered) <= 1, "\(keys) \(way)")
    }
  }

  /// The video gets the whole estimate, which the voice then overloads: it settles lower by about the voice's rate.
  @Test func voicesWithoutFeedbackTakeFromTheEstimate() throws {
    func estimate(_ keys: String) throws -> Double {
      let rows = try Meetings.run(voice(keys, capacity: "600 kbps")).tables.rows(of: .participants)
      let own = rows.filter { $0["participant"] == "ann" && $0.number("time_s") > 10 }
      return own.reduce(0) { $0 + $1.number("up_estimate_bps") } / Double(max(own.count, 1))
    }
    let difference = try estimate("") - estimate("audio: {transport-cc: false}")
    #expect((25_000...110_000).contains(difference), "\(difference)")
  }
}
