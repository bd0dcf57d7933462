import Ladder
import Meeting
import Metrics
import Plan
import Quantity
import Scenario
import TestSupport
import Testing

/// Explanations of the tile of a VP9 camera: causes of freezes, limitations, and rates that bring no benefit.
@Suite("Scalable streams explained")
struct ScalableExplanationTests {
  private func meeting(
    _ mode: String = "L3T3_KEY", policy: String = "livekit", up: String = "1000 Mbps", delay: Int = 120,
    loss: String = "0 %", view: String = "{stage: {participant: p, size: 1280x720}}", timeline: String = "[]"
  ) throws -> LoadedScenario {
    try Meetings.scenario(
      """
      name: explained
      duration: 14s
      policy: \(policy)
      estimator: oracle
      links:
        up: {capacity: \(up), delay: \(delay) ms}
        open: {capacity: 1000 Mbps, delay: \(delay) ms}
        down: {capacity: 1000 Mbps, delay: \(delay) ms, loss: \(loss)}
      participants:
        - id: p
          up: up
          down: open
          publish: {audio: false, camera: {capture: 720p30, codec: vp9, scalability-mode: \(mode), maximum: 2084 kbps}}
        - {id: v, up: open, down: down, view: \(view)}
      timeline: \(timeline)
      """)
  }

  private func decision(_ scenario: LoadedScenario, at milliseconds: Int64) throws -> ReplayedDecision {
    let found = MeetingReplay(scenario.plan, seed: scenario.plan.seed).decision(
      on: TilePlace(viewer: 1, source: 0), at: .ms(milliseconds))
    return try #require(found)
  }

  /// On a switch down nothing is forwarded until the key picture arrives: 120 ms for the request, 120 for the picture.
  @Test func aWayDownIsAFreezeAtTheServerThatAKeyPictureEnds() throws {
    let scenario = try meeting(
      view: "{signals: {tracks: {p: {size: 1280x720}}}}",
      timeline: "[{at: 6s, participant: v, signals: {tracks: {p: {size: 640x360}}}}]")
    let freeze = try #require(try decision(scenario, at: 6_900).freezes.first)
    #expect(freeze.cause == .server && freeze.awaitsKeyFrame)
    let key = try #require(freeze.keyFrames.last)
    let silence = try #require(freeze.silence)
    #expect(silence.to - silence.from >= .milliseconds(240))
    // The picture's last layer arrives a few packets after the layer that ends the silence.
    #expect(key >= silence.to && key - silence.to < .milliseconds(30))
    let rows = try Meetings.run(scenario, interval: .milliseconds(100)).tables.rows(of: .streams)
    let frozen = rows.filter { $0["viewer"] == "v" && $0.number("time_s") > 6 && $0["frame_height_px"] == "" }
    #expect(!frozen.isEmpty && frozen.allSatisfy { $0["limitation"] == "switching" })
  }

  /// A picture waits 240 ms for its missing packet, or for a key picture, while packets of later pictures keep
  /// arriving.
  @Test func aLostPacketIsALateRepair() throws {
    let scenario = try meeting("L3T3", loss: "5 %")
    let frozen = try Meetings.run(scenario).tables.rows(of: .streams).filter {
      $0["viewer"] == "v" && $0.number("freezes_duration_s") > 0.2
    }
    let causes = try frozen.prefix(2).flatMap {
      try decision(scenario, at: Int64($0.number("time_s") * 1000)).freezes.map(\.cause)
    }
    #expect(causes.contains(.repair) && !causes.contains(.downlink), "\(causes)")
  }

  /// 142 and 418 of 2084 kbps are 27 %, which Janus forwards in `_KEY` modes but LiveKit does not.
  @Test(arguments: [("janus", "L3T3_KEY", 25...29), ("janus", "L3T3", 0...0), ("livekit", "L3T3_KEY", 0...0)])
  func lowerLayersForNothing(policy: String, mode: String, percent: ClosedRange<Int>) throws {
    let state = try decision(try meeting(mode, policy: policy, delay: 10), at: 12_000).state
    #expect(percent.contains(state.last?.unusedPercent ?? 0), "\(state.last?.unusedPercent ?? 0)")
  }

  /// The oracle leaves 1 / 1.1 of the uplink for video. Two layers are full at 142 + 418 kbps; the third starts at 891.
  @Test func theDeadZoneHasItsRates() throws {
    let idle = try #require(try decision(try meeting(up: "880 kbps", delay: 10), at: 12_000).state.idleRate)
    #expect(idle.layers == 2 && idle.used == .kilobits(560) && idle.target == .kilobits(800))
    #expect(idle.start.bitsPerSecond == 891_052)
    let higher = try decision(try meeting(up: "1100 kbps", delay: 10), at: 12_000).state.idleRate
    #expect(higher == nil)
    let lower = try decision(try meeting(up: "550 kbps", delay: 10), at: 12_000).state.idleRate
    #expect(lower == nil)
  }
}
