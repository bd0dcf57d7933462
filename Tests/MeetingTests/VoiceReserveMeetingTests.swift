import Meeting
import Metrics
import TestSupport
import Testing

@Suite("Voice reserves and the rest for video")
struct VoiceReserveMeetingTests {
  private func run(
    _ timeline: String, for seconds: Int = 30, estimator: String = "oracle"
  ) throws -> MemorySink {
    let text = """
      name: test
      duration: \(seconds)s
      estimator: \(estimator)
      links:
        narrow: {capacity: 150 kbps, delay: 10 ms}
      participants:
        - {id: a, publish: {camera: 720p30}}
        - {id: s, count: 2, publish: audio-only}
        - {id: viewer, down: narrow, view: {request: [{quality: 90p15, participant: a}]}}
      timeline: \(timeline)
      """
    return try Meetings.run(Meetings.scenario(text)).tables
  }

  private func frames(_ timeline: String, estimator: String = "oracle") throws -> [Row] {
    try run(timeline, estimator: estimator).stream(viewer: "viewer", source: "a")
  }

  private func frames(_ rows: [Row], _ seconds: Range<Int>) -> Double {
    rows[seconds].reduce(0) { $0 + $1.number("frames_per_second") }
  }

  /// Comfort noise from three microphones: 3 x 1.48 x 1.1 = 4.9 kbit/s, which leaves 145.1 for 90p15 (99 plus headers).
  @Test(arguments: ["oracle", "gcc"])
  func threeSilentMicrophonesReserveTheirComfortNoise(estimator: String) throws {
    let rows = try frames("[]", estimator: estimator)
    #expect(rows[25...].allSatisfy { $0["state"] == "receiving" })
    #expect(abs(frames(rows, 25..<30) - 75) <= 1)
  }

  /// (150,000 - 1.1 x (58,400 + 2 x 1,480)) / 1.1 = 75,003.6 bit/s remain after headers for 90p7.
  @Test func theBudgetIsWhatTheReserveLeaves() throws {
    let rows = try run("[{at: 10s, participant: s-1, speaks: 8s}]", for: 14).rows(of: .decisions)
      .filter { $0.number("time_s") >= 10 }
    let budgets = rows.compactMap { $0.integerIfPresent("budget_bps") }
    #expect(rows.map { $0["given"] } == ["r0.1"] && budgets.allSatisfy { (75_002...75_004).contains($0) })
  }

  /// One participant speaks: (58.4 + 2 x 1.48) x 1.1 = 67.5 kbit/s, which leaves 82.5: 90p7 (59 plus headers), not
  /// 90p15. The reserve ends three seconds after the turn.
  @Test func aVoiceReservesWhatItTakesAndForAWhileAfterwards() throws {
    let rows = try frames("[{at: 10s, participant: s-1, speaks: 8s}]")
    #expect(abs(frames(rows, 4..<8) - 60) <= 1 && abs(frames(rows, 12..<16) - 30) <= 1)
    #expect(abs(frames(rows, 18..<20) - 15) <= 1 && abs(frames(rows, 24..<28) - 60) <= 1)
    #expect(rows[15]["limitation"] == "bandwidth" && rows[25]["limitation"] == "none")
  }
}
