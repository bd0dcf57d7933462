import Meeting
import Metrics
import Scenario
import TestSupport
import Testing

/// A participant who leaves and returns starts a new call.
@Suite("Rejoining")
struct RejoinTests {
  private func run(leave: Int, back: Int) throws -> MemorySink {
    try Meetings.run(
      Meetings.scenario(
        """
        name: rejoin
        duration: 60s
        policy: janus
        estimator: gcc
        links:
          narrow: {capacity: 1500 kbps, delay: 20 ms, queue: 300 ms}
          open: {capacity: 20 Mbps, delay: 10 ms}
        participants:
          - id: ann
            up: narrow
            down: open
            publish: {camera: {capture: 720p30, ladder: single}}
          - {id: bob, up: open, down: open, view: {request: [{quality: 720p30, participant: ann}]}}
        timeline:
          - {at: \(leave)s, participant: ann, leave: true}
          - {at: \(back)s, participant: ann, join: true}
        """)
    ).tables
  }

  private func rows(_ tables: MemorySink, from: Double, to: Double) -> [Row] {
    tables.stream(viewer: "bob", source: "ann").filter { row in
      let time = row.number("time_s")
      return time > from && time <= to
    }
  }

  @Test func thePictureBeginsSmallAgain() throws {
    let tables = try run(leave: 30, back: 40)
    let before = rows(tables, from: 28, to: 30).compactMap { $0.integerIfPresent("frame_height_px") }
    let after = rows(tables, from: 40, to: 43).compactMap { $0.integerIfPresent("frame_height_px") }
    #expect((before.min() ?? 0) >= 360, "\(before)")
    #expect(!after.isEmpty && (after.max() ?? 999) <= 270, "\(after)")
  }

  @Test func nothingOfTheOldCallArrivesInTheNewOne() throws {
    let tables = try run(leave: 30, back: 50)
    let delays = tables.rows(of: .scalars).filter { $0["metric"] == "frame_delay" && $0["stat"] == "max" }
      .compactMap { $0.numberIfPresent("value") }
    #expect(!delays.isEmpty && delays.allSatisfy { $0 < 2 }, "\(delays)")
    #expect(rows(tables, from: 50, to: 53).allSatisfy { $0.integerIfPresent("freeze_count") == 0 })
  }
}
