import Meeting
import Metrics
import TestSupport
import Testing

/// Known behavior of Google Congestion Control, including its weaknesses, in whole meetings.
@Suite("Congestion control in meetings")
struct CongestionMeetingTests {
  private func value(
    _ tables: MemorySink, _ participant: String, _ column: String, _ from: Double, _ to: Double
  ) -> Double {
    let rows = tables.rows(of: .participants).filter {
      let time = $0.number("time_s")
      return $0["participant"] == participant && time > from && time <= to
    }
    return rows.reduce(0) { $0 + $1.number(column, ifEmpty: 0) } / Double(max(rows.count, 1))
  }

  /// Senders with one encoding each, over a shared link.
  private func senders(_ names: [(id: String, joins: Int)], link: String, duration: Int) -> String {
    let people = names.map {
      "  - {id: \($0.id), join: \($0.joins)s, up: shared, down: back, publish: {camera: {capture: 720p30, "
        + "ladder: single, minimum: 100 kbps, maximum: 2500 kbps, content: rich}}}"
    }
    let wishes = names.map { "{quality: 720p30, priority: high, participant: \($0.id)}" }
    return """
      name: senders
      duration: \(duration)s
      policy: janus
      estimator: gcc
      links:
        shared: \(link)
        back: {capacity: 100 Mbps, delay: 20 ms}
      participants:
      \(people.joined(separator: "\n"))
        - {id: sink, view: {request: [\(wishes.joined(separator: ", "))]}}
      """
  }

  /// A flow that starts 30 s after another gets its share, but late: at first a third of what the first has, after a
  /// minute and a half clearly more; together they use the link all the time.
  @Test func aLateFlowGetsItsShareLate() throws {
    let link = "{capacity: 2 Mbps, delay: 20 ms, queue: 300 ms}"
    let text = senders([("first", 0), ("second", 30)], link: link, duration: 150)
      .replacing("  shared: \(link)\n", with: "")
      .replacing(
        "participants:\n", with: "shared-links: {bottleneck: {up: \(link), down: back}}\nparticipants:\n"
      )
      .replacing("up: shared, down: back", with: "shared: bottleneck")
    var early = 0.0
    var late = 0.0
    for seed in UInt64(1)...10 {
      let run = try Meetings.run(Meetings.scenario(text), seed: seed)
      func rate(_ sender: String, _ from: Double, _ to: Double) -> Double {
        value(run.tables, sender, "up_bitrate_bps", from, to)
      }
      early += rate("second", 32, 42) / rate("first", 32, 42) / 10
      late += rate("second", 120, 150) / rate("first", 120, 150) / 10
      let both = rate("first", 40, 150) + rate("second", 40, 150)
      #expect(both > 1.4e6 && both <= 2e6, "\(both)")
    }
    #expect(early < 0.55, "\(early)")
    #expect(late > 1.0 / 3 && late > 1.4 * early, "\(early) \(late)")
  }

  /// Loss that is not caused by congestion costs next to nothing at 2 %; at 10 % the estimate is bounded to 2 Mbit/s,
  /// whatever the path carries.
  @Test(arguments: [(0, 3.0, 100.0), (2, 2.0, 100.0), (10, 0.1, 2.3)])
  func lossWithoutCongestionBoundsTheEstimate(percent: Int, least: Double, most: Double) throws {
    let link = "{capacity: 20 Mbps, delay: 20 ms, loss: \(percent) %}"
    let run = try Meetings.run(Meetings.scenario(senders([("ann", 0)], link: link, duration: 60)))
    let estimate = value(run.tables, "ann", "up_estimate_bps", 40, 60) / 1e6
    #expect(estimate > least && estimate < most, "\(estimate) Mbps")
  }

  /// After a fall at a known capacity, growth is linear at some tens of kbit/s per second: a cut that lasts half a
  /// second takes several seconds to make up.
  @Test func nearTheOldMaximumTheEstimateClimbsSlowly() throws {
    let link = "{capacity: 1 Mbps, delay: 20 ms, queue: 300 ms}"
    let run = try Meetings.run(
      Meetings.scenario(senders([("ann", 0)], link: link, duration: 120)))
    let estimates = run.tables.rows(of: .participants).filter { $0["participant"] == "ann" }
      .compactMap { $0.numberIfPresent("up_estimate_bps") }.dropFirst(40).map { $0 / 1000 }
    let climbs = zip(estimates, estimates.dropFirst()).filter { $1 > $0 }.map { $1 - $0 }
    let falls = zip(estimates, estimates.dropFirst()).filter { $1 < 0.93 * $0 }
    #expect(climbs.count > 40)
    let mean = climbs.reduce(0, +) / Double(climbs.count)
    #expect(mean > 5 && mean < 60, "\(mean) kbps/s")
    #expect(falls.count >= 3 && falls.count <= 20, "\(falls.count) falls")
  }

  /// Jitter of up to 15 ms that preserves packet order, and a little loss: pictures continue.
  @Test func jitterDoesNotStopAMeeting() throws {
    let link = "{capacity: 4 Mbps, delay: 30 ms, jitter: 5 ms, loss: 0.5 %}"
    let run = try Meetings.run(Meetings.scenario(senders([("ann", 0)], link: link, duration: 40)))
    #expect(run.result.outcome == .finished)
    let frames = run.tables.stream(viewer: "sink", source: "ann").dropFirst(10)
      .compactMap { $0.numberIfPresent("frames_per_second") }
    #expect(frames.reduce(0, +) / Double(frames.count) > 25)
  }

  /// Packets overtake each other by up to 9 or 15 ms: pictures are shown after ten seconds and continue.
  @Test(arguments: [3, 5])
  func reorderingDoesNotStopAMeeting(milliseconds: Int) throws {
    let link =
      "{capacity: 4 Mbps, delay: 30 ms, jitter: \(milliseconds) ms, reordering: true, loss: 0.5 %}"
    let run = try Meetings.run(Meetings.scenario(senders([("ann", 0)], link: link, duration: 40)))
    #expect(run.result.outcome == .finished)
    let frames = run.tables.stream(viewer: "sink", source: "ann").dropFirst(10)
      .compactMap { $0.numberIfPresent("frames_per_second") }
    #expect(frames.count == 30 && frames.allSatisfy { $0 > 5 })
    #expect(frames.reduce(0, +) / Double(frames.count) > 25)
  }

  /// Five seconds without an uplink: within another ten, the sender has at least half of its former rate.
  @Test func aSenderIsBackSoonAfterItsUplinkIs() throws {
    let link = "{capacity: [{at: 0s, to: 2 Mbps}, {at: 30s, to: 0 bps}, {at: 35s, to: 2 Mbps}], delay: 30 ms}"
    let run = try Meetings.run(Meetings.scenario(senders([("ann", 0)], link: link, duration: 60)))
    let before = value(run.tables, "ann", "up_bitrate_bps", 20, 30)
    #expect(value(run.tables, "ann", "up_bitrate_bps", 32, 35) == 0)
    #expect(value(run.tables, "ann", "up_bitrate_bps", 45, 60) > 0.5 * before)
    let frames = run.tables.stream(viewer: "sink", source: "ann").filter {
      $0.number("time_s") > 45
    }
    #expect(frames.allSatisfy { $0.number("frames_per_second") > 5 })
  }

  /// Five seconds without the return path: without feedback the sender slows down, and thirteen seconds after feedback
  /// returns it has at least half of its former rate.
  @Test func aDeadWayBackLowersTheSenderForItsTimeOnly() throws {
    let text = senders([("ann", 0)], link: "{capacity: 2 Mbps, delay: 30 ms}", duration: 70)
      .replacing(
        "back: {capacity: 100 Mbps, delay: 20 ms}",
        with:
          "back: {capacity: [{at: 0s, to: 100 Mbps}, {at: 30s, to: 0 bps}, {at: 45s, to: 100 Mbps}], delay: 20 ms}"
      )
    let run = try Meetings.run(Meetings.scenario(text))
    let before = value(run.tables, "ann", "up_estimate_bps", 20, 30)
    #expect(value(run.tables, "ann", "up_estimate_bps", 43, 45) < 0.6 * before)
    #expect(value(run.tables, "ann", "up_estimate_bps", 58, 70) > 0.5 * before)
  }
}
