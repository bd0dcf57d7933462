import CongestionControl
import Quantity
import Testing
import Transport

@Suite("Send log")
struct SendLogTests {
  /// Five packets of an old connection, two of them covered by feedback, and three of a new one, the first of which is
  /// lost.
  @Test func aNewConnectionReportsNoPacketOfTheOldOne() {
    var log = SendLog()
    var arrivals = ArrivalLog()
    defer {
      log.deallocate()
      arrivals.deallocate()
    }
    var results: [PacketResult] = []
    func send(_ count: Int) {
      for _ in 0..<count { _ = log.append(size: 1000, probeCluster: -1, at: .zero) }
    }
    send(5)
    arrivals.append(0, at: .zero)
    arrivals.append(1, at: .zero)
    log.resolve(base: 0, arrivals: arrivals, places: 0..<2, into: &results)
    #expect(results.map(\.packet.sequence) == [0, 1])

    log.beginConnection()
    #expect(log.takeUntold() == nil)
    send(3)
    arrivals.append(6, at: .zero)
    arrivals.append(7, at: .zero)
    log.resolve(base: 5, arrivals: arrivals, places: 2..<4, into: &results)
    #expect(results.map(\.packet.sequence) == [5, 6, 7])
    #expect(results.map(\.isReceived) == [false, true, true])
  }
}
