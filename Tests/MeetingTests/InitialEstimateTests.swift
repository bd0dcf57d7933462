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
    #expect(try firstEstimate("signal") == 300_000)
  }

  @Test func isTheScenariosWhereItNamesOne() throws {
    #expect(try firstEstimate("jitsi", "estimator: {name: gcc, start: 1 Mbps}") == 1_000_000)
    #expect(try firstEstimate("jitsi", "estimator: {up: gcc, down: {name: gcc, start: 1 Mbps}}") == 1_000_000)
    // The oracle knows the capacity.
    #expect(try firstEstimate("jitsi", "estimator: oracle") == 20_000_000)
  }
}
