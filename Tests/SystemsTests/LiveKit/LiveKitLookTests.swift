import Allocation
import CongestionControl
import Ladder
import Quantity
import Systems
import Testing
import Vendors

/// Periodic work of LiveKit's server: round trips, and congestion that nothing can end.
@Suite("LiveKit's periodic work")
struct LiveKitLookTests {
  private func at(_ seconds: Double) -> SimTime { SimTime(nanoseconds: Int64((seconds * 1e9).rounded())) }

  /// A server with one track of 50, 100 and 150 / 660, 1320 and 2000 kbps, congested at 2.2 s by a falling estimate.
  private func congested(at capacity: Int64, allowsPause: Bool = false) -> LiveKitServer {
    var parameters = LiveKitServerParameters()
    parameters.allowsPause = allowsPause
    var server = LiveKitServer(parameters, at: .zero)
    let rates: [[Int64]] = [[50_000, 100_000, 150_000], [660_000, 1_320_000, 2_000_000]]
    let layers = rates.enumerated().flatMap { encoding, rates in
      rates.enumerated().map { temporal, rate in
        Layer(
          id: LayerID(encoding: encoding, temporal: temporal),
          format: VideoFormat(
            encoding == 0 ? .p180 : .p720, milliFramesPerSecond: [7500, 15_000, 30_000][temporal]),
          bitrate: BitRate(bitsPerSecond: rate))
      }
    }
    let wish = Subscription(source: 0, requested: VideoFormat(.p720, framesPerSecond: 30), offers: layers)
    let measured = MeasuredLayers(
      rates: rates.map { $0.map { BitRate(bitsPerSecond: $0) } }, available: [0, 1], highestSeen: 1,
      highestTemporalSeen: 2)
    _ = server.handle(.subscribe(wish, measured), at: .zero)
    _ = server.handle(.forwarded(server.decision(on: 0)?.layer, source: 0), at: .zero)
    for index in 0..<12 {
      let estimate = BitRate(bitsPerSecond: capacity + Int64(11 - index) * 100)
      _ = server.handle(
        .report(.estimate(estimate, packets: 10, repeatedNACKs: 0)), at: at(0.2 * Double(index)))
    }
    _ = server.handle(.forwarded(server.decision(on: 0)?.layer, source: 0), at: at(2.2))
    return server
  }

  /// Wakes a server; returns the details of its probe records.
  private func wake(
    _ server: inout LiveKitServer, sentBytes: Int64, roundTrip: SimDuration?, at now: SimTime
  ) -> [String] {
    server.handle(.timer(sentBytes: sentBytes, roundTrip: roundTrip, nil), at: now).compactMap { action in
      if case .record(let event) = action, event.name == "probe" { event.detail } else { nil }
    }
  }

  /// The first run reads 270 ms, and later runs read nothing for 30 s: five round trips of 170 ms after the probe's
  /// end.
  @Test func theRoundTripIsReadAtTheFirstLookAndNotAgainForHalfAMinute() {
    var server = congested(at: 800_000)
    _ = wake(&server, sentBytes: 0, roundTrip: .milliseconds(270), at: at(2.3))
    for index in 0..<8 {
      let estimate = BitRate(bitsPerSecond: 800_000 + Int64(index) * 1000)
      _ = server.handle(
        .report(.estimate(estimate, packets: 10, repeatedNACKs: 0)), at: at(3 + 0.1 * Double(index)))
    }
    // From 660 to 1320 kbps: 660 + 1.2 x 660.
    #expect(
      wake(&server, sentBytes: 0, roundTrip: .seconds(1), at: at(3.8)) == ["begins: 1452 kbps for 200 ms"])
    #expect(wake(&server, sentBytes: 50_000, roundTrip: .seconds(1), at: at(4.01)).isEmpty)
    #expect(wake(&server, sentBytes: 50_000, roundTrip: .seconds(1), at: at(4.855)).isEmpty)
    #expect(wake(&server, sentBytes: 50_000, roundTrip: .seconds(1), at: at(4.955)) == ["inconclusive"])
  }

  /// Not even the lowest layer fits, so nothing is sent that could end the congestion: after more than 5 s the
  /// estimator is restarted, and may probe.
  @Test func whereNothingIsSentTheCongestionIsForgotten() {
    var server = congested(at: 10_000, allowsPause: true)
    #expect(server.decision(on: 0)?.layer == nil)
    // The third run starts a new estimator, and the fourth probes.
    let probes = [2.3, 7.3, 7.4, 7.5].map {
      wake(&server, sentBytes: 5000, roundTrip: nil, at: at($0)).count
    }
    #expect(probes == [0, 0, 0, 1])
  }

  @Test func whereSomethingIsSentItIsNot() {
    var server = congested(at: 60_000)
    for tenth in 23...120 {
      #expect(wake(&server, sentBytes: 5000, roundTrip: nil, at: at(Double(tenth) / 10)).isEmpty)
    }
  }
}
