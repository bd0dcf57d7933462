import Network
import Parameters
import Quantity
import Statistics
import Testing

private let ms: Int64 = 1_000_000

@Suite("Link outages")
struct LinkOutageTests {
  private static let names = Registry<RegisteredDiscipline>.disciplines.names

  /// 8 Mbit/s, 5 ms.
  private func link(_ outages: [(at: Int64, length: Int64)]) -> LinkParameters {
    var parameters = LinkParameters(
      capacity: .constant(.megabits(8)), propagationDelay: .milliseconds(5), queueLimit: .packets(1_000))
    for (time, length) in outages {
      parameters.change(.down(.milliseconds(length)), at: SimTime(nanoseconds: time * ms))
    }
    return parameters
  }

  @Test(arguments: names, [nil, ByteCount(5_000)])
  func exactlyWhatIsOfferedMeanwhileIsDropped(discipline: String, bucket: ByteCount?) throws {
    guard bucket == nil || discipline == "drop-tail" else { return }
    var parameters = link([(10, 20)])
    parameters.discipline = try #require(Registry<RegisteredDiscipline>.disciplines[discipline]).discipline()
    parameters.bucket = bucket
    var model = OneLink(parameters)
    let burst = [(time: Int64, size: UInt16)](repeating: (0, 1000), count: 15)
    model.run(burst + [(10 * ms - 1, 1000), (10 * ms, 1000), (30 * ms - 1, 1000), (30 * ms, 1000)])
    let frames = model.arrivals.map { Int($0.packet.frame) }
    #expect(frames == Array(0...15) + [18])
    let times = model.times
    // Waiting packets resume, one a millisecond; a bucket of 5,000 B lets five of them leave at once.
    let sent = bucket == nil ? (1...16).map { Int64($0) } : [0, 0, 0, 0, 0] + (1...11).map { Int64($0) }
    #expect(Array(times.prefix(16)) == sent.map { ($0 + 5) * ms })
    #expect(times.last == (bucket == nil ? 36 : 35) * ms)
    let counters = model.counters
    #expect(counters.offeredPackets == 19 && counters.droppedPackets == 2 && counters.lostPackets == 0)
    let isConserved = model.isConserved
    #expect(isConserved)
  }

  @Test func outagesThatOverlapOrTouchAreOne() {
    var model = OneLink(link([(10, 10), (12, 4), (20, 5), (30, 0), (35, 1)]))
    model.run((0..<40).map { (Int64($0) * ms, 100) })
    let frames = model.arrivals.map { Int($0.packet.frame) }
    #expect(frames == Array(0..<10) + Array(25..<35) + Array(36..<40))
  }

  @Test func anOutageMayLastBeyondTheEnd() {
    var model = OneLink(link([(10, 86_400_000)]))
    model.run([(0, 1000), (20 * ms, 1000), (800_000 * ms, 1000)])
    let times = model.times
    #expect(times == [6 * ms])
  }

  /// Random changes of everything under random overload: packets are conserved and keep the order of their flow, and
  /// none that was offered during an outage arrives.
  @Test(arguments: names, 0..<12)
  func packetsAreConservedThroughRandomChanges(discipline: String, seed: Int) throws {
    var draws = RandomStream(seed: UInt64(seed), name: "changes")
    var parameters = LinkParameters(
      capacity: .constant(.megabits(8)), propagationDelay: .milliseconds(40), queueLimit: .packets(100))
    parameters.discipline = try #require(Registry<RegisteredDiscipline>.disciplines[discipline]).discipline()
    if discipline == "drop-tail", seed % 2 == 0 { parameters.bucket = ByteCount(5_000) }
    parameters.reorders = seed % 3 == 2
    var outages: [Range<Int64>] = []
    for _ in 0..<60 {
      let time = Int64(draws.index(below: 5_000)) * ms
      let change: LinkChange
      switch draws.index(below: 6) {
      case 0: change = .delay(.milliseconds(Int64(draws.index(below: 200))))
      case 1: change = .jitter(.milliseconds(Int64(draws.index(below: 20))))
      case 2: change = .loss(.independent(try #require(Fraction(draws.uniform()))))
      case 3:
        change = .queue([.packets(3), .bytes(ByteCount(40_000)), .duration(.milliseconds(90))][seed % 3])
      case 4: change = .capacity(.megabits(Int64(1 + draws.index(below: 10))))
      default:
        change = .down(.milliseconds(40))
        outages.append(time..<time + 40 * ms)
      }
      parameters.change(change, at: SimTime(nanoseconds: time))
    }
    var model = OneLink(parameters, seed: UInt64(seed))
    var plan: [(time: Int64, size: UInt16)] = []
    var time = 0.0
    for _ in 0..<6_000 {
      time += draws.exponential(mean: 0.9)
      plan.append((Int64(time * 1e6), UInt16(100 + draws.index(below: 1400))))
      model.streams.append(UInt16(draws.index(below: 5)))
    }
    model.run(plan)

    let isConserved = model.isConserved
    #expect(isConserved)
    let counters = model.counters
    let arrivals = model.arrivals
    let waiting = model.waiting
    #expect(counters.offeredPackets == 6_000 && waiting == 0)
    #expect(counters.deliveredPackets == Int64(arrivals.count) && arrivals.count > 500)
    #expect(Set(arrivals.map(\.packet.frame)).count == arrivals.count)
    func isDown(_ time: Int64) -> Bool { outages.contains { $0.contains(time) } }
    let offeredWhileDown = plan.count { isDown($0.time) }
    #expect(counters.droppedPackets >= Int64(offeredWhileDown) && offeredWhileDown > 0)
    #expect(!arrivals.contains { isDown($0.packet.sentAt.nanoseconds) })
    guard !parameters.reorders else { return }
    for stream in UInt16(0)..<5 {
      let frames = arrivals.filter { $0.packet.stream == stream }.map(\.packet.frame)
      #expect(zip(frames, frames.dropFirst()).allSatisfy { $0 < $1 })
    }
  }
}
