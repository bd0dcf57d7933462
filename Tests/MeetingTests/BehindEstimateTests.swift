import Meeting
import Metrics
import TestSupport
import Testing

/// A server whose rule does not follow the estimate exceeds it for as long as the estimate lags behind.
@Suite("Servers beyond their estimates")
struct BehindEstimateTests {
  /// Eight people join at once, each shown seven others at 800 kbit/s on a link of twice that. Estimates of 1800 kbit/s
  /// used to grow by 8 % a second, and media waited in the pacer for as long; with probes for the rate sent, this is
  /// over within 3 s.
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
    // The backlog has been sent by then: 7 x 800 kbit/s with headers.
    let late = rows.filter { $0.number("time_s") > 7 }.map { $0.number("down_bitrate_bps") }
    #expect(late.allSatisfy { $0 < 1.2 * 5_600_000 }, "\(late.max() ?? 0)")
  }

  /// Agora's server sends a screen share of one encoding beyond the estimate: of 2 Mbit/s, 11 of 15 frames a second get
  /// through 1.5 Mbit/s; the others wait for the budget.
  @Test(arguments: UInt64(1)...3)
  func whatWaitsForTheBudgetIsTheBandwidths(seed: UInt64) throws {
    let tables = try Meetings.run(
      Meetings.scenario(
        """
        name: oversent
        duration: 6s
        policy: agora
        estimator: gcc
        participants:
          - {id: p, up: {capacity: 20 Mbps, delay: 20 ms}, publish: {screen: 1080p15, audio: false}}
          - {id: v, down: {capacity: 1500 kbps, delay: 20 ms}, view: {everybody: 640x360}}
        """), seed: seed
    ).tables
    let rows = tables.stream(viewer: "v", source: "p/screen").dropFirst(2)
    #expect(rows.count == 4)
    #expect(rows.allSatisfy { (9...13).contains($0.number("frames_per_second")) })
    #expect(rows.allSatisfy { $0["limitation"] == "bandwidth" }, "\(rows.map { $0["limitation"] })")
  }
}
