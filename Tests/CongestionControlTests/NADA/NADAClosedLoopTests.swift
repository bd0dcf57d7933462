import CongestionControl
import Quantity
import Testing

/// Links of RFC 8867 section 4: 50 ms one way, a drop-tail queue of 300 ms.
@Suite("NADA through a bottleneck")
struct NADAClosedLoopTests {
  @Test func oneFlowConvergesToTheCapacity() {
    var link = SharedLink([(.zero, .megabits(1))], starts: [.zero])
    link.run(until: seconds(5))
    // Ramp-up steps may build queues of 50 ms, which are seen a round trip late.
    #expect(link.wait(quantile: 1) < 100 && link.drops == 0)
    link.run(until: seconds(20))
    let rates = link.measure(for: .seconds(40))
    #expect(rates[0] > 0.9e6 && rates[0] <= 1.01e6, "\(rates)")
    // The queue settles where equation 5 is zero: XREF x RMAX / 1 Mbps.
    #expect(abs(link.wait(quantile: 0.5) - 15) < 0.5)
    #expect(link.wait(quantile: 1) < 20 && link.drops == 0)
  }

  @Test func aFallAndARiseOfTheCapacityAreFollowed() {
    var link = SharedLink(
      [(.zero, .megabits(1)), (seconds(20), .kilobits(600)), (seconds(40), .megabits(1))], starts: [.zero])
    link.run(until: seconds(20))
    _ = link.measure(for: .seconds(2))
    #expect(link.drops > 0, "the fall fills the queue")
    // The queue drains; the return takes some seconds of ramp-up.
    #expect(link.measure(for: .seconds(1))[0] < 0.6e6)
    link.run(until: seconds(28))
    let low = link.measure(for: .seconds(12))[0]
    #expect(low > 0.54e6 && low <= 0.61e6, "\(low)")
    // A signal of 25 ms, of which 6.4 ms is the longer serialization of a packet on the slower link than in the base
    // delay.
    #expect(abs(link.wait(quantile: 0.5) - 18.6) < 0.5)
    #expect(link.drops == 0)
    link.run(until: seconds(45))
    let high = link.measure(for: .seconds(15))[0]
    #expect(high > 0.9e6 && high <= 1.01e6, "\(high)")
    #expect(link.wait(quantile: 0.95) < 50 && link.drops == 0)
  }

  /// RFC 8867 section 5.4; RFC 8868 requires ratios of 0.333 to 3 over 20 s.
  @Test(arguments: [[0.0, 0, 0], [0.0, 20, 40]])
  func threeFlowsShare(starts: [Double]) {
    var link = SharedLink([(.zero, .kilobits(3500))], starts: starts.map { seconds($0) })
    link.run(until: seconds(60))
    for _ in 0..<3 {
      let rates = link.measure(for: .seconds(20))
      let total = rates.reduce(0, +)
      #expect(total > 0.9 * 3.5e6 && total <= 1.01 * 3.5e6, "\(rates)")
      let ratio = (rates.max() ?? 0) / (rates.min() ?? 1)
      #expect(ratio < 3, "\(rates)")
      #expect(link.wait(quantile: 0.95) < 50 && link.drops == 0)
    }
    let last = link.measure(for: .seconds(20))
    #expect((last.max() ?? 0) / (last.min() ?? 1) < 1.2, "\(last)")
  }

  @Test func priorityBuysAShare() {
    // RFC 8867 section 6.1 requires about twice the rate at twice the priority; equation 5 makes rates proportional to
    // priority if all flows see the same queue: 1, 0.5 and 0.5 on 2 Mbps. Without jitter the flows' packets keep their
    // positions in each other's gaps, so their queues differ by up to one packet, 4.8 ms of some 30.
    var double = NADAParameters()
    double.priority = 2
    var link = SharedLink(
      [(.zero, .kilobits(2000))], starts: [.zero, .zero, .zero], parameters: [double, .init(), .init()])
    link.run(until: seconds(100))
    let rates = link.measure(for: .seconds(20))
    #expect(abs(rates[0] / rates[1] - 2) < 0.35 && abs(rates[0] / rates[2] - 2) < 0.35, "\(rates)")
  }

  @Test func anOutageIsSurvived() {
    var link = SharedLink(
      [(.zero, .megabits(1)), (seconds(20), .kilobits(1)), (seconds(25), .megabits(1))], starts: [.zero])
    link.run(until: seconds(24.9))
    #expect(link.rates[0] == .kilobits(150), "halved to RMIN without feedback")
    link.run(until: seconds(60))
    let rates = link.measure(for: .seconds(10))
    #expect(rates[0] > 0.9e6, "\(rates)")
  }
}
