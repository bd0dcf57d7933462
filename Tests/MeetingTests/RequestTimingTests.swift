import Meeting
import Metrics
import TestSupport
import Testing

/// Arrival of a client's request at the SFU: after its reaction time, and the 5 ms of its uplink.
@Suite("A request takes effect once it has reached the SFU")
struct RequestTimingTests {
  /// Returns the times at which a source's grant starts, changes or ends.
  private func changes(_ run: MemorySink, _ source: String) -> [String] {
    run.rows(of: .decisions).filter { $0["source"] == source && $0["given"] != $0["previous"] }.map {
      $0["time_s"]
    }
  }

  private func run(_ policy: String, _ timeline: String) throws -> MemorySink {
    try Meetings.run(
      Meetings.scenario(
        """
        name: test
        duration: 16s
        policy: \(policy)
        participants:
          - {id: ann, publish: {camera: 720p30, audio: false}}
          - {id: bob, publish: {camera: 720p30, audio: false}}
          - id: v
            capabilities: {receive-720p: true}
            down: {capacity: 4 Mbps, delay: 20 ms}
            view: {request: [{quality: 720p30, priority: high, participant: ann}]}
        timeline: [\(timeline)]
        """)
    ).tables
  }

  private let other = "request: [{quality: 720p30, priority: high, participant: bob}]"

  /// The client reacts after 3 s; the link falls 1 s after the call, and the SFU acts on that at its next check.
  @Test func aReallocationActsOnTheRequestBefore() throws {
    let run = try run(
      "{name: bluejeans, reaction-delay: 3s, ramp-time: 0s}",
      "{at: 10s, participant: v, \(other)}, {at: 11s, link: v/down, capacity: 600 kbps}")
    let ann = changes(run, "ann")
    #expect(ann.count == 3 && (11...11.4).contains(Double(ann[1]) ?? 0) && ann[2] == "13.005", "\(ann)")
    #expect(changes(run, "bob").first == "13.005")
  }

  /// A stream ramps up for 2 s; a request during that time takes effect 305 ms after the call, not at the end of the
  /// ramp-up.
  @Test func aRequestDuringARampUpIsHeardInTime() throws {
    let run = try run("bluejeans", "{at: 5s, participant: v, \(other)}, {at: 5.6s, participant: v, \(both)}")
    #expect(changes(run, "bob").prefix(2) == ["5.305", "5.905"])
    // It starts at 180p, and is large 2 s later.
    #expect(changes(run, "ann").suffix(2) == ["5.905", "7.905"])
  }

  private let both =
    "request: [{quality: 720p30, priority: high, participant: ann}, "
    + "{quality: 90p7, priority: low, participant: bob}]"

  /// Two streams that start 600 ms apart each ramp up on their own schedule.
  @Test func everyRampUpEndsInItsOwnTime() throws {
    let two =
      "request: [{quality: 360p30, priority: high, participant: ann}, "
      + "{quality: 360p30, priority: high, participant: bob}]"
    let run = try run("{name: bluejeans, receive-cap: none}", "{at: 0.6s, participant: v, \(two)}")
    // It learns of them after 25 ms of link delay, and its request takes 5 ms.
    #expect(changes(run, "ann") == ["0.330", "2.330"])
    #expect(changes(run, "bob") == ["0.905", "2.905"])
  }
}
