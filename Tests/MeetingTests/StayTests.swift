import Metrics
import Quantity
import TestSupport
import Testing

/// A participant who leaves and returns is a new one: whatever is still in flight from an earlier stay, be it a
/// message, a timer or a packet, has no effect on the next one.
@Suite("Stays")
struct StayTests {
  /// The network between the leaving participant and the SFU.
  enum Network: String, CaseIterable {
    case slow = "{capacity: 3 Mbps, delay: 400 ms}"
    case narrow = "{capacity: 51 kbps, delay: 200 ms, queue: 2 s}"
    case lossy = "{capacity: 3 Mbps, delay: 150 ms, loss: 30 %}"
    case broken = "{capacity: 3 Mbps, delay: 200 ms, jitter: 40 ms}"
  }

  /// 1 ms to 5 s, none a multiple of any of the program's periods.
  static let gaps = [1_000, 37_113, 230_041, 999_983, 5_000_003].map(SimDuration.microseconds)
  static let leftAt = SimDuration.microseconds(5_123_457)

  /// Ann publishes to Bob; one of them joins at 1 s, leaves at 5.123457 s and is back after a gap.
  private func run(
    _ policy: String, _ who: String, over network: Network, gap: SimDuration, estimator: String = "oracle"
  ) throws -> MemorySink {
    let last = "up: last, down: last, join: 1s"
    let open = "up: open, down: open"
    let view =
      policy.contains("bluejeans")
      ? "request: [{quality: 360p30, participant: ann}]" : "tiles: {ann: 640x360}"
    let outage = network == .broken ? "- {at: 5.1s, link: \(who)/up, down: 800 ms}" : ""
    return try Meetings.run(
      Meetings.scenario(
        """
        name: stays
        duration: 14s
        policy: \(policy)
        estimator: \(estimator)
        links: {last: \(network.rawValue), open: {capacity: 20 Mbps, delay: 10 ms}}
        participants:
          - {id: ann, \(who == "ann" ? last : open), publish: {camera: 360p30, audio: true}}
          - {id: bob, \(who == "bob" ? last : open), publish: audio-only, view: {\(view)}}
        timeline:
          - {at: \(Self.leftAt), participant: \(who), leave: true}
          - {at: \(Self.leftAt + gap), participant: \(who), join: true}
          \(outage)
        """),
      interval: .milliseconds(50)
    ).tables
  }

  /// Returns the frame rates that Bob is shown from one time to another.
  private func frameRates(_ tables: MemorySink, from: Double, to: Double) -> [Double] {
    tables.stream(viewer: "bob", source: "ann").filter {
      let time = $0.number("time_s")
      return time > from && time <= to
    }.map { $0.numberIfPresent("frames_per_second") ?? 0 }
  }

  /// Returns the time until the first picture [s], counted from a time before which none can have arrived.
  private func firstPicture(_ tables: MemorySink, after start: Double) -> Double? {
    tables.stream(viewer: "bob", source: "ann").first {
      $0.number("time_s") > start && ($0.numberIfPresent("frames_per_second") ?? 0) > 0
    }.map { $0.number("time_s") - start }
  }

  @Test(arguments: RandomMeeting.allPolicies, Network.allCases)
  func everySystemOutlivesStaysThatOverlapOnTheWay(policy: String, network: Network) throws {
    for (number, gap) in Self.gaps.enumerated() {
      for who in ["ann", "bob"] {
        let estimator = RandomMeeting.estimators[number % RandomMeeting.estimators.count]
        let tables = try run(policy, who, over: network, gap: gap, estimator: estimator)
        let joins = tables.rows(of: .events).filter {
          $0["participant"] == who && $0["event"] == "join"
        }
        #expect(joins.count == 2, "\(policy) \(who) \(gap)")
        guard network == .slow else { continue }
        #expect(frameRates(tables, from: 13, to: 14).contains { $0 > 0 }, "\(policy) \(who) \(gap)")
      }
    }
  }

  /// 400 ms away: whatever the SFU still hears from the last stay, a viewer waits for its picture as at first.
  @Test(arguments: RandomMeeting.allPolicies.filter { $0 != "gso" })
  func aViewerWaitsAsLongAsAtFirst(policy: String) throws {
    for gap in Self.gaps {
      let tables = try run(policy, "bob", over: .slow, gap: gap)
      let first = try #require(firstPicture(tables, after: 1.4)) + 0.4
      let back = (Self.leftAt + gap).seconds
      let again = try #require(firstPicture(tables, after: back + 0.4)) + 0.4
      #expect(abs(again - first) < 0.11, "\(policy): \(first) s, after \(gap) \(again) s")
    }
  }

  /// The packets that Ann sent before leaving are in flight for 400 ms, and so are those of the next stay: none of the
  /// former are shown once she is back.
  @Test(arguments: RandomMeeting.allPolicies)
  func noPacketOfTheLastStayIsShownInTheNext(policy: String) throws {
    let tables = try run(policy, "ann", over: .slow, gap: Self.gaps[0])
    #expect(frameRates(tables, from: 4, to: 5).contains { $0 > 0 }, "\(policy)")
    let rates = frameRates(tables, from: 5.25, to: 5.5)
    #expect(rates.count == 5 && rates.allSatisfy { $0 == 0 }, "\(policy): \(rates)")
  }
}
