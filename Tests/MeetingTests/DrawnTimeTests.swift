import Meeting
import Metrics
import Quantity
import Scenario
import Statistics
import TestSupport
import Testing

/// Viewers' calls at times that are drawn in each run (`within`).
@Suite("Calls at drawn times")
struct DrawnTimeTests {
  /// Returns the times of a viewer's calls, from `events.csv` [s].
  private func times(
    of viewer: String = "eve", repetition: Int = 0, others: String = "", more: String = ""
  ) throws -> [Double] {
    let scenario = try Meetings.scenario(
      """
      name: drawn
      duration: 30s
      policy: best
      participants:
        - {id: ann, publish: {camera: 360p15}}
        - {id: eve, view: {tiles: {ann: 320x180}}}
      \(others)
      timeline:
      \(more)
        - {at: 2s, within: 10s, participant: eve, resize: {participant: ann, to: 640x360}}
        - {at: 20s, within: 5s, participant: eve, resize: {participant: ann, to: 160x90}}
      """)
    var sink = MemorySink()
    _ = try MeetingRun.run(
      scenario.plan, seed: 1, repetition: repetition, interval: .seconds(1), runID: "test", into: &sink)
    return sink.rows(of: .events).filter { $0["event"] == "resize" && $0["participant"] == viewer }
      .map { $0.number("time_s") }
  }

  /// The first draw is spread over 2 to 12 s, the second over 20 to 25 s.
  @Test func drawsAreSpreadOverTheirSpans() throws {
    for repetition in 0...3 {
      var stream = RandomStream(seed: 1, repetition: repetition, name: "timeline/eve")
      let expected = [2 + 10 * stream.uniform(), 20 + 5 * stream.uniform()]
      let found = try times(repetition: repetition)
      #expect(found.count == 2)
      for (time, draw) in zip(found, expected) { #expect(abs(time - draw) <= 0.001) }
    }
  }

  @Test func repetitionsDiffer() throws {
    #expect(Set(try (0...3).map { try times(repetition: $0)[0] }).count == 4)
  }

  /// A viewer before `eve` with a drawn call of its own.
  @Test func othersChangeNoDraws() throws {
    let others = "  - {id: bob, view: {tiles: {ann: 320x180}}}"
    let more = "  - {at: 1s, within: 20s, participant: bob, resize: {participant: ann, to: 640x360}}"
    #expect(try times(others: others, more: more) == times())
    #expect(try times(of: "bob", others: others, more: more).count == 1)
  }

  /// The drawn time of the file's second entry is earlier.
  @Test func drawnTimesMayChangeTheOrder() throws {
    let more = "  - {at: 13s, participant: eve, resize: {participant: ann, to: 480x270}}"
    let found = try times(more: more)
    #expect(found.count == 3 && found[1] == 13 && found == found.sorted())
  }
}
