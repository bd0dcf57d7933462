import Meeting
import Metrics
import Quantity
import Scenario
import TestSupport
import Testing

/// Interval tables at the edges: of a run, of a capacity and of a participant's stay.
@Suite("Intervals")
struct IntervalMeetingTests {
  private func meeting(_ duration: String, _ further: String = "") -> String {
    """
    name: test
    duration: \(duration)
    links:
      fast: {capacity: 20 Mbps, delay: 10 ms}
      far: {capacity: [{at: 0s, to: 4 Mbps}, {at: 6s, to: 200 kbps}, {at: 8s, to: 4 Mbps}], delay: 400 ms, queue: 1s}
    participants:
      - {id: ann, up: fast, down: fast, publish: {camera: 720p30}}
      - id: bob
        up: fast
        down: far
        capabilities: {receive-720p: true}
        view: {request: [{quality: 720p30, participant: ann}]}
    \(further)
    """
  }

  @Test func theRestOfADurationHasItsRow() throws {
    let run = try Meetings.run(Meetings.scenario(meeting("10.5s")), interval: .seconds(1)).tables
    let whole = try Meetings.run(Meetings.scenario(meeting("11s")), interval: .milliseconds(500)).tables
    for (table, key, name) in [
      (ResultTable.links, "link", "bob/down"), (.participants, "participant", "bob"),
      (.streams, "viewer", "bob"),
    ] {
      let rows = run.rows(of: table).filter { $0[key] == name }
      #expect(rows.map { $0.number("time_s") } == (1...10).map(Double.init) + [10.5])
      // A row for half a second, equal to that of an interval of half a second.
      let last = try #require(rows.last)
      let same = try #require(whole.rows(of: table).first { $0[key] == name && $0["time_s"] == "10.500" })
      for column in table.columns.map(\.name) where column.hasSuffix("_bps") || column == "frames_per_second"
      {
        #expect(last[column] == same[column], "\(column)")
      }
    }
    let short = try Meetings.run(Meetings.scenario(meeting("300ms")), interval: .seconds(1)).tables
    #expect(short.rows(of: .links).map { $0["time_s"] } == Array(repeating: "0.300", count: 4))
  }

  /// Means over the time on the screen: the last half second has half the weight, and the first second counts from the
  /// moment at which bob, 800 ms there and back from the SFU, has heard of ann.
  @Test func aShortIntervalCountsByItsLength() throws {
    let run = try Meetings.run(Meetings.scenario(meeting("10.5s")), interval: .seconds(1)).tables
    let rows = run.stream(viewer: "bob", source: "ann")
    func sum(_ column: String) -> Double {
      rows.reduce(0) { $0 + $1.number(column) * ($1["time_s"] == "10.500" ? 0.5 : 1) }
    }
    let appeared = try #require(
      run.rows(of: .layout).first { $0["viewer"] == "bob" && $0["source"] == "ann" }
    ).number("time_s")
    #expect(appeared > 0.4 && appeared < 1)
    for (metric, column) in [("bitrate", "bitrate_bps"), ("frames_per_second", "frames_per_second")] {
      let scalar = try #require(
        run.rows(of: .scalars).first {
          $0["scope"] == "tile" && $0["metric"] == metric && $0["viewer"] == "bob"
        })
      #expect(abs(scalar.number("value") / (sum(column) / (10.5 - appeared)) - 1) < 2e-3, "\(metric)")
    }
  }

  /// In the second after the drop, 400 ms of packets arrive that were sent at 4 Mbps: they used the earlier capacity.
  @Test(arguments: RandomMeeting.estimators)
  func throughputIsComparedWithTheCapacityThatItMet(estimator: String) throws {
    let run = try Meetings.run(
      Meetings.scenario(meeting("10s"), overrides: ["estimator=\(estimator)"])
    ).tables
    let rows = run.rows(of: .links).filter { $0["link"] == "bob/down" }
    #expect(rows.allSatisfy { 0...1 ~= $0.number("utilization_frac") })
    let after = rows[6]
    #expect(after.number("throughput_bps") > after.number("capacity_bps"))
    #expect(after.number("utilization_frac") > 0.7)
    // Over the run, the used capacity equals what arrived plus what is in flight.
    let used = rows.reduce(0) { $0 + $1.number("utilization_frac") * $1.number("capacity_bps") / 8 }
    let arrived = rows.reduce(0) { $0 + $1.number("throughput_bps") / 8 }
    #expect(used > arrived * 0.999 && used < arrived + 4e6 / 8 * 0.4 + 4e6 / 8 * 0.001 * 10)
  }

  /// A participant who leaves in the middle of an interval has received everything up to then, including packets in
  /// flight.
  @Test(arguments: RandomMeeting.estimators, ["ann", "bob"])
  func nothingIsForgottenOfOneWhoLeaves(estimator: String, who: String) throws {
    let text = meeting("10s", "timeline: [{at: 4500 ms, participant: \(who), leave: true}]")
    let loaded = try Meetings.scenario(text, overrides: ["estimator=\(estimator)"])
    let run = try Meetings.run(loaded).tables
    let rows = run.stream(viewer: "bob", source: "ann")
    #expect(rows.contains { $0["time_s"] == "5.000" && $0.integer("bitrate_bps") > 0 })
    let total = try #require(MeetingLedger(of: loaded.plan, seed: 1).totals.first { $0.participant == "bob" })
    #expect(rows.reduce(0) { $0 + $1.integer("bitrate_bps") / 8 } == Int(total.receivedVideoBytes))
    let own = run.rows(of: .participants).filter { $0["participant"] == "bob" }
    #expect(own.reduce(0) { $0 + $1.integer("down_bitrate_bps") / 8 } == Int(total.receivedBytes))
  }

  /// Two links that each lose half deliver a quarter; losses of packets sent in the previous interval are counted with
  /// the packets.
  @Test func lossesAndDeliveriesAreOfTheSamePackets() throws {
    let text = """
      name: test
      duration: 12s
      links:
        half: {capacity: 10 Mbps, delay: 10 ms, loss: 50 %}
        none: {capacity: 10 Mbps, delay: 10 ms, loss: 100 %}
      shared-links: {house: {up: half, down: half}, nowhere: {up: none, down: none}}
      participants:
        - {id: ann, up: half, down: half, shared: house, publish: {camera: 360p30}}
        - {id: bob, shared: nowhere, publish: audio-only}
        - {id: eve, view: {request: [{quality: 360p30, participant: ann}]}}
      timeline: [{at: 1s, participant: ann, speaks: 10s}, {at: 1s, participant: bob, speaks: 10s}]
      """
    let run = try Meetings.run(Meetings.scenario(text), interval: .milliseconds(100)).tables
    for (id, range) in [("ann", 0.6...0.85), ("bob", 0.999...1.0)] {
      let rows = run.rows(of: .participants).filter { $0["participant"] == id }
      let fractions = rows.compactMap { $0.numberIfPresent("up_loss_frac") }
      #expect(fractions.count > 50 && fractions.allSatisfy { 0...1 ~= $0 })
      #expect(range.contains(fractions.reduce(0, +) / Double(fractions.count)), "\(id)")
    }
  }
}
