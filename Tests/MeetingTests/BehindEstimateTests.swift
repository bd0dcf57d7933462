import Meeting
import Metrics
import TestSupport
import Testing

/// A server whose rule does not go by an estimate sends more than it for as long as that is behind.
@Suite("Servers beyond their estimates")
struct BehindEstimateTests {
  /// Eight people join at once, each shown seven others at 800 kbit/s on twice that. Estimates of 1800 kbit/s grew by 8 % a
  /// second, and media waited in the pacer for as long; probes for what is sent are through within 3 s.
  @Test(arguments: UInt64(1)...6)
  func anEstimateCatchesUpWithWhatIsSent(seed: UInt64) throws {
    let tables = try Meetings.run(
      Meetings.scenario(
        """
        name: behind
        duration: 12s
        policy: {name: agora, dual-stream: enable, default-stream: low}
        estimator: gcc
        links: {down: {capacity: 11200 kbps, delay: 5 ms}, up: {capacity: 1700 kbps, delay: 5 ms}}
        participants:
          - id: user
            count: 8
            up: up
            down: down
            publish: {camera: {capture: 640x360@15}, audio: false}
            view: {grid: agora-squares, screen: 360x740}
        """), seed: seed
    ).tables
    let rows = tables.rows(of: .participants).filter { $0.number("time_s") > 4 }
    #expect(rows.count == 64)
    #expect(rows.allSatisfy { $0.integer("down_estimate_bps") > 5_600_000 })
    // What had waited by then has gone: 7 x 800 kbit/s with headers.
    let late = rows.filter { $0.number("time_s") > 7 }.map { $0.number("down_bitrate_bps") }
    #expect(late.allSatisfy { $0 < 1.2 * 5_600_000 }, "\(late.max() ?? 0)")
  }
}
