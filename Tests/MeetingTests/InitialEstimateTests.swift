import Metrics
import Quantity
import TestSupport
import Testing

/// The capacity assumed for a downlink before anything is known about it.
@Suite("The first estimate of a downlink")
struct InitialEstimateTests {
  /// Returns the estimate in the first 10 ms, before any feedback can have arrived [bit/s].
  private func firstEstimate(_ policy: String, _ estimator: String = "estimator: gcc") throws -> Int? {
    let text = """
      name: test
      duration: 100ms
      policy: \(policy)
      \(estimator)
      links: {fast: {capacity: 20 Mbps, delay: 50 ms}}
      participants:
        - {id: ann, up: fast, down: fast, publish: {camera: 720p30}}
        - {id: bob, up: fast, down: fast, view: {everybody: 640x360}}
      """
    let run = try Meetings.run(Meetings.scenario(text), interval: .milliseconds(10))
    let row = run.tables.rows(of: .participants).first { $0["participant"] == "bob" }
    return row?.integerIfPresent("down_estimate_bps")
  }

  @Test func isTheSystemsWhereTheScenarioNamesNone() throws {
    // Jitsi Videobridge's initial-bitrate, mediasoup's initialAvailableOutgoingBitrate, libwebrtc's start rate.
    #expect(try firstEstimate("jitsi") == 2_500_000)
    #expect(try firstEstimate("mediasoup") == 600_000)
    #expect(try firstEstimate("{name: mediasoup, initial-estimate: 700 kbps}") == 700_000)
    #expect(try firstEstimate("mediasoup", "estimator: {up: gcc}") == 600_000)
    #expect(try firstEstimate("mediasoup", "estimator: {down: gcc}") == 600_000)
    // Signal's initial_target_send_rate_kbps.
    #expect(try firstEstimate("signal") == 800_000)
    #expect(try firstEstimate("{name: signal, initial-estimate: 700 kbps}") == 700_000)
    #expect(try firstEstimate("livekit") == 300_000)
  }

  @Test func isTheScenariosWhereItNamesOne() throws {
    #expect(try firstEstimate("jitsi", "estimator: {name: gcc, start: 1 Mbps}") == 1_000_000)
    #expect(try firstEstimate("jitsi", "estimator: {up: gcc, down: {name: gcc, start: 1 Mbps}}") == 1_000_000)
    #expect(try firstEstimate("signal", "estimator: {name: gcc, start: 1 Mbps}") == 1_000_000)
    // The oracle knows the capacity.
    #expect(try firstEstimate("jitsi", "estimator: oracle") == 20_000_000)
  }

  /// Jitsi Videobridge's min-bw and max-bw, Signal's min_target_send_rate_kbps and max_target_send_rate_kbps.
  @Test(arguments: [
    ("jitsi", "29999 bps", 30_000), ("jitsi", "30001 bps", 30_001), ("jitsi", "20000001 bps", 20_000_000),
    ("jitsi", "19999999 bps", 19_999_999), ("{name: jitsi, maximum-estimate: 9 Mbps}", "10 Mbps", 9_000_000),
    ("signal", "99999 bps", 100_000), ("signal", "100001 bps", 100_001),
    ("signal", "30000001 bps", 30_000_000), ("signal", "29999999 bps", 29_999_999),
    ("{name: signal, minimum-estimate: 200 kbps}", "150 kbps", 200_000),
  ])
  func isWithinTheBoundsOfTheServer(policy: String, start: String, estimate: Int) throws {
    #expect(try firstEstimate(policy, "estimator: {down: {name: gcc, start: \(start)}}") == estimate)
  }

  /// The scenario's bounds replace the server's, and those of another estimator stay its own.
  @Test func boundsAreTheScenariosWhereItNamesThem() throws {
    func first(_ settings: String) throws -> Int? {
      try firstEstimate("jitsi", "estimator: {down: {name: \(settings)}}")
    }
    #expect(try first("gcc, start: 25 Mbps, maximum: 24 Mbps") == 24_000_000)
    #expect(try first("gcc, start: 10 kbps, minimum: 8 kbps") == 10_000)
    #expect(try first("gcc-2019, start: 25 Mbps") == 25_000_000)
  }
}
