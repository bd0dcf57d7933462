import Metrics
import Quantity
import TestSupport
import Testing

/// An end acts only on what has reached it: while a link is down, nothing at the other end has an effect.
@Suite("Signalled state")
struct SignalledStateTests {
  /// Ann publishes to Ben over links of 50 ms; one of four links is down from 9 to 15 s.
  ///
  /// - Returns: the tables at intervals of 100 ms.
  private func run(
    _ policy: String, down link: String, at10s entry: String?, tile: String = "1280x720", others: String = ""
  ) throws -> MemorySink {
    let isBlueJeans = policy.contains("bluejeans")
    let view =
      isBlueJeans
      ? "request: [{quality: 720p30, participant: ann}, {quality: 360p30, participant: eve}]"
      : "tiles: {ann: \(tile), eve: 320x180}"
    let path = "up: {capacity: 20 Mbps, delay: 50 ms}, down: {capacity: 20 Mbps, delay: 50 ms}"
    return try Meetings.run(
      Meetings.scenario(
        """
        name: signalled-state
        duration: 26s
        policy: \(policy)
        participants:
          - {id: ann, \(path), publish: {camera: 720p30}}
          - {id: eve, \(path), publish: {camera: 720p30}\(others)}
          - {id: ben, \(path), view: {\(view)}, capabilities: {receive-720p: true}}
        timeline:
          - {at: 9s, link: \(link), down: 6s}
        \(entry.map { "  - {at: 10.013s, \($0)}" } ?? "")
        """),
      interval: .milliseconds(100)
    ).tables
  }

  /// Returns the times [s] from 10 s on at which decisions on Ben's tiles changed.
  private func decisions(_ tables: MemorySink, on source: String? = nil) -> [Double] {
    tables.rows(of: .decisions).filter {
      $0["viewer"] == "ben" && (source == nil || $0["source"] == source) && $0.number("time_s") > 10
        && $0["given"] != $0["previous"]
    }.map { $0.number("time_s") }
  }

  @Test(arguments: RandomMeeting.allPolicies)
  func theServerDecidesOnceTheSubscriptionsHaveArrived(policy: String) throws {
    let action = "participant: ben, mute-remote: true"
    let free = decisions(try run(policy, down: "eve/up", at10s: action), on: "ann")
    #expect(free.first.map { $0 < 12 } == true, "\(policy): \(free)")
    let late = decisions(try run(policy, down: "ben/up", at10s: action), on: "ann")
    // A message waits for the end of the outage, and takes the delay of the uplink.
    #expect(late.first.map { $0 >= 15.05 } == true, "\(policy): \(late)")
  }

  @Test(arguments: RandomMeeting.allPolicies)
  func theServerDecidesOnceTheEndOfASourceHasArrived(policy: String) throws {
    func decisions(_ entry: String?) throws -> [String] {
      try run(policy, down: "ann/up", at10s: entry).rows(of: .decisions).filter {
        $0["source"] == "ann" && $0.number("time_s") < 15.05
      }.map { "\($0["time_s"]) \($0["given"]) \($0["budget_bps"])" }
    }
    // Until then it notices that nothing arrives, as it would with a camera that is on.
    #expect(try decisions("participant: ann, mute: video") == decisions(nil))
  }

  @Test(arguments: RandomMeeting.allPolicies)
  func aClientDrawsThoseOfWhomItHasHeard(policy: String) throws {
    for (entry, others) in [
      ("participant: eve, join: true", ", join: 25s"), ("participant: ann, leave: true", ""),
    ] {
      func changes(_ link: String) throws -> [Double] {
        try run(policy, down: link, at10s: entry, others: others).rows(of: .layout).filter {
          $0["viewer"] == "ben" && $0.number("time_s") > 10
        }.map { $0.number("time_s") }
      }
      let free = try changes("ben/up")
      let late = try changes("ben/down")
      #expect(free.first.map { $0 < 12 } == true, "\(policy), \(entry): \(free)")
      #expect(late.first.map { $0 >= 15.05 } == true, "\(policy), \(entry): \(late)")
    }
  }

  /// A larger picture needs a key frame, and in most systems an encoding that was off: both are requested from the
  /// publisher.
  @Test(arguments: RandomMeeting.allPolicies.filter { !$0.contains("bluejeans") })
  func aPublisherSendsWhatItHasHeardOf(policy: String) throws {
    let entry =
      policy.contains("vonage")
      ? "participant: ben, preferred: {participant: ann, size: 1280x720}"
      : "participant: ben, resize: {participant: ann, to: 1280x720}"
    func heights(_ link: String) throws -> [(time: Double, height: Int)] {
      try run(policy, down: link, at10s: entry, tile: "160x90").stream(viewer: "ben", source: "ann")
        .compactMap {
          row in row.integerIfPresent("frame_height_px").map { (row.number("time_s"), $0) }
        }
    }
    let late = try heights("ann/down")
    let before = late.filter { $0.time > 9 && $0.time <= 10 }.map(\.height).max() ?? 0
    let during = late.filter { $0.time > 10 && $0.time <= 15 }.map(\.height).max() ?? 0
    #expect(during <= before, "\(policy): \(before) lines, then \(during)")
  }
}
