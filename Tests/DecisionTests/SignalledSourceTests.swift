import Allocation
import Decision
import Ladder
import Quantity
import Scenario
import TestSupport
import Testing

/// The sources, and their highest layers, that a viewer is subscribed to by the signals that its client sends.
@Suite("Sources named by signals")
struct SignalledSourceTests {
  /// - Parameters:
  ///   - a: layers of a's camera.
  /// - view: the signals of v.
  private func rows(
    _ policy: String, _ view: String, a: String? = nil, budget: BitRate = .megabits(5)
  ) throws -> (names: [String], rows: [StandaloneAllocation.Row]) {
    let usual =
      "{encoding: 0, size: 320x180, fps: 30, bitrate: 150 kbps}, {encoding: 1, size: 1280x720, fps: 30, bitrate: 2 Mbps}"
    let plan = try Meetings.scenario(
      """
      name: test
      policy: \(policy)
      participants:
        - {id: a, publish: {camera: {layers: [\(a ?? usual)]}, screen: {layers: [\(usual)]}}}
        - {id: b, publish: {camera: {layers: [\(usual)]}}}
        - {id: v, view: {signals: {\(view)}}}
      """
    ).plan
    let decision = try #require(StandaloneAllocation(plan, viewer: 2, at: .zero))
    return (decision.sources.map(\.name), decision.rows(budget: budget).rows)
  }

  /// A screen share is a source like any other: it is subscribed to once if it is named, and otherwise not at all.
  @Test(arguments: [
    ("livekit", "tracks: {a: {}}", "tracks: {a: {}, a/screen: {}}"),
    ("mediasoup", "consumers: {a: {}}", "consumers: {a: {}, a/screen: {}}"),
    ("janus", "substream: {a: 2}", "substream: {a: 2, a/screen: 2}"),
    ("{name: janus, allocation: true}", "substream: {a: 2}", "substream: {a: 2, a/screen: 2}"),
    (
      "gso", "subscriptions: [{source: a, up-to: 720p}]",
      "subscriptions: [{source: a, up-to: 720p}, {source: a/screen, up-to: 720p}]"
    ),
  ])
  func areSubscribedToOnce(policy: String, one: String, both: String) throws {
    let alone = try rows(policy, one)
    #expect(alone.names == ["a", "a/screen", "b"])
    #expect(alone.rows.map(\.source) == [0, 1, 2])
    #expect(alone.rows.map { $0.rank != nil } == [true, false, false])
    #expect(alone.rows[1].layer == nil && alone.rows[1].limitation == .offScreen)
    let shared = try rows(policy, both)
    #expect(shared.rows.map(\.source) == [0, 1, 2])
    #expect(shared.rows.map { $0.rank != nil } == [true, true, false])
  }

  /// The servers of these systems offer each viewer everything.
  @Test(arguments: [("jitsi", "last-n: -1"), ("signal", "requested-heights: {a: 720, a/screen: 720}")])
  func areListedOnceWhereAllAreOffered(policy: String, view: String) throws {
    let all = try rows(policy, view)
    #expect(all.rows.map(\.source) == [0, 1, 2])
    #expect(all.rows.allSatisfy { $0.rank != nil })
  }

  /// By default a share has priority 255 and a camera 1: of 2 Mbit/s the share's 720p leaves the camera no more than
  /// 180p, which LiveKit sends in any case.
  @Test func aNamedShareComesFirst() throws {
    let given = try rows("livekit", "tracks: {a: {}, a/screen: {}}", budget: .megabits(2)).rows
    #expect(given.map(\.rank) == [2, 1, nil])
    #expect(given[0].layer?.id == LayerID(encoding: 0, temporal: 0))
    #expect(given[1].layer?.id == LayerID(encoding: 0, temporal: 0))
    // 150 kbit/s for each, and 1850 more for the upper layer of one.
    let more = try rows("livekit", "tracks: {a: {}, a/screen: {}}", budget: .kilobits(2150)).rows
    #expect(more[0].layer?.id == LayerID(encoding: 0, temporal: 0))
    #expect(more[1].layer?.id == LayerID(encoding: 1, temporal: 0))
  }
}
