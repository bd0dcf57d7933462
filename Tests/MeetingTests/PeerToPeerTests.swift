import Meeting
import Metrics
import Plan
import Quantity
import Scenario
import TestSupport
import Testing

/// A call of two that goes peer to peer, and to the server when a third joins.
@Suite("Peer to peer")
struct PeerToPeerTests {
  private static let systems = ["jitsi", "stream"]

  private func run(
    policy: String = "jitsi", timeline: String = "[]", links: [String: String] = [:],
    estimator: String = "gcc",
    cem: String = "10.3s", ann: String = "", parameters: String = "", tile: String = "1280x720",
    duration: Int = 30,
    interval: SimDuration = .seconds(1)
  ) throws -> MemorySink {
    func link(_ name: String, _ delay: Int) -> String {
      "  \(name): {capacity: 10 Mbps, delay: \(delay) ms, \(links[name] ?? "queue: 200 ms")}"
    }
    return try Meetings.run(
      Meetings.scenario(
        """
        name: peers
        duration: \(duration)s
        policy: {name: \(policy), peer-to-peer: true\(parameters)}
        estimator: \(estimator)
        links:
        \(link("ann-up", 10))
        \(link("ann-down", 20))
        \(link("bob-up", 30))
        \(link("bob-down", 40))
          cem: {capacity: 10 Mbps, delay: 5 ms}
        participants:
          - {id: ann, up: ann-up, down: ann-down, publish: {camera: 720p30}, view: {everybody: 1280x720}\(ann)}
          - {id: bob, up: bob-up, down: bob-down, publish: {camera: 720p30}, view: {everybody: \(tile)}}
          - {id: cem, join: \(cem), up: cem, down: cem, publish: {camera: 720p30}, view: {everybody: 640x360}}
        timeline: \(timeline)
        """), interval: interval
    ).tables
  }

  /// Returns the changes as `time participant value`.
  private func changes(_ tables: MemorySink) -> [String] {
    tables.rows(of: .events).filter { $0["event"] == "peer-to-peer" }.map {
      "\($0["time_s"]) \($0["participant"]) \($0["detail"])"
    }
  }

  private func rows(_ tables: MemorySink, _ table: ResultTable, from: Double, to: Double) -> [Row] {
    tables.rows(of: table).filter { $0.number("time_s") > from && $0.number("time_s") <= to }
  }

  /// Returns the frames per second of a tile in a span of time.
  private func frames(
    _ tables: MemorySink, _ viewer: String, _ source: String, from: Double, to: Double
  ) -> [Double] {
    tables.stream(viewer: viewer, source: source).filter {
      $0.number("time_s") > from && $0.number("time_s") <= to
    }.map { $0.number("frames_per_second") }
  }

  /// The server knows of both at 30 ms; 120 ms of messages and three round trips of 100 ms later they are connected. The
  /// third is known at 10.305 s, its leaving at 20.005 s: the news takes 20 ms to `ann` and 40 ms to `bob`, and 5 s after
  /// the leaving they connect again.
  @Test(arguments: Self.systems)
  func mediaMovesWithTheThird(policy: String) throws {
    let tables = try run(policy: policy, timeline: "[{at: 20s, participant: cem, leave: true}]")
    #expect(
      changes(tables) == [
        "0.450 ann true", "0.450 bob true", "10.325 ann false", "10.345 bob false", "25.425 ann true",
        "25.425 bob true",
      ])
  }

  @Test(arguments: Self.systems)
  func theDelayOfTheReturnIsAParameter(policy: String) throws {
    let tables = try run(
      policy: policy, timeline: "[{at: 20s, participant: cem, leave: true}]",
      parameters: ", back-to-peer-to-peer-delay: 2s")
    #expect(changes(tables).last == "22.425 bob true")
  }

  /// Between two, one encoding of each is sent; with a third, those up to the highest that anybody requests, or those
  /// alone that somebody requests.
  @Test(arguments: [("jitsi", ["q", "h", "f"]), ("stream", ["h", "f"])])
  func oneEncodingIsSent(policy: String, withAThird: [String]) throws {
    let tables = try run(policy: policy)
    func layers(from: Double, to: Double) -> Set<String> {
      Set(
        rows(tables, .sent, from: from, to: to).filter {
          $0["source"] == "ann" && $0.integer("key_frames_encoded") + Int($0.number("frames_per_second")) > 0
        }
        .map { $0["layer"] })
    }
    #expect(layers(from: 2, to: 10) == ["f"])
    #expect(layers(from: 12, to: 30) == Set(withAThird))
  }

  /// A tile of 180 lines asks for the lowest encoding, which is sent alone.
  @Test(arguments: Self.systems)
  func theEncodingIsThatOfTheTile(policy: String) throws {
    let sent = rows(try run(policy: policy, tile: "320x180"), .sent, from: 2, to: 10).filter {
      $0["source"] == "ann" && $0.number("frames_per_second") > 0
    }
    #expect(Set(sent.map { $0["layer"] }) == ["q"])
  }

  /// With known capacities, `ann` sends at the 1 Mbps of `bob`'s downlink, and `bob` at the 2 Mbps of his uplink.
  @Test func theNarrowestLinkOfBothCounts() throws {
    let timeline =
      "[{at: 100 ms, link: bob/down, capacity: 1 Mbps}, {at: 100 ms, link: bob/up, capacity: 2 Mbps}]"
    let tables = try run(timeline: timeline, estimator: "oracle")
    let late = rows(tables, .participants, from: 4, to: 10)
    #expect(
      Set(late.filter { $0["participant"] == "ann" }.map { $0.integer("up_estimate_bps") }) == [1_000_000])
    #expect(
      Set(late.filter { $0["participant"] == "bob" }.map { $0.integer("up_estimate_bps") }) == [2_000_000])
    // The downlink's estimate is that of the sender which fills it.
    #expect(
      Set(late.filter { $0["participant"] == "bob" }.map { $0.integer("down_estimate_bps") }) == [1_000_000])
  }

  /// The narrower end of the way limits the tile, once the sender is no longer starting.
  @Test(arguments: [("bob/down", "bandwidth"), ("ann/up", "sender-uplink")])
  func theNarrowEndLimitsTheTile(link: String, word: String) throws {
    let tables = try run(
      timeline: "[{at: 100 ms, link: \(link), capacity: 1 Mbps}]", estimator: "oracle", cem: "19s",
      duration: 20)
    let words = tables.stream(viewer: "bob", source: "ann").filter { (12...18).contains($0.number("time_s")) }
    #expect(words.allSatisfy { $0["limitation"] == word }, "\(words)")
  }

  /// `gcc` finds the narrow downlink over the whole path, without losing packets for good.
  @Test(arguments: Self.systems)
  func congestionControlIsEndToEnd(policy: String) throws {
    let tables = try run(
      policy: policy, timeline: "[{at: 100 ms, link: bob/down, capacity: 1 Mbps}]", cem: "29s")
    let late = rows(tables, .participants, from: 15, to: 28).filter { $0["participant"] == "ann" }
    let estimates = late.map { $0.number("up_estimate_bps") }
    #expect(estimates.allSatisfy { (0.4e6...1.25e6).contains($0) }, "\(estimates)")
    #expect(frames(tables, "bob", "ann", from: 15, to: 28).allSatisfy { $0 > 20 })
  }

  /// What the viewer's downlink loses the publisher repairs; with a server in between it would never hear of it.
  @Test(arguments: Self.systems)
  func repairsAreEndToEnd(policy: String) throws {
    let tables = try run(policy: policy, links: ["bob-down": "loss: 5 %"], cem: "19s")
    func sum(_ table: ResultTable, _ column: String, from: Double, to: Double) -> Int {
      rows(tables, table, from: from, to: to).filter { $0["source"] == "ann" }
        .reduce(0) { $0 + $1.integer(column, ifEmpty: 0) }
    }
    let asked = sum(.streams, "nack_count", from: 2, to: 18)
    let heard = sum(.sent, "nack_count", from: 2, to: 18)
    #expect(asked > 10 && abs(asked - heard) <= 3, "\(asked) \(heard)")
    // Each packet that bob misses comes again; a request that is repeated within a round trip is not answered.
    let again = sum(.sent, "retransmitted_packets_sent", from: 2, to: 18)
    let lost = sum(.streams, "packets_lost", from: 2, to: 18)
    #expect(lost > 10 && again >= lost, "\(lost) \(again)")
    #expect(sum(.sent, "nack_count", from: 21, to: 30) == 0)
    #expect(frames(tables, "bob", "ann", from: 3, to: 10).allSatisfy { $0 > 20 })
  }

  /// In the worst case the server asks for another key frame: the news of the third (20 ms), a frame (34), the uplink
  /// (10), the request (20), which is answered 300 ms after the last one at the earliest, a frame (34), and the way to
  /// the viewer (50) take less than half a second, in which the old picture stands.
  @Test(arguments: Self.systems)
  func theBreakEndsWithAKeyFrame(policy: String) throws {
    let tables = try run(
      policy: policy, timeline: "[{at: 20s, participant: cem, leave: true}]", interval: .milliseconds(50))
    for (viewer, source) in [("bob", "ann"), ("ann", "bob")] {
      for change in [10.3, 25.4] {
        let course = tables.stream(viewer: viewer, source: source).filter {
          (change - 0.1...change + 1.5).contains($0.number("time_s"))
        }
        var longest = 0
        var dark = 0
        for row in course {
          dark = row.number("frames_per_second") > 0 ? 0 : dark + 1
          longest = max(longest, dark)
        }
        #expect((1...10).contains(longest), "\(viewer) \(change): \(longest) of 50 ms")
        #expect(course.contains { $0.integer("key_frames_decoded", ifEmpty: 0) > 0 })
        #expect(course.last.map { $0.number("frames_per_second") > 0 } ?? false)
      }
    }
    #expect(!frames(tables, "cem", "ann", from: 11.5, to: 20).contains(0))
    #expect(!frames(tables, "cem", "bob", from: 11.5, to: 20).contains(0))
  }

  /// Voices go on over either way, with at most a gap at each change.
  @Test(arguments: Self.systems)
  func voicesChangeToo(policy: String) throws {
    let tables = try run(
      policy: policy,
      timeline: "[{at: 1s, participant: ann, speaks: 28s}, {at: 20s, participant: cem, leave: true}]")
    let heard = tables.rows(of: .audio).filter { $0["viewer"] == "bob" && $0["source"] == "ann" }
    #expect(heard.filter { $0.number("time_s") > 1 }.count >= 28)
    // 50 packets of speech a second; a change costs what is in flight, 50 ms, and the wait for the connection.
    let lost = heard.filter { $0.number("time_s") > 2 && $0.number("time_s") < 29 }.map {
      50 - $0.integer("packets_received")
    }
    #expect(lost.allSatisfy { $0 <= 8 } && lost.reduce(0, +) <= 16, "\(lost)")
  }

  /// Whoever leaves and returns is connected anew: the server hears of the return at 12.26 s.
  @Test(arguments: Self.systems)
  func aReturnConnectsAnew(policy: String) throws {
    let tables = try run(
      policy: policy,
      timeline: "[{at: 12s, participant: ann, leave: true}, {at: 12250 ms, participant: ann, join: true}]",
      cem: "29s")
    #expect(
      changes(tables).prefix(5) == [
        "0.450 ann true", "0.450 bob true", "12.050 bob false", "12.680 ann true", "12.680 bob true",
      ])
    #expect(frames(tables, "bob", "ann", from: 14, to: 28).allSatisfy { $0 > 24 })
    #expect(frames(tables, "ann", "bob", from: 14, to: 28).allSatisfy { $0 > 24 })
  }

  /// `ann` leaves, and `cem` comes at 13 s: known at 13.005 s, connected to `bob` after 120 ms of messages and three
  /// round trips of 80 ms.
  @Test func anotherMayCome() throws {
    let tables = try run(timeline: "[{at: 12s, participant: ann, leave: true}]", cem: "13s")
    #expect(changes(tables).suffix(3) == ["12.050 bob false", "13.365 bob true", "13.365 cem true"])
    #expect(frames(tables, "cem", "bob", from: 15, to: 30).allSatisfy { $0 > 24 })
    #expect(frames(tables, "bob", "cem", from: 15, to: 30).allSatisfy { $0 > 24 })
  }

  @Test func aLinkThatGoesDownFreezesThePicture() throws {
    let tables = try run(timeline: "[{at: 5s, link: bob/down, down: 1500 ms}]", cem: "29s")
    #expect(changes(tables).count == 2 + 2)
    #expect(
      frames(tables, "bob", "ann", from: 5, to: 6) == [0]
        || frames(tables, "bob", "ann", from: 5, to: 6)[0] < 5)
    #expect(frames(tables, "bob", "ann", from: 10, to: 28).allSatisfy { $0 > 20 })
  }

  /// Over TCP there is no way to a peer, so the media stays with the server.
  @Test(arguments: Self.systems)
  func mediaOverTCPStaysWithTheServer(policy: String) throws {
    let tables = try run(policy: policy, ann: ", transport: tcp")
    #expect(changes(tables).isEmpty)
    #expect(frames(tables, "bob", "ann", from: 2, to: 28).allSatisfy { $0 > 20 })
  }

  @Test func withoutTheKeyNothingMoves() throws {
    let plain = try Meetings.scenario(
      """
      name: plain
      duration: 5s
      policy: jitsi
      participants: [{id: a, publish: {camera: 360p30}}, {id: b, view: {tiles: {a: 640x360}}}]
      """)
    #expect(plain.plan.connectionCount == 2)
    #expect(try Meetings.run(plain).tables.rows(of: .events).allSatisfy { $0["event"] != "peer-to-peer" })
  }

  /// Nothing is forwarded by the server meanwhile, and its downlinks carry one copy of what the uplinks carry.
  @Test(arguments: Self.systems)
  func eachPacketCrossesEachLinkOnce(policy: String) throws {
    let tables = try run(policy: policy, cem: "29s")
    let late = rows(tables, .participants, from: 5, to: 28)
    let ann = late.filter { $0["participant"] == "ann" }.map { $0.integer("up_bitrate_bps") }
    let bob = late.filter { $0["participant"] == "bob" }.map { $0.integer("down_bitrate_bps") }
    #expect(ann == bob && ann.allSatisfy { $0 > 100_000 })
  }
}
