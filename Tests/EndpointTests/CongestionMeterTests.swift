import CongestionControl
import Endpoint
import Quantity
import Systems
import Testing

@Suite("Signs of congestion from feedback")
struct CongestionMeterTests {
  /// - Parameter delays: one-way delays of the packets [ms]; `nil` for a lost packet.
  private func results(_ delays: [Int64?]) -> [PacketResult] {
    delays.enumerated().map { index, delay in
      let sent = SimTime.zero + .milliseconds(10 * Int64(index))
      let packet = SentPacket(sequence: Int64(index), sentAt: sent, size: 1000, probeCluster: -1)
      return PacketResult(packet: packet, receivedAt: delay.map { sent + .milliseconds($0) })
    }
  }

  private func time(_ seconds: Double) -> SimTime {
    .zero + SimDuration(nanoseconds: Int64(seconds * 1e9))
  }

  /// The queuing delay is the excess of a period's shortest one-way delay over the shortest known, which is remembered
  /// for the current ten seconds and the ten before.
  @Test func theShortestWayIsKnownForTwoSpans() {
    var meter = CongestionMeter()
    var delays: [SimDuration] = []
    for (second, ways) in [(1.0, [40, 35]), (2, [50, 60]), (11, [55]), (12, [47]), (22, [49]), (33, [60])] {
      meter.add(results(ways.map { Int64($0) }))
      delays.append(meter.takeSigns(at: time(second)).queueDelay)
    }
    #expect(delays == [0, 15, 20, 12, 2, 11].map { .milliseconds($0) })
  }

  @Test func aPeriodWithoutFeedbackKeepsTheQueue() {
    var meter = CongestionMeter()
    meter.add(results([30]))
    _ = meter.takeSigns(at: time(0.2))
    meter.add(results([42]))
    #expect(meter.takeSigns(at: time(0.4)).queueDelay == .milliseconds(12))
    #expect(meter.takeSigns(at: time(0.6)).queueDelay == .milliseconds(12))
  }

  /// Five of twenty packets over five periods; with nineteen no loss is reported.
  @Test(arguments: [(15, 5, 0.25), (14, 5, 0)])
  func lossIsCountedFromTwentyPacketsOn(received: Int, lost: Int, share: Double) {
    var meter = CongestionMeter()
    meter.add(results(Array(repeating: 30, count: received)))
    _ = meter.takeSigns(at: time(0.2))
    meter.add(results(Array(repeating: nil, count: lost)))
    #expect(meter.takeSigns(at: time(0.4)).loss == share)
  }

  /// The sixth report no longer includes the first period.
  @Test func lossIsForgottenAfterFivePeriods() {
    var meter = CongestionMeter()
    meter.add(results([nil, nil]))
    var losses: [Double] = []
    for period in 1...7 {
      meter.add(results(Array(repeating: 30, count: 38)))
      losses.append(meter.takeSigns(at: time(0.2 * Double(period))).loss)
    }
    #expect(losses.map { $0 > 0 } == [true, true, true, true, true, false, false])
    #expect(losses[0] == 0.05)
  }
}
