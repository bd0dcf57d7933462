import Meeting
import Metrics
import Plan
import Quantity
import Scenario
import TestSupport
import Testing

private let names = [
  "one-to-one", "remote-education", "active-speaker", "two-equal-priorities", "agora-17-default-high",
  "speaker-changes", "weak-downlink-recovers", "uplink-limited-teacher", "picture-in-picture",
  "gallery-scroll", "custom-source-24fps", "lte-drive", "household",
]

@Suite("Invariants of all meetings")
struct MeetingInvariantTests {
  @Test(arguments: names)
  func theSameSeedGivesTheSameBytesAndAnotherOnlyOtherChance(name: String) throws {
    let scenario = try Meetings.shipped(name)
    let first = try Meetings.run(scenario, seed: 1).tables
    let again = try Meetings.run(scenario, seed: 1).tables
    let other = try Meetings.run(scenario, seed: 2).tables
    for table in ResultTable.allCases { #expect(first.text(of: table) == again.text(of: table)) }
    #expect(first.text(of: .streams) != other.text(of: .streams))
    // The time of a picture is random too.
    if scenario.plan.speech == .timelineOnly {
      let what = { (sink: MemorySink) in
        sink.rows(of: .events).filter { $0["event"] != "video-streams" }.map {
          "\($0["time_s"]) \($0["event"])"
        }
      }
      #expect(what(first) == what(other))
    }
  }

  @Test(arguments: names)
  func noLinkCarriesMoreThanItsCapacity(name: String) throws {
    let run = try Meetings.run(Meetings.shipped(name))
    var sums: [String: (capacity: Int, throughput: Int, last: Int)] = [:]
    let fractions = run.tables.rows(of: .links).map { $0.number("utilization_frac", ifEmpty: 0) }
    #expect(fractions.allSatisfy { 0...1 ~= $0 } && fractions.contains { $0 > 0 })
    for row in run.tables.rows(of: .links) {
      let link = row["link"]
      let capacity = row.integer("capacity_bps")
      let throughput = row.integer("throughput_bps")
      let before = sums[link] ?? (0, 0, capacity)
      // One packet may straddle the start of the interval; after a capacity change, arrivals were carried by the
      // capacity of one propagation delay earlier.
      if capacity == before.last { #expect(throughput <= capacity + 1500 * 8, "\(row)") }
      let sum = (before.capacity + capacity, before.throughput + throughput, capacity)
      #expect(sum.1 <= sum.0, "\(row)")
      sums[link] = sum
    }
  }

  @Test(
    arguments: names.filter {
      !$0.hasPrefix("gallery") && !$0.hasPrefix("picture") && $0 != "custom-source-24fps"
    })
  func nothingAboveTheRequestIsEverDecidedOrShown(name: String) throws {
    let run = try Meetings.run(Meetings.shipped(name))
    for row in run.tables.rows(of: .streams) {
      guard let asked = row.integerIfPresent("requested_height_px") else { continue }
      #expect(row.integer("target_height_px") <= asked, "\(row)")
    }
  }

  @Test func addingAParticipantChangesNobodyElsesFrames() throws {
    func text(_ further: String) -> String {
      """
      name: test
      duration: 6s
      participants:
        - {id: ann, publish: {camera: 360p30, audio: false}}
        - {id: viewer, view: {request: [{quality: 360p30, participant: ann}]}}
      \(further)
      """
    }
    let alone = try Meetings.run(Meetings.scenario(text(""))).tables
    let joined = try Meetings.run(
      Meetings.scenario(text("  - {id: bob, publish: {camera: 360p30, audio: false}}"))
    ).tables
    let rates = { (sink: MemorySink) in
      sink.stream(viewer: "viewer", source: "ann").map { $0["bitrate_bps"] }
    }
    #expect(rates(alone) == rates(joined))
  }

  /// With profiles that several use and a shared link, with loss, jitter and a discipline that draws.
  @Test func addingAParticipantChangesNobodyElsesDraws() throws {
    func text(_ shared: String, _ further: String) -> String {
      """
      name: test
      duration: 8s
      links:
        line: {capacity: 200 Mbps, delay: 20 ms, loss: 4 %, queue: {discipline: pie, limit: 300 ms}}
        wild: {capacity: 200 Mbps, delay: 10 ms, loss: {mean: 2 %, burst: 3}, jitter: 5 ms}
      shared-links: {house: {up: line, down: line}}
      participants:
        - {id: ann, up: wild, down: wild\(shared), publish: {camera: 360p30, audio: false}}
        - {id: viewer, view: {request: [{quality: 360p30, participant: ann}]}}
      \(further)
      """
    }
    for shared in ["", ", shared: house"] {
      let bob = """
          - {id: bob, up: wild, down: wild\(shared), publish: {camera: 360p30, audio: false}}
          - {id: other, view: {request: [{quality: 360p30, participant: bob}]}}
        """
      let (alone, joined) = (
        try Meetings.run(Meetings.scenario(text(shared, ""))).tables,
        try Meetings.run(Meetings.scenario(text(shared, bob))).tables
      )
      let received = { (sink: MemorySink) in
        sink.stream(viewer: "viewer", source: "ann").map { "\($0["bitrate_bps"]) \($0["packets_lost"])" }
      }
      #expect(received(alone) == received(joined), "\(shared)")
      #expect(joined.stream(viewer: "other", source: "bob").contains { $0.integer("packets_lost") > 0 })
      // The shared link lost packets of both.
      let lost = { (sink: MemorySink) in
        sink.rows(of: .links).filter { $0["link"] == "house/up" }.reduce(0) {
          $0 + $1.integer("packets_dropped")
        }
      }
      if !shared.isEmpty { #expect(lost(joined) > lost(alone) && lost(alone) > 0) }
    }
  }

  @Test func voicesAreForwardedForTheThreeLoudest() throws {
    let text = """
      name: test
      duration: 6s
      audio: {forward: 3}
      participants:
        - {id: talker, count: 5, publish: audio-only}
        - {id: listener, view: {everybody: 90p}}
      timeline:
        - {at: 1s, participant: talker-1, speaks: 4s}
        - {at: 1s, participant: talker-2, speaks: 4s}
        - {at: 1s, participant: talker-3, speaks: 4s}
        - {at: 1s, participant: talker-4, speaks: 4s}
      """
    for (forward, voices) in [("3", 3), ("all", 4), ("mixed", 1), ("1", 1)] {
      let run = try Meetings.run(
        Meetings.scenario(text, overrides: ["audio.forward=\(forward)"]))
      let rate = run.tables.rows(of: .participants).first {
        $0["participant"] == "listener" && $0["time_s"] == "3.000"
      }.flatMap { $0.numberIfPresent("audio_bitrate_bps") }
      // 58.4 kbps per voice, and with 'all' the comfort noise of the silent one.
      #expect(abs((rate ?? 0) - Double(voices) * 58_400) < 3_000, "\(forward)")
    }
  }

  @Test func aLossyLinkRecoversThroughKeyFrames() throws {
    let text = """
      name: test
      duration: 30s
      links: {lossy: {capacity: 10 Mbps, delay: 20 ms, loss: 1 %}}
      participants:
        - {id: far, publish: {camera: 720p30}}
        - {id: near, up: lossy, down: lossy, capabilities: {receive-720p: true}, view: {request: [{quality: 720p30, priority: high}]}}
      """
    let run = try Meetings.run(Meetings.scenario(text))
    let rows = run.tables.stream(viewer: "near", source: "far")
    #expect(rows.dropFirst(4).allSatisfy { $0.number("frames_per_second") > 3 })
    #expect(rows.contains { $0.integer("packets_lost") > 0 })
  }
}
