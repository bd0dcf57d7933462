import Network
import Quantity
import Statistics
import Testing

private let ms: Int64 = 1_000_000

@Suite("Token buckets")
struct BucketTests {
  private func bucket(_ kilobits: Int64, _ bytes: Int64, queue: QueueLimit = .bytes(ByteCount(100_000)))
    -> LinkParameters
  {
    var parameters = LinkParameters(
      capacity: .constant(.kilobits(kilobits)), propagationDelay: .milliseconds(5), queueLimit: queue)
    parameters.bucket = ByteCount(bytes)
    return parameters
  }

  /// 8 Mbit/s is 1000 bytes per millisecond; the bucket holds two packets.
  @Test func aFullBucketLetsABurstThroughAtOnce() {
    var model = OneLink(bucket(8_000, 2_000))
    model.run([
      (0, 1000), (0, 1000), (0, 1000), (0, 1000), (100 * ms, 1000), (100 * ms, 1000), (100 * ms, 1000),
    ])
    let times = model.times
    #expect(times == [5 * ms, 5 * ms, 6 * ms, 7 * ms, 105 * ms, 105 * ms, 106 * ms])
  }

  @Test func theQueueBeforeTheBucketIsBounded() {
    var model = OneLink(bucket(8_000, 1_000, queue: .bytes(ByteCount(2_500))))
    model.run(Array(repeating: (0, 1000), count: 6))
    let counters = model.counters
    #expect(model.times == [5 * ms, 6 * ms, 7 * ms])
    #expect(counters.droppedPackets == 3)
  }

  @Test func tokensFollowAScheduledCapacity() {
    var parameters = bucket(8_000, 1_000)
    parameters.capacity = CapacityProfile(
      .steps([
        CapacityStep(at: .zero, rate: .kilobits(8_000)),
        CapacityStep(at: SimTime(nanoseconds: 2 * ms), rate: .kilobits(800)),
      ]))
    var model = OneLink(parameters)
    // Without a bucket they would finish at 1, 2 and 12 ms; the bucket saves 1 ms, and 10 ms after the step.
    model.run([(0, 1000), (0, 1000), (0, 1000), (0, 1000)])
    #expect(model.times == [5 * ms, 6 * ms, 7 * ms, 17 * ms])
  }

  /// A step in the middle of a packet: 500 bytes arrive by 1.5 ms, the other 500 take 5 ms more.
  @Test func tokensAreCountedAcrossAStep() {
    var parameters = bucket(8_000, 1_000)
    parameters.capacity = CapacityProfile(
      .steps([
        CapacityStep(at: .zero, rate: .kilobits(8_000)),
        CapacityStep(at: SimTime(nanoseconds: ms / 2), rate: .kilobits(800)),
      ]))
    var model = OneLink(parameters)
    model.run([(0, 1000), (0, 1000), (0, 1000)])
    let times = model.times
    #expect(times == [5 * ms, 5 * ms + ms / 2 + 5 * ms, 5 * ms + ms / 2 + 15 * ms])
  }

  /// Tokens accumulated before an outage can be used during it.
  @Test func aFullBucketSendsDuringAnOutage() {
    var parameters = bucket(8_000, 2_000)
    parameters.capacity.change(CapacityStep(at: SimTime(nanoseconds: 10 * ms), rate: .zero))
    parameters.capacity.change(CapacityStep(at: SimTime(nanoseconds: 50 * ms), rate: .megabits(8)))
    var model = OneLink(parameters)
    model.run([(20 * ms, 1000), (20 * ms, 1000), (20 * ms, 1000)])
    let times = model.times
    #expect(times == [25 * ms, 25 * ms, 56 * ms])
  }

  /// The k-th packet of a burst leaves after (k s - b) / r, or at once if that is negative.
  @Test(arguments: [0, 700, 1_500, 5_000, 20_000] as [Int64])
  func aBurstLeavesByTheClosedForm(depth: Int64) {
    var model = OneLink(bucket(4_000, depth))
    model.run(Array(repeating: (3 * ms, 1000), count: 30))
    // 4 Mbit/s are 2000 ns a byte.
    let expected = (1...30).map { 8 * ms + max(0, ($0 * 1000 - depth) * 2_000) }
    let times = model.times
    #expect(times == expected)
  }

  /// Over random steps and outages: never more than the tokens that arrived since, plus a full bucket; and that many if
  /// the queue is never empty.
  @Test(arguments: 0..<10)
  func everyWindowKeepsToTheTokens(seed: Int) throws {
    var draws = RandomStream(seed: UInt64(seed), name: "bucket/steps")
    let depth = Int64(draws.index(below: 8_000))
    var parameters = bucket(1, depth, queue: .packets(10_000))
    parameters.capacity = CapacityProfile(
      .steps(
        (0..<60).map { place in
          let kilobits = draws.index(below: 4) == 0 ? 0 : Int64(200 + draws.index(below: 5_000))
          return CapacityStep(
            at: SimTime(nanoseconds: Int64(place) * 37 * ms), rate: .kilobits(kilobits))
        } + [CapacityStep(at: SimTime(nanoseconds: 2_300 * ms), rate: .megabits(2))]))
    var time: Int64 = 0
    let plan = (0..<1_200).map { _ -> (time: Int64, size: UInt16) in
      time += Int64(draws.exponential(mean: 2) * 1e6)
      return (time, UInt16(100 + draws.index(below: 1100)))
    }
    var model = OneLink(parameters)
    model.run(plan, until: 20_000 * ms)
    let arrivals = model.arrivals
    #expect(arrivals.count == 1_200)
    let meter = CapacityMeter(profile: parameters.capacity)
    func carried(_ from: Int64, _ to: Int64) -> Double {
      let mean = meter.mean(from: SimTime(nanoseconds: from), to: SimTime(nanoseconds: to))
      return Double(mean.bitsPerSecond) * Double(to - from) / 8e9
    }
    for first in stride(from: 0, to: arrivals.count, by: 29) {
      var bytes = 0.0
      let begin = arrivals[first].time - 5 * ms
      for place in first..<arrivals.count {
        bytes += Double(arrivals[place].packet.size)
        let now = arrivals[place].time - 5 * ms
        let greatest = Double(max(depth, Int64(arrivals[first].packet.size)))
        #expect(bytes <= carried(begin, now) + greatest + 2)
      }
    }
    // The last packet of a crowd leaves when its last token arrives.
    for (before, after) in zip(arrivals, arrivals.dropFirst()) where after.time > before.time + ms {
      let sent = after.packet.sentAt.nanoseconds
      guard sent < after.time - 5 * ms else { continue }
      let since = carried(max(sent, before.time - 5 * ms), after.time - 5 * ms)
      #expect(since <= Double(after.packet.size) + 2)
    }
  }

  @Test func noWindowCarriesMoreThanTheCapacityAndOneBucket() {
    var draws = RandomStream(seed: 9, name: "bucket")
    var plan: [(time: Int64, size: UInt16)] = []
    var time: Int64 = 0
    for _ in 0..<3_000 {
      time += Int64(draws.exponential(mean: 1.1) * 1e6)
      plan.append((time, UInt16(100 + draws.index(below: 1100))))
    }
    var model = OneLink(bucket(4_000, 5_000, queue: .duration(.milliseconds(300))))
    model.run(plan)
    let arrivals = model.arrivals
    let isConserved = model.isConserved
    #expect(isConserved && arrivals.count > 1_000)
    #expect(zip(arrivals, arrivals.dropFirst()).allSatisfy { $0.time <= $1.time })
    for first in stride(from: 0, to: arrivals.count, by: 37) {
      var bytes: Int64 = 0
      for place in first..<min(first + 60, arrivals.count) {
        bytes += Int64(arrivals[place].packet.size)
        let carried = (arrivals[place].time - arrivals[first].time) * 4_000_000 / 8_000_000_000
        #expect(bytes <= carried + 5_000 + 1_200)
      }
    }
  }
}

@Suite("Loss in bursts")
struct BurstLossTests {
  private func losses(_ model: GilbertElliott, packets: Int = 200_000) -> [Bool] {
    var parameters = LinkParameters(capacity: .constant(.megabits(1_000)), queueLimit: .packets(1_000))
    parameters.burstLoss = model
    var link = OneLink(parameters, seed: 4)
    link.run((0..<packets).map { (Int64($0) * ms / 10, 1000) })
    var isLost = [Bool](repeating: true, count: packets)
    for arrival in link.arrivals { isLost[Int(arrival.packet.frame)] = false }
    return isLost
  }

  @Test func theSimpleModelHasItsMeanAndItsBursts() throws {
    let mean = try #require(Fraction(0.02))
    let model = try #require(GilbertElliott(mean: mean, burst: 4))
    let isLost = losses(model)
    let lost = isLost.count { $0 }
    let bursts = zip([false] + isLost, isLost).count { !$0 && $1 }
    // Standard errors: 0.0008 of the mean, 0.06 of the length.
    #expect(abs(Double(lost) / 200_000 - 0.02) < 0.0025)
    #expect(abs(Double(lost) / Double(bursts) - 4) < 0.2)
  }

  /// As in netem: a packet meets the state that the previous one left, and the first one a good state.
  @Test func aCertainChainAlternates() throws {
    let certain = try #require(Fraction(1))
    let isLost = losses(GilbertElliott(toBad: certain, toGood: certain, lossWhenBad: certain), packets: 7)
    #expect(isLost == [false, true, false, true, false, true, false])
  }

  /// Mean loss of the full model: (p (1-h) + r (1-k)) / (p + r).
  @Test func theFullModelHasItsMean() throws {
    func share(_ value: Double) throws -> Fraction { try #require(Fraction(value)) }
    let model = try GilbertElliott(
      toBad: share(0.05), toGood: share(0.2), lossWhenBad: share(0.5), lossWhenGood: share(0.01))
    let lost = losses(model).count { $0 }
    #expect(abs(Double(lost) / 200_000 - (0.05 * 0.5 + 0.2 * 0.01) / 0.25) < 0.005)
  }
}
