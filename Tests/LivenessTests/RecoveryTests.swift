import LivenessGrid
import Metrics
import TestSupport
import Testing

/// A downlink that drops to a fifth for twenty seconds and recovers.
@Suite("Downlink recovery")
struct RecoveryTests {
  private static let fall = 40.0
  private static let end = 60.0

  private func scenario(_ system: String, _ ladder: String) -> String {
    let view =
      system == "bluejeans" ? "{request: [{quality: 720p30, priority: high}]}" : "{everybody: 1280x720}"
    return """
      name: recovery
      duration: 110s
      policy: \(system)
      estimator: gcc
      links:
        home:
          capacity: [{at: 0s, to: 4 Mbps}, {at: 40s, to: 800 kbps}, {at: 60s, to: 4 Mbps}]
          delay: 20 ms
          queue: 300 ms
      participants:
        - {id: far, publish: {camera: {capture: 720p30, ladder: \(ladder)}}}
        - {id: near, down: home, capabilities: {receive-720p: true}, view: \(view)}
      """
  }

  /// Within 20 s of the recovery the picture regains its height, within 40 s its frame rate, and keeps both.
  @Test(
    arguments: ["bluejeans", "stream"],
    ["bluejeans", "bluejeans-thumbnails", "bluejeans-classic", "webrtc-vp8", "stream", "stream-ios"])
  func heightAndFrameRateComeBack(system: String, ladder: String) throws {
    for seed in UInt64(1)...3 {
      let tables = try Meetings.run(Meetings.scenario(scenario(system, ladder)), seed: seed).tables
      let rows = tables.stream(viewer: "near", source: "far").map { row in
        (
          time: row.number("time_s"), height: row.integer("frame_height_px", ifEmpty: 0),
          frames: row.number("frames_per_second")
        )
      }
      let before = rows.filter { $0.time > Self.fall - 10 && $0.time <= Self.fall }
      let height = before.map(\.height).sorted()[5]
      let frames = before.map(\.frames).sorted()[5]
      #expect(height >= 720 && frames > 25, "\(before)")
      // A ladder without intermediate steps may give up frames instead of lines.
      let fallen = rows.filter { $0.time > Self.fall + 5 && $0.time <= Self.end }
      #expect(fallen.contains { $0.height < height || $0.frames < 0.9 * frames })
      let after = rows.filter { $0.time > Self.end }
      let tall = after.first { $0.height >= height }?.time
      let fluent = after.first { $0.height >= height && $0.frames >= 0.9 * frames }?.time
      #expect((tall ?? .infinity) - Self.end <= 20, "seed \(seed): \(after)")
      #expect((fluent ?? .infinity) - Self.end <= 40, "seed \(seed): \(after)")
      let late = rows.filter { $0.time > Self.end + 40 }
      #expect(late.allSatisfy { $0.height >= height }, "seed \(seed): \(late)")
    }
  }

  /// A real server restores one tile 2 s after an outage of 10 s, and the last of four after 6 s.
  @Test(arguments: ["bluejeans", "stream"], ["webrtc-vp8", "bluejeans", "stream-ios"])
  func everyTileIsBackSixSecondsAfterAnOutage(system: String, ladder: String) throws {
    let run = try Meetings.run(
      Meetings.scenario(
        """
        name: outage
        duration: 50s
        policy: \(system)
        estimator: gcc
        links: {wide: {capacity: 50 Mbps, delay: 10 ms}, home: {capacity: 4 Mbps, delay: 20 ms, queue: 300 ms}}
        participants:
          - {id: far, count: 4, up: wide, down: wide, publish: {camera: {capture: 720p30, ladder: \(ladder)}}}
          - {id: near, up: wide, down: home, view: {everybody: 640x360}}
        timeline: [{at: 25s, link: near/down, down: 10s}]
        """))
    for source in 1...4 {
      let rows = run.tables.stream(viewer: "near", source: "far-\(source)")
      func heights(_ seconds: ClosedRange<Int>) -> [Int] {
        seconds.map { rows[$0 - 1].integer("frame_height_px", ifEmpty: 0) }
      }
      #expect(heights(20...25).allSatisfy { $0 > 0 })
      #expect(heights(27...35).allSatisfy { $0 == 0 })
      #expect(heights(36...41).contains { $0 > 0 }, "far-\(source)")
      #expect(heights(42...50).allSatisfy { $0 > 0 }, "far-\(source)")
    }
  }
}
