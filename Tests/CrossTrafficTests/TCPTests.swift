import CrossTraffic
import Quantity
import Testing

@Suite("TCP")
struct TCPTests {
  /// A single server of 2 Mbit/s with a drop-tail queue of 300 ms and 25 ms each way, and flows over it.
  private struct Bottleneck {
    var senders: [TCPSender]
    var receivers: [TCPReceiver]
    var delivered: [Int]
    var now: Int64 = 0
    var outage: Range<Int64> = 0..<0
    private var freeAt: Int64 = 0
    private var flying: [(at: Int64, flow: Int, segment: TCPSegment)] = []
    private var acknowledgements: [(at: Int64, flow: Int, number: UInt32, echo: SimTime)] = []

    init(_ senders: [TCPSender]) {
      self.senders = senders
      receivers = senders.map { _ in TCPReceiver() }
      delivered = senders.map { _ in 0 }
    }

    mutating func run(until end: Int64) {
      while now < end {
        for flow in senders.indices {
          if senders[flow].deadline.nanoseconds <= now {
            senders[flow].timeout(at: SimTime(nanoseconds: now))
          }
          while let segment = senders[flow].next(at: SimTime(nanoseconds: now)) {
            let start = max(freeAt, now)
            if start - now > 300_000_000 || outage.contains(now) { continue }
            freeAt = start + 6_000_000
            flying.append((freeAt + 25_000_000, flow, segment))
          }
        }
        while let first = flying.first, first.at <= now {
          flying.removeFirst()
          delivered[first.flow] += 1
          let number = receivers[first.flow].receive(first.segment.number)
          acknowledgements.append((now + 25_000_000, first.flow, number, first.segment.sentAt))
        }
        while let first = acknowledgements.first, first.at <= now {
          acknowledgements.removeFirst()
          senders[first.flow].acknowledge(first.number, echo: first.echo, at: SimTime(nanoseconds: now))
        }
        now += 500_000
      }
    }
  }

  private let second: Int64 = 1_000_000_000

  /// C = 0.4, a cut from 100 to 70 segments: K = cbrt(75) = 4.217 s.
  @Test func theCubicCurveIsThatOfTheRFC() {
    #expect(abs(TCPSender.cubic(0, before: 100, after: 70) - 70) < 1e-9)
    #expect(abs(TCPSender.cubic(4.217163, before: 100, after: 70) - 100) < 1e-6)
    #expect(abs(TCPSender.cubic(5.217163, before: 100, after: 70) - 100.4) < 1e-5)
  }

  @Test func slowStartDoublesTheWindowWithEachRoundTrip() {
    var sender = TCPSender(control: .reno)
    var now = SimTime.zero
    var sizes: [Int] = []
    for _ in 0..<4 {
      var segments: [TCPSegment] = []
      while let segment = sender.next(at: now) { segments.append(segment) }
      sizes.append(segments.count)
      now += .milliseconds(100)
      for segment in segments { sender.acknowledge(segment.number + 1, echo: segment.sentAt, at: now) }
    }
    #expect(sizes == [10, 20, 40, 80])
  }

  /// First sample R: SRTT = R, RTTVAR = R / 2, RTO = 3 R; then 7/8, 3/4 and 1/4 of the difference.
  @Test func timeoutsAreThoseOfRFC6298() {
    var sender = TCPSender(control: .reno)
    _ = sender.next(at: .zero)
    _ = sender.next(at: .zero)
    sender.acknowledge(1, echo: .zero, at: .zero + .milliseconds(200))
    #expect(abs(sender.timeout - 0.6) < 1e-9)
    sender.acknowledge(2, echo: .zero, at: .zero + .milliseconds(280))
    // SRTT 210 ms, RTTVAR 75 + 20 = 95 ms.
    #expect(abs(sender.timeout - 0.59) < 1e-9)
  }

  @Test func threeDuplicatesRepeatTheMissingSegmentAndHalveTheWindow() {
    var sender = TCPSender(control: .reno)
    while sender.next(at: .zero) != nil {}
    let now = SimTime.zero + .milliseconds(100)
    for _ in 0..<3 { sender.acknowledge(0, echo: .zero, at: now) }
    #expect(sender.threshold == 5)
    let repeated = sender.next(at: now)
    #expect(repeated?.number == 0)
    sender.acknowledge(10, echo: now, at: now + .milliseconds(100))
    #expect(sender.window == 5)
  }

  @Test(arguments: TCPCongestionControl.allCases)
  func aLongFlowFillsItsLink(control: TCPCongestionControl) {
    var path = Bottleneck([TCPSender(control: control)])
    path.run(until: 60 * second)
    #expect(Double(path.delivered[0]) * 1500 * 8 / 60 > 0.9 * 2e6)
  }

  @Test func equalFlowsShareAlike() {
    var path = Bottleneck([TCPSender(control: .cubic), TCPSender(control: .cubic)])
    path.run(until: 120 * second)
    let share = Double(path.delivered[0]) / Double(path.delivered[0] + path.delivered[1])
    #expect(abs(share - 0.5) < 0.1)
  }

  @Test func aFiniteTransferEndsInSpiteOfAnOutage() {
    var path = Bottleneck([TCPSender(control: .cubic, segments: 2_000)])
    path.outage = 3 * second..<8 * second
    path.run(until: 60 * second)
    #expect(path.senders[0].isFinished)
    #expect(path.delivered[0] >= 2_000)
  }
}
