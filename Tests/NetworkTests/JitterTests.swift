import Network
import Quantity
import Statistics
import Testing

private let ms: Int64 = 1_000_000

@Suite("Jitter")
struct JitterTests {
  private func link(_ jitter: SimDuration) -> LinkParameters {
    LinkParameters(
      capacity: .constant(.megabits(8)), propagationDelay: .milliseconds(50), queueLimit: .packets(1_000),
      jitter: jitter)
  }

  /// Returns the delays beyond transmission and propagation of packets so far apart that none waits for another [ms].
  private func extraDelays(_ count: Int) -> [Double] {
    var model = OneLink(link(.milliseconds(5)), seed: 5)
    model.run((0..<count).map { (Int64($0) * 20 * ms, 1000) })
    return model.arrivals.map { Double($0.time - $0.packet.sentAt.nanoseconds - 51 * ms) / 1e6 }
  }

  /// |N(0, 5 ms)| has a mean of 5 sqrt(2 / pi) = 3.989 ms; truncating it at 15 ms removes 0.0038 ms. 68.27 % lie below
  /// one standard deviation, 95.45 % below two, and 0.27 % at the cut.
  @Test func isTheAbsoluteValueOfANormalDistributionCutAtThreeDeviations() {
    let delays = extraDelays(40_000)
    let count = Double(delays.count)
    #expect(count == 40_000)
    #expect(delays.allSatisfy { $0 >= 0 && $0 <= 15 })
    #expect(abs(delays.reduce(0, +) / count - 3.985) < 0.05)
    #expect(abs(Double(delays.count { $0 < 5 }) / count - 0.6827) < 0.01)
    #expect(abs(Double(delays.count { $0 < 10 }) / count - 0.9545) < 0.005)
    #expect(abs(Double(delays.count { $0 == 15 }) / count - 0.0027) < 0.001)
  }

  @Test func packetsKeepTheirOrderAndTheirDistanceAtTheCapacity() {
    var draws = RandomStream(seed: 2, name: "sizes")
    var time: Int64 = 0
    let plan = (0..<5_000).map { _ -> (time: Int64, size: UInt16) in
      time += Int64(draws.exponential(mean: 1.3) * 1e6)
      return (time, UInt16(100 + draws.index(below: 1400)))
    }
    var model = OneLink(link(.milliseconds(5)))
    model.run(plan)
    let arrivals = model.arrivals
    #expect(arrivals.count == 5_000)
    for (before, after) in zip(arrivals, arrivals.dropFirst()) {
      #expect(after.packet.frame == before.packet.frame + 1)
      #expect(after.time - before.time >= Int64(after.packet.size) * 1000)
    }
  }

  /// Packets 1 ms apart with up to 15 ms of jitter each: many overtake others, but none overtakes those sent 15 ms
  /// earlier, and the delays are drawn as without reordering.
  @Test(arguments: [nil, ByteCount(5_000)], [QueueDiscipline.dropTail, .fqCodel(.init())])
  func packetsOvertakeOneAnotherWhereAllowed(bucket: ByteCount?, discipline: QueueDiscipline) {
    guard bucket == nil || discipline == .dropTail else { return }
    var parameters = link(.milliseconds(5))
    parameters.reorders = true
    parameters.bucket = bucket
    parameters.discipline = discipline
    parameters.loss = Fraction(0.02) ?? .zero
    var model = OneLink(parameters)
    model.run((0..<20_000).map { (Int64($0) * 1_100_000, 1000) })
    let counters = model.counters
    #expect(counters.deliveredPackets + counters.lostPackets == 20_000)
    #expect(abs(Double(counters.lostPackets) / 20_000 - 0.02) < 0.005)
    let frames = model.arrivals.map { Int($0.packet.frame) }
    #expect(Set(frames).count == frames.count)
    let overtaken = zip(frames, frames.dropFirst()).count { $0 > $1 }
    #expect(overtaken > 5_000, "\(overtaken)")
    var latest = 0
    var furthest = 0
    for frame in frames {
      latest = max(latest, frame)
      furthest = max(furthest, latest - frame)
    }
    #expect(5...14 ~= furthest, "\(furthest)")
    let own: Int64 = bucket == nil ? 51 : 50
    let delays = model.arrivals.map { Double($0.time - $0.packet.sentAt.nanoseconds - own * ms) / 1e6 }
    #expect(delays.allSatisfy { $0 >= 0 && $0 <= 15 })
    #expect(abs(delays.reduce(0, +) / Double(delays.count) - 3.985) < 0.2)
    let isConserved = model.isConserved
    #expect(isConserved)
  }

  /// However long a link stays full, jitter adds at most three standard deviations.
  @Test func aFullLinkIsNotDelayedEverMore() {
    var model = OneLink(link(.milliseconds(5)))
    model.run((0..<20_000).map { (Int64($0) * ms, 1000) })
    let delays = model.arrivals.map { $0.time - $0.packet.sentAt.nanoseconds }
    #expect(delays.count == 20_000)
    #expect(delays.allSatisfy { $0 >= 51 * ms && $0 <= 66 * ms })
  }

  @Test func aTokenBucketWithJitterCountsWhatWaits() {
    var parameters = link(.milliseconds(30))
    parameters.bucket = ByteCount(5_000)
    parameters.queueLimit = .packets(3)
    var model = OneLink(parameters)
    // Five leave at once, three wait, and the rest are dropped; 100 ms later the state is as before.
    model.run((0..<40).map { (Int64($0 / 10) * 100 * ms, 1000) })
    let counters = model.counters
    #expect(counters.droppedPackets == 8)
    #expect(counters.deliveredPackets == 32)
    let isConserved = model.isConserved
    #expect(isConserved)
  }
}
