import CongestionControl
import Network
import Quantity
import Testing
import Transport

/// Expectations of libwebrtc's `pacing_controller_unittest.cc`.
@Suite("Pacer")
struct PacerTests {
  /// A pacer whose packets are taken at the times that it requests.
  private struct Outlet {
    var pacer: Pacer
    var now = SimTime.zero
    var media: [SimTime] = []
    var padding: [(at: SimTime, bytes: Int64, probe: Int32)] = []
    var repairs = 0
    var probes: [Int32] = []

    init(
      _ rate: BitRate, padding: BitRate = .zero, _ change: (inout PacerParameters) -> Void = { _ in }
    ) {
      var parameters = PacerParameters()
      change(&parameters)
      pacer = Pacer(parameters: parameters, rate: rate)
      pacer.setRates(PathTarget(rate: rate, pacing: RateLimit(rate), padding: padding), at: .zero)
    }

    mutating func enqueue(_ count: Int, of size: UInt16, _ priority: PacketPriority = .video) {
      for _ in 0..<count {
        let kind: UInt8 = priority == .videoRetransmission ? 1 : 0
        pacer.enqueue(Packet(sentAt: now, size: size, kind: kind), priority, at: now)
      }
    }

    /// Takes everything that is due now.
    mutating func take() {
      while let departure = pacer.takeNext(at: now) {
        switch departure {
        case .packet(let packet, let probe):
          media.append(now)
          probes.append(probe)
          if packet.kind == 1 { repairs += 1 }
        case .padding(let bytes, let probe): padding.append((now, bytes, probe))
        }
      }
    }

    /// Advances from one send time to the next while a condition holds.
    mutating func run(while condition: (Outlet) -> Bool) {
      take()
      while condition(self), let due = pacer.nextSend(at: now) {
        now = max(now, due)
        take()
      }
    }
  }

  /// At 1.8 Mbps, 450 B leave every 2 ms with 38 of overhead each, until 15 ms' worth, 3375 B, have been sent: eight
  /// packets. At 12 Mbps, 3000 B take two packets of 1400 and one of 200.
  @Test(
    arguments: [
      (1800, [488, 488, 488, 488, 488, 488, 488, 488]), (12_000, [1438, 1438, 238, 1438, 1438]),
    ] as [(Int64, [Int64])])
  func probesHavePacketsOfTheirOwn(kilobits: Int64, bytes: [Int64]) {
    var outlet = Outlet(.kilobits(600)) {
      $0.probation = .init(smallest: 32, largest: 1400, aroundRTP: 38)
    }
    outlet.pacer.probe(
      ProbeCluster(
        id: 4, rate: .kilobits(kilobits), minimumPackets: 5, minimumDuration: .milliseconds(15),
        createdAt: .zero))
    #expect(outlet.pacer.currentProbe == 4)
    outlet.run { $0.pacer.currentProbe == 4 }
    #expect(outlet.padding.prefix(bytes.count).map(\.bytes) == bytes)
    #expect(outlet.padding.allSatisfy { $0.probe == 4 })
    if kilobits == 1800 {
      #expect(outlet.padding.count == 8)
      #expect(outlet.padding.map(\.at.nanoseconds) == (0..<8).map { $0 * 2_000_000 })
    }
  }

  private func milliseconds(_ duration: SimDuration) -> Double { Double(duration.nanoseconds) / 1e6 }

  /// Nothing has been sent yet: libwebrtc has no stream to pad on, but an SFU has one. 300 kbps is a packet of 317
  /// bytes every 8.5 ms.
  @Test(arguments: [false, true])
  func paddingBeforeAnyMediaIsAnSFUs(padsBeforeMedia: Bool) {
    var outlet = Outlet(.kilobits(600), padding: .kilobits(300)) { $0.padsBeforeMedia = padsBeforeMedia }
    defer { outlet.pacer.deallocate() }
    outlet.run { $0.padding.count < 100 }
    #expect(outlet.padding.count == (padsBeforeMedia ? 100 : 0))
    #expect(outlet.padding.allSatisfy { $0.bytes == 317 })
    guard padsBeforeMedia else { return }
    let rate = 99 * 317 * 8 / ((outlet.padding[99].at - outlet.padding[0].at).seconds)
    #expect(abs(rate - 300_000) < 3000, "\(rate)")
  }

  @Test func aBurstOfTwentyMillisecondsLeavesAtOnce() {
    var outlet = Outlet(BitRate(bitsPerSecond: 80_000)) { $0.burst = .milliseconds(20) }
    defer { outlet.pacer.deallocate() }
    outlet.enqueue(3, of: 100)
    outlet.take()
    #expect(outlet.media.count == 2)
    #expect(outlet.pacer.nextSend(at: outlet.now) == outlet.now + .milliseconds(20))
    outlet.run { $0.media.count < 3 }
    #expect(outlet.media.last == .zero + .milliseconds(20))
  }

  @Test func aBurstIsOneForPacketsThatComeApart() {
    var outlet = Outlet(BitRate(bitsPerSecond: 80_000)) { $0.burst = .milliseconds(20) }
    defer { outlet.pacer.deallocate() }
    outlet.enqueue(1, of: 200)
    outlet.take()
    outlet.now += .milliseconds(1)
    outlet.enqueue(1, of: 200)
    outlet.take()
    #expect(outlet.media.count == 2)
  }

  /// Packets worth 8 ms each, five every 5 ms: three leave at 0, 25, 50 and 75 ms.
  @Test func burstsKeepToTheRate() {
    var outlet = Outlet(.kilobits(1000)) { $0.burst = .milliseconds(20) }
    defer { outlet.pacer.deallocate() }
    for step in 0..<20 {
      outlet.now = .zero + .milliseconds(Int64(step) * 5)
      outlet.enqueue(5, of: 1000)
      outlet.take()
    }
    #expect(outlet.media.map { milliseconds($0.sinceStart) } == [0, 25, 50, 75].flatMap { [$0, $0, $0] })
    #expect(outlet.pacer.waitingPackets == 88)
  }

  @Test func aBurstHasSixtyThreeKilobytesAtMost() {
    var outlet = Outlet(.megabits(10)) { $0.burst = .milliseconds(100) }
    defer { outlet.pacer.deallocate() }
    outlet.enqueue(200, of: 1000)
    outlet.run { $0.pacer.waitingPackets > 70 }
    let bursts = Dictionary(grouping: outlet.media) { $0.nanoseconds }
    let times = bursts.keys.sorted()
    #expect(times.map { bursts[$0]?.count } == [63, 63, 63])
    for (one, next) in zip(times, times.dropFirst()) { #expect(abs(Double(next - one) / 1e6 - 50) <= 2) }
  }

  /// 40 ms at 2 Mbps is 40 packets of 250 B; ten times as many more take 400 ms, to within a millisecond.
  @Test func aQueueLeavesAtTheRate() {
    var outlet = Outlet(.kilobits(2000))
    defer { outlet.pacer.deallocate() }
    outlet.enqueue(440, of: 250)
    outlet.take()
    #expect(outlet.pacer.waitingPackets == 400)
    outlet.run { $0.pacer.waitingPackets > 0 }
    #expect(abs(milliseconds(outlet.now.sinceStart) - 400) <= 1)
  }

  /// Twice what the rate would send within the limit of one second still takes one second.
  @Test func theQueueLimitRaisesTheRate() {
    var outlet = Outlet(.kilobits(200)) { $0.queueLimit = .seconds(1) }
    defer { outlet.pacer.deallocate() }
    outlet.enqueue(500, of: 100)
    outlet.run { $0.pacer.waitingPackets > 0 }
    #expect(abs(milliseconds(outlet.now.sinceStart) - 1000) <= 0.001)
  }

  /// A packet worth 25 ms, and 50 ms later three more: silence earns no credit beyond the burst of 40 ms.
  @Test func silenceEarnsNothing() {
    var outlet = Outlet(.kilobits(320))
    defer { outlet.pacer.deallocate() }
    outlet.enqueue(1, of: 1000)
    outlet.take()
    outlet.now += .milliseconds(50)
    outlet.enqueue(3, of: 1000)
    outlet.take()
    #expect(outlet.media.count == 3)
    #expect(outlet.pacer.waitingPackets == 1)
  }

  @Test func repairsGoBeforeMedia() {
    var outlet = Outlet(.kilobits(2000))
    defer { outlet.pacer.deallocate() }
    for _ in 0..<40 {
      outlet.enqueue(1, of: 250)
      outlet.enqueue(1, of: 250, .videoRetransmission)
    }
    outlet.run { $0.pacer.waitingPackets > 40 }
    #expect(outlet.repairs == 40)
    #expect(outlet.media.count == 40)
  }

  @Test func paddingWaitsForMediaAndKeepsToItsRate() throws {
    var outlet = Outlet(.kilobits(2000), padding: .kilobits(800))
    defer { outlet.pacer.deallocate() }
    outlet.run { $0.now < .zero + .milliseconds(100) }
    #expect(outlet.padding.isEmpty)
    #expect(outlet.pacer.nextSend(at: outlet.now) == nil)
    outlet.enqueue(30, of: 1000)
    outlet.run { $0.padding.count < 10 }
    let first = try #require(outlet.padding.first)
    let last = try #require(outlet.padding.last)
    // 30 kB at the padding rate take 300 ms; the debt counts from the first packet.
    #expect(milliseconds(first.at.sinceStart) >= 299)
    let bytes = outlet.padding.dropLast().reduce(0) { $0 + $1.bytes }
    #expect(abs(Double(bytes) * 8000 / milliseconds(last.at - first.at) - 800_000) < 10)
  }

  /// 5 ms at 800 kbps is 500 B: media packets of up to three times that, plus 62 B of headers, are retransmitted as
  /// padding with 2 B more; larger ones are replaced by plain padding. At 480 kbps it is 300 B, so the limit is 960 B;
  /// at 72 kbps it is 45 B, too few for any.
  @Test(
    arguments: [
      (800, 1000, 1002), (800, 1600, 317), (480, 960, 962), (480, 961, 317), (72, 100, 317),
    ] as [(Int64, UInt16, Int64)])
  func paddingRepeatsTheLastPacket(kilobits: Int64, media: UInt16, padding: Int64) {
    var outlet = Outlet(.kilobits(2000), padding: .kilobits(kilobits))
    defer { outlet.pacer.deallocate() }
    outlet.enqueue(1, of: media)
    outlet.run { $0.padding.count < 3 }
    #expect(outlet.padding.map(\.bytes) == [padding, padding, padding])
  }

  /// 60 kB in 240 ms leave more than 30 kB of debt at 800 kbps, which 20 kbps would take 12 s to pay off: the debt is
  /// capped at what the current rate pays off in half a second.
  @Test func aLowerPaddingRateForgetsWhatAHigherOneOwed() {
    var outlet = Outlet(.kilobits(2000), padding: .kilobits(800))
    defer { outlet.pacer.deallocate() }
    outlet.enqueue(60, of: 1000)
    outlet.run { $0.media.count < 60 }
    outlet.pacer.setRates(
      PathTarget(rate: .kilobits(2000), pacing: .kilobits(2000), padding: .kilobits(20)), at: outlet.now)
    #expect(outlet.pacer.nextSend(at: outlet.now) == outlet.now + .milliseconds(500))
  }

  /// 900 bytes are paid off in 9 ms at the padding rate; 100 bytes of voice make it ten.
  @Test func aVoiceDelaysPadding() {
    for (voice, milliseconds) in [(0, 9), (100, 10)] as [(UInt16, Int64)] {
      var outlet = Outlet(.kilobits(2000), padding: .kilobits(800))
      defer { outlet.pacer.deallocate() }
      outlet.enqueue(1, of: 900)
      outlet.take()
      if voice > 0 { outlet.pacer.sendUnpaced(Packet(sentAt: .zero, size: voice), at: .zero) }
      #expect(outlet.pacer.nextSend(at: .zero) == .zero + .milliseconds(milliseconds))
    }
  }

  /// 40 ms at 1 Mbps is 5000 bytes. 4900 leave at once; with 200 bytes of voice, later packets wait until all of it is
  /// paid off.
  @Test func aVoiceTakesItsPartOfTheRate() {
    for (voice, milliseconds) in [(0, 0.0), (200, 40.8)] as [(UInt16, Double)] {
      var outlet = Outlet(.kilobits(1000))
      defer { outlet.pacer.deallocate() }
      outlet.enqueue(4, of: 1225)
      outlet.take()
      #expect(outlet.media.count == 4)
      if voice > 0 { outlet.pacer.sendUnpaced(Packet(sentAt: .zero, size: voice), at: .zero) }
      outlet.enqueue(1, of: 1000)
      outlet.run { $0.media.count < 5 }
      #expect(outlet.media.last == SimTime(nanoseconds: Int64(milliseconds * 1e6)))
    }
  }

  /// Two clusters of 1200-byte packets, at 900 and 1800 kbps: five packets each, the first after one byte of padding.
  @Test func probesKeepToTheirRatesAfterASmallPacket() throws {
    var outlet = Outlet(.kilobits(750)) { $0.paddingPacketSize = 1 }
    defer { outlet.pacer.deallocate() }
    for (id, kilobits) in [(0, 900), (1, 1800)] {
      outlet.pacer.probe(
        ProbeCluster(
          id: Int32(id), rate: .kilobits(Int64(kilobits)), minimumPackets: 5,
          minimumDuration: .milliseconds(15), createdAt: .zero))
    }
    outlet.enqueue(10, of: 1200)
    outlet.run { $0.media.count < 10 }
    #expect(outlet.probes == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    #expect(outlet.padding.map(\.probe) == [0, 1])
    #expect(outlet.padding.map(\.bytes) == [1, 1])
    for (first, last, rate) in [(0, 4, 900.0), (5, 9, 1800.0)] {
      let took = milliseconds(outlet.media[last] - outlet.media[first])
      #expect(abs(4 * 1200 * 8 / took - rate) <= 150, "\(rate)")
    }
  }

  /// A full padding packet is a burst of its own at 900 kbps: four media packets then complete the five.
  @Test func aProbeBeginsWithPadding() {
    var outlet = Outlet(.kilobits(750))
    defer { outlet.pacer.deallocate() }
    outlet.pacer.probe(
      ProbeCluster(
        id: 3, rate: .kilobits(900), minimumPackets: 5, minimumDuration: .milliseconds(15), createdAt: .zero))
    outlet.enqueue(10, of: 1200)
    outlet.run { $0.pacer.waitingPackets > 0 }
    #expect(outlet.padding.map(\.bytes) == [317])
    #expect(outlet.padding.map(\.at) == [.zero])
    #expect(outlet.probes.filter { $0 == 3 }.count == 4)
  }

  /// A packet that is already waiting does not start a probe; padding does.
  @Test func paddingCanBeginAProbe() {
    var outlet = Outlet(.kilobits(750), padding: .kilobits(300))
    defer { outlet.pacer.deallocate() }
    outlet.enqueue(1, of: 1000)
    outlet.run { $0.padding.count < 4 }
    outlet.pacer.probe(
      ProbeCluster(
        id: 1, rate: .kilobits(1000), minimumPackets: 5, minimumDuration: .milliseconds(15),
        createdAt: outlet.now))
    let before = outlet.padding.count
    outlet.run { $0.padding.count < before + 3 }
    #expect(outlet.padding[before...].contains { $0.probe == 1 })
  }

  /// Of four packets, two belong to an encoding that is off: the others keep their order.
  @Test func whatWaitsOfAStreamCanBeDropped() {
    var pacer = Pacer(rate: .kilobits(80))
    defer { pacer.deallocate() }
    for (index, stream) in ([1, 2, 1, 2] as [UInt16]).enumerated() {
      let priority: PacketPriority = index == 0 ? .videoRetransmission : .video
      pacer.enqueue(
        Packet(sentAt: .zero, size: 100, stream: stream, sequence: UInt32(index)), priority, at: .zero)
    }
    pacer.removeAll(of: 1, at: .zero)
    #expect(pacer.waitingPackets == 2 && pacer.waitingSize == ByteCount(200))
    var sequences: [UInt32] = []
    for milliseconds in 0..<100 {
      let now = SimTime.zero + .milliseconds(Int64(milliseconds))
      while case .packet(let packet, _)? = pacer.takeNext(at: now) { sequences.append(packet.sequence) }
    }
    #expect(sequences == [1, 3])
    #expect(pacer.waitingSize == ByteCount(0))
  }

  /// A media packet that does not wait starts the probe, which consists of padding: at 1.2 Mbps, a first packet, then
  /// 300 B in each 2 ms, for which the packet of 500 B is repeated.
  @Test func aPacketThatPassesStartsAProbeOfPadding() {
    var outlet = Outlet(.kilobits(300))
    outlet.pacer.probe(
      ProbeCluster(
        id: 7, rate: .kilobits(1200), minimumPackets: 5, minimumDuration: .milliseconds(15), createdAt: .zero)
    )
    #expect(outlet.pacer.nextSend(at: .zero) == nil)
    outlet.pacer.pass(Packet(sentAt: .zero, size: 500), at: .zero)
    outlet.run { $0.padding.count < 100 }
    #expect(outlet.media.isEmpty)
    #expect(outlet.padding.allSatisfy { $0.probe == 7 })
    #expect(outlet.padding.map(\.bytes) == [317] + Array(repeating: 502, count: 4))
  }
}
