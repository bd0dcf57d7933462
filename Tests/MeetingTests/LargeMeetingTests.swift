import Meeting
import Metrics
import TestSupport
import Testing

/// The cost of a meeting by the number of its viewers.
@Suite("Large meetings")
struct LargeMeetingTests {
  private func meeting(watchers: Int, estimator: String) throws -> MeetingRun.Result {
    let scenario = try Meetings.scenario(
      """
      name: large
      duration: 2s
      policy: stream
      estimator: \(estimator)
      links: {home: {capacity: 4 Mbps, delay: 20 ms}}
      participants:
        - {id: pub, count: 2, up: home, down: home, publish: {camera: 360p15}}
        - {id: w, count: \(watchers), up: home, down: home, view: {everybody: 320x180}}
      """)
    return try Meetings.run(scenario).result
  }

  /// A viewer costs as much with 100 others as with 50: nobody is told about those who only watch.
  @Test(arguments: ["oracle", "gcc"])
  func eachWatcherCostsTheSame(estimator: String) throws {
    let counts = try [50, 100, 200].map { try Int(meeting(watchers: $0, estimator: estimator).eventCount) }
    let share = Double(counts[2] - counts[1]) / Double(counts[1] - counts[0])
    #expect(abs(share - 2) < 0.02, "\(counts)")
  }

  /// More than a thousand announcements wait for one viewer, who then knows as much as the others.
  @Test func whoHasBeenCutOffLearnsEverythingInTheEnd() throws {
    let turns = (0..<600).map { turn in
      "  - {at: \(5000 + 50 * turn) ms, participant: p-\(turn % 3 + 1), speaks: 40 ms}"
    }
    let scenario = try Meetings.scenario(
      """
      name: cut-off
      duration: 50s
      policy: bluejeans
      links: {wide: {capacity: 20 Mbps, delay: 10 ms}}
      participants:
        - {id: p, count: 4, up: wide, down: wide, publish: {camera: 180p15}}
        - {id: near, up: wide, down: wide, view: {request: [{quality: 180p15, priority: high}]}}
        - {id: far, up: wide, down: wide, view: {request: [{quality: 180p15, priority: high}]}}
      timeline:
        - {at: 4s, link: far/down, down: 32s}
      \(turns.joined(separator: "\n"))
        - {at: 40s, participant: p-4, speaks: 10s}
      """)
    let tables = try Meetings.run(scenario).tables
    for viewer in ["near", "far"] {
      for source in 1...4 {
        let states = tables.stream(viewer: viewer, source: "p-\(source)")[45...].map { $0["state"] }
        #expect(states.allSatisfy { ($0 == "receiving") == (source == 4) }, "\(viewer) p-\(source) \(states)")
      }
    }
  }
}
