import Network
import Quantity
import SimulationKernel
import Statistics
import Testing

private let ms: Int64 = 1_000_000

@Suite("A link by hand")
struct LinkTests {
  @Test func packetsFollowEachOtherAtTheCapacity() {
    // 1000 bytes at 8 Mbit/s take 1 ms; then 5 ms of propagation.
    var model = OneLink(
      LinkParameters(capacity: .constant(.megabits(8)), propagationDelay: .milliseconds(5)))
    model.run([(0, 1000), (0, 1000), (4 * ms, 1000)])
    let modelTimes = model.times
    #expect(modelTimes == [6 * ms, 7 * ms, 10 * ms])
  }

  @Test func aPacketInTransmissionFinishesByTheNewRate() {
    // 500 of 1000 bytes are sent by 0.5 ms at 8 Mbit/s; the rest takes 1 ms at 4 Mbit/s.
    var model = OneLink(
      LinkParameters(
        capacity: CapacityProfile(
          .steps([
            CapacityStep(at: .zero, rate: .megabits(8)),
            CapacityStep(at: SimTime(nanoseconds: ms / 2), rate: .megabits(4)),
          ]))))
    model.run([(0, 1000), (0, 1000)])
    let modelTimes = model.times
    #expect(modelTimes == [ms + ms / 2, 3 * ms + ms / 2])
  }

  @Test func anOutageHoldsPacketsAndLosesNone() {
    var profile = CapacityProfile.constant(.megabits(8))
    profile.change(CapacityStep(at: SimTime(nanoseconds: ms / 2), rate: .zero))
    profile.change(CapacityStep(at: SimTime(nanoseconds: 10 * ms), rate: .megabits(8)))
    var model = OneLink(LinkParameters(capacity: profile))
    model.run([(0, 1000), (2 * ms, 1000)])
    let modelTimes = model.times
    #expect(modelTimes == [10 * ms + ms / 2, 11 * ms + ms / 2])
  }

  @Test func anOutageForEverKeepsThePacketQueued() {
    var model = OneLink(LinkParameters(capacity: .constant(.zero)))
    model.run([(0, 1000)])
    let modelTimes = model.times
    #expect(modelTimes.isEmpty)
    let waiting = model.waiting
    #expect(waiting == 1)
    let isConserved = model.isConserved
    #expect(isConserved)
  }

  @Test func aQueueOfTwoPacketsDropsTheFourth() {
    var model = OneLink(
      LinkParameters(capacity: .constant(.megabits(8)), queueLimit: .packets(2)))
    model.run([(0, 1000), (0, 1000), (0, 1000), (0, 1000)])
    let modelTimes = model.times
    #expect(modelTimes.count == 3)
    let counters = model.counters
    #expect(counters.droppedPackets == 1)
  }

  @Test func aQueueInBytesAndInTimeDropsWhatExceedsThem() {
    var bytes = OneLink(
      LinkParameters(capacity: .constant(.megabits(8)), queueLimit: .bytes(ByteCount(2500))))
    bytes.run(Array(repeating: (0, 1000), count: 5))
    let bytesTimes = bytes.times
    #expect(bytesTimes.count == 3)
    // 20 ms at 8 Mbit/s is 20,000 bytes: 20 wait, one is in transmission.
    var time = OneLink(
      LinkParameters(capacity: .constant(.megabits(8)), queueLimit: .duration(.milliseconds(20))))
    time.run(Array(repeating: (0, 1000), count: 30))
    let timeTimes = time.times
    #expect(timeTimes.count == 21)
  }

  @Test func mahimahiOpportunitiesCarry1504BytesEach() {
    // Opportunities at 1, 1 and 3 ms, repeating every 3 ms.
    let trace = CapacityTrace(
      content: .opportunities([ms, ms, 3 * ms]), period: .milliseconds(3), continuation: .loop)
    var model = OneLink(LinkParameters(capacity: CapacityProfile(.trace(trace))))
    // Two small packets share an opportunity; the third spans the second one and the next.
    model.run([(0, 700), (0, 800), (0, 1200), (0, 1200)])
    let modelTimes = model.times
    #expect(modelTimes == [ms, ms, ms, 3 * ms])
  }

  @Test func certainLossDeliversNothingAndCountsEverything() throws {
    let all = try #require(Fraction(1))
    var model = OneLink(LinkParameters(capacity: .constant(.megabits(8)), loss: all))
    model.run(Array(repeating: (0, 100), count: 10))
    let modelTimes = model.times
    #expect(modelTimes.isEmpty)
    let counters = model.counters
    #expect(counters.lostPackets == 10)
  }
}

@Suite("Links under random input")
struct LinkPropertyTests {
  private func profile(_ draws: inout RandomStream) -> CapacityProfile {
    switch draws.index(below: 3) {
    case 0: return .constant(.kilobits(Int64(100 + draws.index(below: 5_000))))
    case 1:
      var time: Int64 = 0
      var steps: [CapacityStep] = []
      for _ in 0..<20 {
        let rate = draws.index(below: 4) == 0 ? 0 : Int64(draws.index(below: 5_000))
        steps.append(CapacityStep(at: SimTime(nanoseconds: time), rate: .kilobits(rate)))
        time += Int64(1 + draws.index(below: 500)) * ms
      }
      steps.append(CapacityStep(at: SimTime(nanoseconds: time), rate: .megabits(1)))
      return CapacityProfile(.steps(steps))
    default:
      var time: Int64 = 0
      let times = (0..<200).map { _ -> Int64 in
        time += Int64(draws.index(below: 20)) * ms
        return time
      }
      let trace = CapacityTrace(
        content: .opportunities(times), period: SimDuration(nanoseconds: max(time, ms)), continuation: .loop)
      return CapacityProfile(.trace(trace))
    }
  }

  @Test(arguments: 0..<60)
  func nothingIsLostMadeReorderedOrHurried(seed: Int) throws {
    var draws = RandomStream(seed: UInt64(seed), name: "properties")
    let profile = profile(&draws)
    let delay = SimDuration.milliseconds(Int64(draws.index(below: 100)))
    let limits: [QueueLimit] = [.packets(5), .bytes(ByteCount(20_000)), .duration(.milliseconds(300))]
    let parameters = LinkParameters(
      capacity: profile, propagationDelay: delay, queueLimit: limits[draws.index(below: 3)],
      loss: draws.index(below: 2) == 0 ? .zero : try #require(Fraction(0.1)),
      jitter: draws.index(below: 2) == 0 ? .zero : .milliseconds(5))
    var model = OneLink(parameters, seed: UInt64(seed))
    var time: Int64 = 0
    let plan = (0..<2_000).map { _ -> (time: Int64, size: UInt16) in
      time += Int64(draws.exponential(mean: 3e6))
      return (time, UInt16(40 + draws.index(below: 1400)))
    }
    model.run(plan, until: 8_000_000_000)

    let isConserved = model.isConserved
    #expect(isConserved)
    let counters = model.counters
    let arrivals = model.arrivals
    #expect(Int64(arrivals.count) == counters.deliveredPackets)
    var meter = CapacityMeter(profile: profile)
    _ = meter.capacity(at: .zero)
    for (earlier, later) in zip(arrivals, arrivals.dropFirst()) {
      #expect(earlier.time <= later.time)
      #expect(earlier.packet.frame < later.packet.frame)
    }
    for arrival in arrivals {
      #expect(arrival.time - arrival.packet.sentAt.nanoseconds >= delay.nanoseconds)
    }
    try checkCapacity(arrivals, parameters, meter)
  }

  /// Over any window, the departed bits stay within the integral of the capacity plus one packet. With jitter, packets
  /// may bunch by up to three standard deviations: the window then extends that much further back.
  private func checkCapacity(
    _ arrivals: [(time: Int64, packet: Packet)], _ parameters: LinkParameters, _ meter: CapacityMeter
  ) throws {
    guard arrivals.count > 10 else { return }
    if case .trace = parameters.capacity.base { return }
    let slack = 3 * parameters.jitter.nanoseconds
    for start in stride(from: 0, to: arrivals.count - 1, by: 37) {
      var bits: Int64 = 0
      for end in start..<min(arrivals.count, start + 200) {
        bits += Int64(arrivals[end].packet.size) * 8
        let from = arrivals[start].time - parameters.propagationDelay.nanoseconds - slack
        let to = arrivals[end].time - parameters.propagationDelay.nanoseconds
        guard to > from, from >= 0 else { continue }
        let mean = meter.mean(from: SimTime(nanoseconds: from), to: SimTime(nanoseconds: to))
        let carried = Double(mean.bitsPerSecond) * Double(to - from) / 1e9
        #expect(Double(bits) <= carried + 1500 * 8 + 1)
      }
    }
  }
}
