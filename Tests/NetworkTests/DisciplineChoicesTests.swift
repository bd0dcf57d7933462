import Network
import Parameters
import Quantity
import Statistics
import Testing

private let ms: Int64 = 1_000_000

@Suite("Disciplines combined with other link options")
struct DisciplineChoicesTests {
  /// Every link option at once, under random overload.
  @Test(arguments: Registry<RegisteredDiscipline>.disciplines.names, 0..<12)
  func everyPacketArrivesOnceInItsFlowsOrder(name: String, seed: Int) throws {
    var draws = RandomStream(seed: UInt64(seed), name: "choices")
    var parameters = LinkParameters(
      capacity: seed % 3 == 0 ? Self.steps(&draws) : .constant(.megabits(8)),
      propagationDelay: .milliseconds(Int64(draws.index(below: 120))),
      queueLimit: [.packets(200), .bytes(ByteCount(90_000)), .duration(.milliseconds(300))][seed % 3],
      jitter: seed % 2 == 0 ? .milliseconds(5) : .zero)
    parameters.discipline = try #require(Registry<RegisteredDiscipline>.disciplines[name]).discipline()
    if seed % 4 == 1 { parameters.loss = try #require(Fraction(0.1)) }
    var plan: [(time: Int64, size: UInt16)] = []
    var streams: [UInt16] = []
    var time = 0.0
    for _ in 0..<6_000 {
      time += draws.exponential(mean: 0.9)
      plan.append((Int64(time * 1e6), UInt16(100 + draws.index(below: 1400))))
      streams.append(UInt16(draws.index(below: 5)))
    }
    var model = OneLink(parameters, seed: UInt64(seed))
    model.streams = streams
    model.run(plan)

    let isConserved = model.isConserved
    #expect(isConserved)
    let counters = model.counters
    let arrivals = model.arrivals
    #expect(counters.offeredPackets == 6_000)
    #expect(counters.deliveredPackets == Int64(arrivals.count))
    #expect(Set(arrivals.map(\.packet.frame)).count == arrivals.count)
    #expect(zip(arrivals, arrivals.dropFirst()).allSatisfy { $0.time <= $1.time })
    for stream in UInt16(0)..<5 {
      let frames = arrivals.filter { $0.packet.stream == stream }.map(\.packet.frame)
      #expect(zip(frames, frames.dropFirst()).allSatisfy { $0 < $1 })
    }
    for arrival in arrivals {
      let travel = arrival.time - arrival.packet.sentAt.nanoseconds
      #expect(travel >= parameters.propagationDelay.nanoseconds)
    }
  }

  private static func steps(_ draws: inout RandomStream) -> CapacityProfile {
    CapacityProfile(
      .steps(
        (0..<40).map { place in
          let megabits = place % 5 == 4 ? 0 : Int64(1 + draws.index(below: 12))
          return CapacityStep(at: SimTime(nanoseconds: Int64(place) * 150 * ms), rate: .megabits(megabits))
        } + [CapacityStep(at: SimTime(nanoseconds: 6_000 * ms), rate: .megabits(8))]))
  }
}
