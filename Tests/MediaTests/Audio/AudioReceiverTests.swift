import Media
import Quantity
import Statistics
import TestSupport
import Testing

@Suite("Audio receivers")
struct AudioReceiverTests {
  private static let packetTime: Int64 = 20_000_000

  private static func voice(_ sequence: UInt32, silent: Bool = false, captured: Int64? = nil) -> VoicePacket {
    VoicePacket(
      sequence: sequence,
      capturedAt: SimTime(nanoseconds: captured.map { $0 * 1_000_000 } ?? Int64(sequence) * packetTime),
      isSilent: silent)
  }

  /// Speech without a pause: each packet's one-way delay in milliseconds, or `nil` for a lost packet.
  private func hear(_ ways: [Int64?], receiver: inout AudioReceiver) -> AudioReception {
    let arrivals = ways.enumerated().compactMap { number, way in
      way.map { (at: Int64(number) * 20 + $0, number: UInt32(number)) }
    }.sorted { ($0.at, $0.number) < ($1.at, $1.number) }
    for arrival in arrivals {
      receiver.receive(Self.voice(arrival.number), at: .ms(arrival.at))
    }
    return receiver.takeCounts()
  }

  @Test(
    "A steady path conceals nothing; the delay begins at half of 80 ms and ends within the target's reach")
  func steady() {
    var receiver = AudioReceiver()
    let first = hear([30], receiver: &receiver)
    #expect(first.packetsPlayed == 1 && first.jitterBufferDelay == .milliseconds(40))
    for number in 1...500 as ClosedRange<UInt32> {
      receiver.receive(Self.voice(number), at: .ms(Int64(number) * 20 + 30))
    }
    let rest = receiver.takeCounts()
    #expect(rest.concealedSamples == 0 && rest.packetsLost == 0 && rest.packetsDiscarded == 0)
    #expect(receiver.targetDelay == .milliseconds(20))
    // From 40 ms up to the first target of 80 ms, then down to 20 + 20 ms: 40 ms each time, at 48 samples per ms.
    #expect(rest.insertedSamplesForDeceleration == 40 * 48)
    #expect(rest.removedSamplesForAcceleration == 40 * 48)
  }

  @Test(
    "The target is the bucket of 20 ms that 95 % of the half seconds stay below",
    arguments: [(5, 20), (19, 20), (20, 40), (75, 80), (130, 140)] as [(Int64, Int64)])
  func target(late: Int64, expected: Int64) {
    var receiver = AudioReceiver()
    // Every tenth packet is late and those behind it wait, so every half second has one and order is kept.
    _ = hear((0..<1000).map { max(30, 30 + late - Int64(($0 + 1) % 10) * 20) }, receiver: &receiver)
    #expect(receiver.targetDelay == .milliseconds(expected))
  }

  @Test("A half second in thirty with a late packet does not raise the target, one in ten does")
  func quantile() {
    func target(every: Int) -> SimDuration {
      var receiver = AudioReceiver()
      // 26 packets are 520 ms: one per round.
      let ways: [Int64] = (0..<26 * 600).map { (packet: Int) -> Int64 in
        let age = Int64((packet + 13) % (26 * every))
        return max(30, 95 - 20 * age)
      }
      _ = hear(ways, receiver: &receiver)
      return receiver.targetDelay
    }
    #expect(target(every: 30) == .milliseconds(20))
    #expect(target(every: 10) == .milliseconds(80))
  }

  @Test("A lost packet conceals 960 samples, two in a row make one event, and loss is counted once")
  func losses() {
    var receiver = AudioReceiver()
    var ways = [Int64?](repeating: 30, count: 200)
    for lost in [50, 100, 101] { ways[lost] = nil }
    let reception = hear(ways, receiver: &receiver)
    #expect(reception.packetsLost == 3 && reception.packetsReceived == 197 && reception.packetsPlayed == 197)
    #expect(reception.concealedSamples == 3 * 960 && reception.packetsDiscarded == 0)
    #expect(reception.concealmentEvents >= 2)
  }

  @Test("A packet that arrives behind a later one is played if its time has not come, else discarded")
  func reordered() {
    var receiver = AudioReceiver()
    var ways = [Int64?](repeating: 30, count: 300)
    // The first arrives 15 ms after its successor, within the delay; the second 200 ms after its own time.
    ways[20] = 65
    ways[200] = 250
    let reception = hear(ways, receiver: &receiver)
    #expect(reception.packetsReceived == 300 && reception.packetsLost == 0)
    #expect(reception.packetsDiscarded == 1 && reception.packetsPlayed == 299)
    #expect(reception.concealedSamples == 960)
  }

  @Test("A burst that is late as a whole is concealed until it arrives and is then played, not discarded")
  func stall() {
    var receiver = AudioReceiver()
    // At 30 s the path stalls for 500 ms and then delivers everything at once, in order.
    let ways: [Int64?] = (0..<2000).map { number in
      let sent = Int64(number) * 20
      return 30_000..<30_500 ~= sent ? 30_500 + 30 - sent : 30
    }
    let reception = hear(ways, receiver: &receiver)
    #expect(reception.packetsDiscarded == 0 && reception.packetsPlayed == 2000)
    // 500 ms less the buffered audio, in blocks of 10 ms.
    let concealed = Double(reception.concealedSamples) / 48
    #expect((440...500).contains(concealed))
    // The delay returns to its target: samples are removed again.
    #expect(Double(reception.removedSamplesForAcceleration) / 48 > 400)
  }

  @Test("An outage of a second conceals a second, at sampling as well as afterwards")
  func outage() {
    for samples in [[], [3200, 3400, 3700, 4000, 4300]] as [[Int64]] {
      var receiver = AudioReceiver()
      var total = AudioReception()
      var sampling = samples[...]
      for number in (0..<300 as Range<UInt32>) where !(150..<200 ~= number) {
        let at = Int64(number) * 20 + 30
        while let next = sampling.first, next <= at {
          sampling = sampling.dropFirst()
          receiver.conceal(until: .ms(next), spokenSince: .zero)
          total += receiver.takeCounts()
        }
        receiver.receive(Self.voice(number), at: .ms(at))
      }
      total += receiver.takeCounts()
      #expect(total.packetsLost == 50 && total.packetsPlayed == 250)
      #expect(total.concealedSamples == 50 * 960)
      #expect(total.concealmentEvents == 1)
    }
  }

  @Test("During an outage each interval has its own concealment")
  func outageByInterval() {
    var receiver = AudioReceiver()
    _ = hear([Int64?](repeating: 30, count: 100), receiver: &receiver)
    // The last packet was captured at 1980 ms and is played from 2050 ms (40 ms in the buffer) to 2070 ms.
    receiver.conceal(until: .ms(3000), spokenSince: .zero)
    let first = receiver.takeCounts()
    receiver.conceal(until: .ms(4000), spokenSince: .zero)
    let second = receiver.takeCounts()
    #expect(second.concealedSamples == 48_000 && second.packetsLost == 50)
    #expect((44...47).contains(first.packetsLost))
  }

  @Test("Pauses conceal nothing, announced by comfort noise or not, and neither do losses in them")
  func pauses() {
    for tells in [true, false] {
      var receiver = AudioReceiver()
      var sequence: UInt32 = 0
      var time: Int64 = 0
      for _ in 0..<20 {
        for _ in 0..<50 {
          receiver.receive(Self.voice(sequence, captured: time), at: .ms(time + 30))
          sequence += 1
          time += 20
        }
        if tells {
          receiver.receive(
            Self.voice(sequence, silent: true, captured: time), at: .ms(time + 30))
          // The next comfort packet is lost.
          sequence += 2
        }
        time += 800
      }
      receiver.conceal(until: .ms(time), spokenSince: .ms(time))
      let reception = receiver.takeCounts()
      #expect(reception.concealedSamples == 0 && reception.packetsPlayed == 1000)
      #expect(reception.packetsLost == (tells ? 19 : 0))
    }
  }

  @Test("In any order, with duplicates: packets played, lost and discarded add up")
  func conservation() {
    var draws = RandomStream(seed: 7, repetition: 0, name: "audio/any-order")
    for round in 0..<200 {
      var receiver = AudioReceiver()
      var total = AudioReception()
      let count = 400
      let isLossy = round % 2 == 0
      let jitter = Double(round % 10) * 30
      var arrivals: [(at: Int64, number: UInt32)] = []
      for number in 0..<count {
        if number > 0, number < count - 1, isLossy, draws.uniform() < 0.1 { continue }
        // No packet is more than a second late, which is how far back they are remembered.
        let at = Int64(number) * 20 + 30 + Int64(draws.uniform() * jitter)
        arrivals.append((at, UInt32(number)))
        if draws.uniform() < 0.05 { arrivals.append((at + 1, UInt32(number))) }
      }
      arrivals.sort { ($0.at, $0.number) < ($1.at, $1.number) }
      guard arrivals[0].number == 0 else { continue }
      let distinct = Set(arrivals.map(\.number)).count
      var nextSample: Int64 = 300
      for arrival in arrivals {
        while nextSample <= arrival.at {
          receiver.conceal(until: .ms(nextSample), spokenSince: .zero)
          total += receiver.takeCounts()
          nextSample += 300
        }
        receiver.receive(Self.voice(arrival.number), at: .ms(arrival.at))
      }
      receiver.conceal(
        until: .ms(Int64(count) * 20 + 31), spokenSince: .ms(3_600_000))
      total += receiver.takeCounts()
      #expect(Int(total.packetsReceived) == distinct)
      #expect(total.packetsPlayed + total.packetsDiscarded == total.packetsReceived)
      let last = arrivals.map(\.number).max() ?? 0
      #expect(Int(total.packetsLost) == Int(last) + 1 - distinct)
      #expect(total.concealedSamples >= 0 && total.jitterBufferDelay >= .zero)
      if jitter == 0 {
        #expect(total.concealedSamples <= Int64(total.packetsLost) * 960)
      }
    }
  }
}

extension AudioReceiver {
  /// The counts since the last call; empty if nothing arrived.
  fileprivate mutating func takeCounts() -> AudioReception { takeReception()?.reception ?? AudioReception() }
}

extension AudioReceiverTests {
  /// Returns the receiver of packets that take 30 ms, each of which repeats the one before.
  ///
  /// - Parameter period: length of a packet [ms].
  private func receiver(ofRepeating count: Int64, every period: Int64, missing: [Int64] = []) -> AudioReceiver
  {
    var receiver = AudioReceiver(packetTime: .milliseconds(period))
    for number in 0..<count where !missing.contains(number) {
      receiver.receive(
        VoicePacket(
          sequence: UInt32(number), capturedAt: .ms(number * period), isSilent: false,
          isRepeating: number > 0),
        at: .ms(number * period + 30))
    }
    return receiver
  }

  /// The first packet is played 40 ms after it arrived, so a retransmission 20 ms later is in time.
  @Test(
    "A packet that repeats the one before it makes up for that, not for the one before, if it comes in time",
    arguments: [([1], 0, 0), ([1, 2], 960, 1), ([1, 3], 0, 0)] as [([Int64], Int64, UInt32)])
  func repeatedPackets(missing: [Int64], concealed: Int64, events: UInt32) {
    var receiver = receiver(ofRepeating: 8, every: 20, missing: missing)
    let heard = receiver.takeCounts()
    #expect(heard.concealedSamples == concealed && heard.concealmentEvents == events)
    #expect(heard.packetsLost == Int32(missing.count))
    #expect(heard.playedSamples + heard.concealedSamples == 8 * 960)
  }

  /// A packet of 60 ms has 2880 samples; one packet is missing.
  @Test func longPackets() {
    var receiver = AudioReceiver(packetTime: .milliseconds(60))
    for number in 0..<5 as Range<Int64> where number != 2 {
      receiver.receive(
        VoicePacket(sequence: UInt32(number), capturedAt: .ms(number * 60), isSilent: false),
        at: .ms(number * 60 + 30))
    }
    // Missing since 2 x 60 + 30 + 40 ms and known to be missing at 210 ms, it is concealed once its time has passed.
    receiver.conceal(until: .ms(280), spokenSince: .zero)
    let heard = receiver.takeCounts()
    #expect(heard.concealedSamples == 2880 && heard.concealmentEvents == 1)
    #expect(heard.playedSamples == 4 * 2880)
  }

  /// Packets of 60 ms; what is played 45 ms after it arrives may have a copy in the next one, 60 ms later. It is 15 ms
  /// late, which conceals two blocks of 10 ms. Of two that are missing in a row, the first has no copy.
  @Test(arguments: [([2], 960), ([2, 3], 2880 + 960)] as [([Int64], Int64)])
  func aCopyThatIsLateIsPlayedLate(missing: [Int64], concealed: Int64) {
    var receiver = receiver(ofRepeating: 7, every: 60, missing: missing)
    let heard = receiver.takeCounts()
    #expect(heard.concealedSamples == concealed)
    #expect(heard.packetsLost == Int32(missing.count))
    #expect(heard.playedSamples == Int64(7 - missing.count + 1) * 2880)
  }

  /// What a sampling in between has concealed in full is not concealed again: packet 2 is due from 195 to 255 ms, and
  /// packet 3 brings its copy at 270 ms, 75 ms late, which is 80 in blocks.
  @Test func aCopyAfterItsPacketWasConcealed() {
    var receiver = receiver(ofRepeating: 2, every: 60)
    receiver.conceal(until: .ms(260), spokenSince: .zero)
    #expect(receiver.takeCounts().concealedSamples == 2880)
    receiver.receive(
      VoicePacket(sequence: 3, capturedAt: .ms(180), isSilent: false, isRepeating: true),
      at: .ms(270))
    let heard = receiver.takeCounts()
    #expect(heard.concealedSamples == 960 && heard.playedSamples == 2 * 2880)
  }
}
