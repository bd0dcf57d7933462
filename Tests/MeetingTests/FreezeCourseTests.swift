import Ladder
import Meeting
import Plan
import Quantity
import Scenario
import TestSupport
import Testing

/// One camera with one packet per frame, 15 a second, and outages of the viewer's downlink that drop single packets.
@Suite("Freezes of single packets")
struct FreezeCourseTests {
  private func freeze(_ outages: [(at: Int, length: Int)]) throws -> Freeze {
    try freeze(timeline: outages.map { "{at: \($0.at) ms, link: v/down, down: \($0.length) ms}" })
  }

  private func freeze(
    policy: String = "janus", up: String = "open", camera: String = "180p15", tile: String = "320x180",
    timeline: [String]
  ) throws -> Freeze {
    let scenario = try Meetings.scenario(
      """
      name: freeze
      duration: 8s
      policy: \(policy)
      estimator: oracle
      links: {open: {capacity: 1000 Mbps, delay: 1 ms}, far: {capacity: 1000 Mbps, delay: 100 ms}}
      participants:
        - {id: p, up: \(up), down: open, publish: {audio: false, camera: \(camera)}}
        - {id: v, up: far, down: far, view: {tiles: {p: \(tile)}}}
      timeline: [\(timeline.joined(separator: ", "))]
      """)
    let decision = MeetingReplay(scenario.plan, seed: scenario.plan.seed).decision(
      on: TilePlace(viewer: 1, source: 0), at: .ms(7000))
    let freezes = try #require(decision).freezes
    return try #require(freezes.first)
  }

  /// The gap is detected at once, by the frame after the lost ones; request and packet take 100 ms each.
  @Test func onePacketIsFollowedFromItsGapToItsArrival() throws {
    let freeze = try freeze([(6500, 100)])
    #expect(freeze.cause == .repair && freeze.resized == nil)
    let repair = try #require(freeze.repair)
    let arrived = try #require(repair.arrivedAt)
    #expect(repair.requests == 1 && repair.asked?.lowerBound == repair.missingAt)
    #expect((arrived - repair.missingAt).nanoseconds / 1_000_000 == 200)
    #expect(freeze.begin < repair.missingAt && arrived <= freeze.end ?? .zero)
  }

  /// The repair leaves 100 ms after the gap was detected, into another outage: the request is repeated at the first
  /// tick after the round trip of 200 ms, and the packet arrives 200 ms later.
  @Test func aLostRepairIsAskedForAgain() throws {
    let single = try #require(try freeze([(6500, 100)]).repair)
    let repair = try #require(try freeze([(6500, 100), (6800, 60)]).repair)
    #expect(repair.missingAt == single.missingAt && repair.asked?.lowerBound == repair.missingAt)
    #expect(repair.requests == 2)
    let again = try #require(repair.asked?.upperBound)
    #expect((200...220).contains((again - repair.missingAt).nanoseconds / 1_000_000))
    #expect((try #require(repair.arrivedAt) - again).nanoseconds / 1_000_000 == 200)
  }

  /// What the camera sent before it was muted is on the downlink while that carries almost nothing, and the next picture
  /// comes when it carries everything again: the sender encoded none of late, but the one that comes was long sent.
  @Test func pictureSentBeforeAMuteWaitsOnTheDownlink() throws {
    let freeze = try freeze(
      policy: "livekit",
      timeline: [
        "{at: 5500 ms, link: v/down, capacity: 5 kbps}", "{at: 5600 ms, participant: p, mute: video}",
        "{at: 6000 ms, link: v/down, capacity: 1000 Mbps}",
      ])
    #expect(freeze.cause == .downlink)
    #expect(freeze.begin < .ms(5600))
    // The rest of the packet being sent takes less than a millisecond, and 100 ms to arrive.
    let (end, silence) = (try #require(freeze.end), try #require(freeze.silence))
    #expect(.ms(6100)...(.ms(6101)) ~= end && .ms(6100)...(.ms(6101)) ~= silence.to)
  }

  /// The server goes on with a lower encoding at once, whose key frame comes 200 ms after it was asked for.
  @Test func pictureOfAnotherSizeIsNamed() throws {
    let freeze = try freeze(
      policy: "{name: janus, allocation: true}", up: "far", camera: "720p30", tile: "1280x720",
      timeline: ["{at: 6200 ms, link: v/down, capacity: 100 kbps}"])
    let (from, to) = try #require(freeze.resized)
    #expect(from == .p720 && to.lines == 180)
  }
}
