import CongestionControl
import Endpoint
import Network
import Parameters
import Plan
import Quantity
import Serving
import SimulationKernel
import Systems
import TestSupport
import Testing
import Transport

private let v = ServingBench.v

@Suite("Repairs at the SFU")
struct RetransmissionTests {
  /// Eight packets of `a`, numbered 0 to 7 towards v; the last leaves at 70 ms.
  private func bench(_ system: PlainSystem = PlainSystem()) throws -> ServingBench {
    var bench = try ServingBench(system)
    bench.decide(v, 0)
    bench.arrive("K2120212")
    return bench
  }

  /// Answers a sender report after 20 ms, without delay at the viewer: a round trip of nearly 20 ms, in units of
  /// 1/65536 s.
  private func measureRoundTrip(on bench: inout ServingBench, reported: Int64) {
    bench.wires.net.endpoints.receiveReceiverReport(
      Packet(
        sentAt: .ms(reported + 20), size: 74, sequence: 0, kind: PacketKind.receiverReport.rawValue,
        frame: ReportExchange.stamp(.ms(reported)), index: 1, count: 0),
      on: Path.down(v), at: .ms(reported + 20))
  }

  @Test func packetsAreRepeatedOncePerRoundTrip() throws {
    var bench = try bench()
    bench.requestPackets(3, count: 2, by: v)
    // The round trip counts as 31.25 ms.
    for time: Int64 in [111, 112] {
      bench.run(to: time)
      bench.requestPackets(3, by: v)
    }
    bench.requestPackets(8, by: v)
    bench.run(to: 114)
    let repeated = bench.wires.packets(.videoRetransmission, on: Path.down(v))
    #expect(repeated.map(\.time) == [80, 80, 112])
    #expect(repeated.map(\.packet.sequence) == [3, 4, 3])
    // RFC 4588 puts the original number before the payload.
    #expect(repeated.allSatisfy { $0.packet.size == ServingBench.size + 2 })
  }

  @Test func repairsTakeHalfOfTheDownlinkAtMost() throws {
    var bench = try bench()
    // Half of 80 kbit/s is 5000 bytes in a second: four packets of 1002 bytes, but not a fifth.
    bench.wires.net.endpoints.observe(Path.down(v), capacity: .kilobits(80), at: .ms(80))
    bench.requestPackets(0, count: 8, by: v)
    // After a quarter of a second, three quarters of 4008 bytes still count: 3006, and a fifth packet fits.
    bench.run(to: 330)
    bench.requestPackets(4, count: 4, by: v)
    bench.run(to: 332)
    let repeated = bench.sequences(.videoRetransmission, to: v)
    #expect(repeated == [0, 1, 2, 3, 4])
  }

  @Test func packetsOfTheFormerEncodingAreNotRepeated() throws {
    var bench = try bench()
    bench.decide(v, 1)
    bench.arrive("", "K2")
    bench.requestPackets(6, count: 4, by: v)
    bench.run(to: 102)
    // b started with number 8.
    let repeated = bench.sequences(.videoRetransmission, to: v)
    #expect(repeated == [8, 9])
  }

  @Test func aServersOwnLimitCountsByPacket() throws {
    var system = PlainSystem()
    system.traits.forwarding.repairs = .limited(count: 2, spacing: .milliseconds(100))
    system.traits.forwarding.layerWindow = .init(length: .seconds(1), silence: .seconds(1))
    var bench = try bench(system)
    // The spacing is 62.5 ms, two round trips of 31.25 ms, and the third request exceeds the limit.
    for time: Int64 in [80, 142, 143, 210] {
      bench.run(to: time)
      bench.requestPackets(3, by: v)
    }
    bench.run(to: 212)
    let times = bench.wires.times(.videoRetransmission, on: Path.down(v))
    #expect(times == [80, 143])
  }

  /// Packet 3 is captured at 30 ms, packet 7 at 70 ms.
  @Test func withoutAReportPacketsAreRepeatedAfterAFixedTimeUntilTheyAreTooOld() throws {
    var system = PlainSystem()
    system.traits.forwarding.repairs = .oncePerReportedRoundTrip(
      unknown: .milliseconds(100), age: .milliseconds(252))
    var bench = try bench(system)
    for time: Int64 in [80, 180, 181, 282] {
      bench.run(to: time)
      bench.requestPackets(3, by: v)
      if time == 282 { bench.requestPackets(7, by: v) }
    }
    bench.run(to: 284)
    let repeated = bench.wires.packets(.videoRetransmission, on: Path.down(v))
    #expect(repeated.map(\.time) == [80, 181, 282])
    #expect(repeated.map(\.packet.sequence) == [3, 3, 7])
  }

  /// A report on a sender report from before the stream started, at 40 ms, says nothing about the stream.
  @Test(arguments: [(reported: 30, next: 191), (reported: 60, next: 110)] as [(Int64, Int64)])
  func aReportedRoundTripIsThatOfTheStreamItself(reported: Int64, next: Int64) throws {
    var system = PlainSystem()
    system.traits.forwarding.repairs = .oncePerReportedRoundTrip(
      unknown: .milliseconds(100), age: .seconds(2))
    var bench = try ServingBench(system)
    bench.run(to: 40)
    bench.decide(v, 0)
    bench.arrive("K2120")
    bench.requestPackets(3, by: v)
    // Truncated to 19 ms.
    measureRoundTrip(on: &bench, reported: reported)
    for time: Int64 in [109, 110, 190, 191] {
      bench.run(to: time)
      bench.requestPackets(3, by: v)
    }
    bench.run(to: 193)
    let times = bench.wires.times(.videoRetransmission, on: Path.down(v))
    #expect(times.prefix(2) == [90, next])
  }

  /// Packet 7 leaves at 70 ms. Of a round trip of 31.25 ms, all but 5 ms or nine tenths have to pass since the packet was
  /// last sent: 26.25 or 28.125 ms.
  @Test(arguments: [(margin: 5, times: [97, 124]), (margin: 1, times: [99, 128])] as [(Int64, [Int64])])
  func aPacketIsRepeatedOnceItCanHaveArrived(margin: Int64, times: [Int64]) throws {
    var system = PlainSystem()
    system.traits.forwarding.repairs = .afterRoundTrip(percent: 90, margin: .milliseconds(margin))
    var bench = try bench(system)
    for time: Int64 in 80...130 {
      bench.run(to: time)
      bench.requestPackets(7, by: v)
    }
    bench.run(to: 132)
    let repeated = bench.wires.times(.videoRetransmission, on: Path.down(v))
    #expect(repeated == times)
  }

  @Test func beforeARoundTripIsKnownEveryRequestIsAnswered() throws {
    var system = PlainSystem()
    system.traits.forwarding.repairs = .afterRoundTrip(percent: 90, margin: .milliseconds(5))
    system.traits.forwarding.sending = .unpaced
    let gcc = try #require(Registry.estimators["gcc"])
    var bench = try ServingBench(system) { $0.estimator = gcc.configuration() }
    bench.decide(v, 0)
    bench.arrive("K2120212")
    for time: Int64 in [85, 87] {
      bench.run(to: time)
      bench.requestPackets(7, by: v)
    }
    bench.run(to: 89)
    let times = bench.wires.times(.videoRetransmission, on: Path.down(v))
    #expect(times == [85, 87])
  }

  /// A track short of bandwidth gets no repairs while it waits for a lower encoding, and then none of the higher one.
  @Test func aTrackShortOfBandwidthGetsNoRepairsOfAHigherEncoding() throws {
    var system = PlainSystem()
    system.traits.forwarding.repairs = .limited(count: 5, spacing: .milliseconds(10))
    system.traits.forwarding.layerWindow = .init(length: .seconds(1), silence: .seconds(1))
    var bench = try ServingBench(system)
    bench.decide(v, 1)
    bench.arrive("....", "K212")
    bench.requestPackets(3, by: v)
    bench.run(to: 60)
    bench.decide(v, 0, stops: true)
    bench.requestPackets(3, by: v)
    bench.run(to: 80)
    bench.arrive("K2")
    bench.requestPackets(3, count: 3, by: v)
    bench.run(to: 120)
    // Without a shortage the former encoding's packets are repeated.
    bench.decide(v, 0)
    bench.requestPackets(3, by: v)
    bench.run(to: 122)
    #expect(bench.sequences(.videoRetransmission, to: v) == [3, 4, 5, 3])
    #expect(bench.wires.times(.videoRetransmission, on: Path.down(v)) == [40, 100, 100, 120])
  }

  @Test func aServerMayRepeatPacketsOfTheFormerEncoding() throws {
    var system = PlainSystem()
    system.traits.forwarding.repairs = .oncePerReportedRoundTrip(
      unknown: .milliseconds(100), age: .seconds(2))
    var bench = try bench(system)
    bench.decide(v, 1)
    bench.arrive("", "K2")
    bench.requestPackets(6, count: 4, by: v)
    bench.run(to: 102)
    #expect(bench.sequences(.videoRetransmission, to: v) == [6, 7, 8, 9])
  }

  /// Where layers are measured, so are packets: those sent and those retransmitted.
  @Test func nothingIsRepeatedDuringTheWaitForARequestedKeyFrame() throws {
    var system = PlainSystem()
    system.traits.forwarding.repairs = .limited(count: 5, spacing: .milliseconds(10))
    system.traits.forwarding.layerWindow = .init(length: .seconds(1), silence: .seconds(1))
    var bench = try bench(system)
    bench.requestPackets(3, by: v)
    bench.run(to: 90)
    bench.requestKeyFrame(by: v)
    bench.requestPackets(3, by: v)
    bench.run(to: 100)
    bench.arrive("K")
    bench.requestPackets(3, by: v)
    bench.run(to: 112)
    let times = bench.wires.times(.videoRetransmission, on: Path.down(v))
    #expect(times == [80, 110])
    // Nine packets of 1000 bytes and two of 1002, without 38 bytes around RTP.
    let sent = bench.sfu.forwarder.egress.sent[v]
    #expect(sent.packets == 9 && sent.repeatedNACKs == 1)
    #expect(sent.bytes == 9 * 962 + 2 * 964)
  }

  @Test func aProbeRepeatsTheLastPacketsUntilItIsLargeEnough() throws {
    var system = PlainSystem()
    system.traits.forwarding.probePackets = 4
    system.traits.forwarding.layerWindow = .init(length: .seconds(1), silence: .seconds(1))
    var bench = try bench(system)
    // Of packets 4 to 7, three suffice for 2000 bytes: 964 each.
    let bytes = bench.sendProbe(of: 2000, to: v)
    bench.run(to: 82)
    #expect(bytes == 3 * 964)
    let repeated = bench.sequences(.videoRetransmission, to: v)
    #expect(repeated == [4, 5, 6])
  }
}
