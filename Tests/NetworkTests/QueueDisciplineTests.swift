import Network
import Parameters
import Quantity
import Statistics
import Testing

private let ms: Int64 = 1_000_000

@Suite("Queue disciplines")
struct QueueDisciplineTests {
  private func link(_ discipline: QueueDiscipline, kilobits: Int64 = 8_000) -> LinkParameters {
    var parameters = LinkParameters(
      capacity: .constant(.kilobits(kilobits)), propagationDelay: .milliseconds(5),
      queueLimit: .packets(1_000))
    parameters.discipline = discipline
    return parameters
  }

  /// Packets of 1000 bytes take 1 ms; two arrive every millisecond, so the delay grows by 1 ms per millisecond.
  private func overload(_ milliseconds: Int64) -> [(time: Int64, size: UInt16)] {
    (0..<milliseconds).flatMap { [($0 * ms, UInt16(1000)), ($0 * ms, UInt16(1000))] }
  }

  @Test func controlledDelayDropsByItsControlLaw() {
    var model = OneLink(link(.codel()))
    model.run(overload(1_000))
    var delivered = Set<Int>()
    for arrival in model.arrivals { delivered.insert(Int(arrival.packet.frame)) }
    let dropped = (0..<2_000).filter { !delivered.contains($0) }
    // The delay reaches 5 ms when service of the 10th packet begins (at 9 ms, after waiting 5): the first drop is 100
    // ms later, the next after 100 ms / sqrt(1), / sqrt(2), / sqrt(3) ...
    let starts = dropped.prefix(4).enumerated().map { place, number in number - place }
    #expect(starts == [109, 209, 280, 338])
    let isConserved = model.isConserved
    #expect(isConserved)
  }

  @Test func controlledDelayLeavesAShortQueueAlone() {
    var model = OneLink(link(.codel()))
    model.run((0..<500).map { (Int64($0) * ms, UInt16(1000)) })
    #expect(model.arrivals.count == 500)
  }

  /// A sparse flow is not delayed by a flow that fills its own queue.
  @Test func aSparseFlowPassesABulkFlowWithFairQueues() {
    var delays: [Bool: Int64] = [:]
    for isFair in [false, true] {
      var model = OneLink(link(isFair ? .fqCodel() : .dropTail))
      var plan = overload(400)
      var streams = [UInt16](repeating: 1, count: plan.count)
      for at in stride(from: 200, to: 400, by: 20) {
        plan.append((Int64(at) * ms, 200))
        streams.append(2)
      }
      model.streams = streams
      model.run(plan)
      let sparse = model.arrivals.filter { $0.packet.stream == 2 }
      #expect(sparse.count == 10)
      delays[isFair] = sparse.map { $0.time - $0.packet.sentAt.nanoseconds }.max()
    }
    // At most the packet in transmission and its own 0.2 ms precede it.
    #expect(delays[true] ?? 0 <= 5 * ms + 2 * ms)
    #expect(delays[false] ?? 0 > 100 * ms)
  }

  @Test func proportionalIntegralKeepsTheDelayNearItsReference() {
    var draws = RandomStream(seed: 3, name: "arrivals")
    var plan: [(time: Int64, size: UInt16)] = []
    var time = 0.0
    while time < 60_000 {
      time += draws.exponential(mean: 0.8)
      plan.append((Int64(time * 1e6), 1000))
    }
    var model = OneLink(link(.pie()))
    model.run(plan)
    let late = model.arrivals.filter { $0.time > 20_000 * ms }
    let mean =
      Double(late.reduce(0) { $0 + $1.time - $1.packet.sentAt.nanoseconds - 6 * ms }) / Double(late.count)
    #expect(mean > 5e6 && mean < 30e6)
    let isConserved = model.isConserved
    #expect(isConserved)
  }

  /// A steady 1.25 times the link's capacity: a fifth is dropped, and the rest waits for about 15 ms.
  @Test func proportionalIntegralHoldsAConstantOverloadAtItsReference() {
    var model = OneLink(link(.pie()))
    model.run((0..<75_000).map { (Int64($0) * ms * 4 / 5, UInt16(1000)) })
    let late = model.arrivals.filter { $0.time > 20_000 * ms && $0.time < 60_000 * ms }
    let mean =
      Double(late.reduce(0) { $0 + $1.time - $1.packet.sentAt.nanoseconds - 6 * ms }) / Double(late.count)
    #expect(abs(mean - 15e6) < 3e6)
    #expect(abs(Double(late.count) - 40_000) <= 2)
  }

  /// Two greedy flows get half each, whatever their packet sizes.
  @Test func fairQueuesShareTheLinkInBytes() {
    var model = OneLink(link(.fqCodel()))
    var plan: [(time: Int64, size: UInt16)] = []
    for at in 0..<10_000 as Range<Int64> {
      plan += [(at * ms, 1400), (at * ms, 300), (at * ms, 300), (at * ms, 300)]
    }
    model.streams = plan.map { $0.size == 1400 ? 1 : 2 }
    model.run(plan, until: 10_000 * ms)
    var bytes: [UInt16: Int] = [:]
    for arrival in model.arrivals where arrival.time > 2_000 * ms {
      bytes[arrival.packet.stream, default: 0] += Int(arrival.packet.size)
    }
    #expect(abs(Double(bytes[1] ?? 0) / 4e6 - 1) < 0.02)
    #expect(abs(Double(bytes[2] ?? 0) / 4e6 - 1) < 0.02)
  }

  /// Rounds of 1000 bytes: one large packet, then two of half the size. A flow that has used up its quantum waits for
  /// its next turn; the first packet, of a third flow, occupies the link while the others arrive.
  @Test func eachFlowSpendsItsQuantumInTurn() {
    var parameters = FQCoDelParameters()
    parameters.quantum = ByteCount(1000)
    var model = OneLink(link(.fqCodel(parameters)))
    let plan: [(time: Int64, size: UInt16)] =
      [(0, 1000)] + Array(repeating: (0, 1000), count: 4) + Array(repeating: (0, 500), count: 8)
    model.streams = [3] + Array(repeating: 1, count: 4) + Array(repeating: 2, count: 8)
    model.run(plan)
    #expect(model.arrivals.map(\.packet.stream) == [3, 1, 2, 2, 1, 2, 2, 1, 2, 2, 1, 2, 2])
    // Transmissions start at 0, 1, 2, 2.5, 3, 4, 4.5, 5, 6, 6.5, 7, 8 and 8.5 ms.
    let waited = model.counters.queueDelaySum
    #expect(waited == 58 * ms)
  }

  /// Rounds of 3000 bytes. The sparse flow is served first as a new one; when it empties it moves behind the bulk flow
  /// once, so its packet of 3.5 ms waits for one round of that flow, until 6.2 ms.
  @Test func aSparseFlowIsNewOnlyOnce() {
    var parameters = FQCoDelParameters()
    parameters.quantum = ByteCount(3000)
    var model = OneLink(link(.fqCodel(parameters)))
    let bulk: [(time: Int64, size: UInt16)] = Array(repeating: (0, 1000), count: 8)
    model.streams = Array(repeating: 1, count: 8) + [2, 2]
    model.run(bulk + [(100_000, 200), (3_500_000, 200)])
    #expect(model.arrivals.map(\.packet.stream) == [1, 1, 1, 2, 1, 1, 1, 2, 1, 1])
  }

  /// When the queue is full, the fattest flow loses a packet, not the arriving one.
  @Test func aFullFairQueueTakesFromTheFattestFlow() {
    var parameters = link(.fqCodel())
    parameters.queueLimit = .packets(20)
    var model = OneLink(parameters)
    var plan: [(time: Int64, size: UInt16)] = Array(repeating: (0, 1000), count: 40)
    plan += Array(repeating: (0, 200), count: 5)
    model.streams = plan.map { $0.size == 1000 ? 1 : 2 }
    model.run(plan)
    let counters = model.counters
    #expect(model.arrivals.count { $0.packet.stream == 2 } == 5)
    // One is in transmission, 20 wait.
    #expect(counters.deliveredPackets == 21 && counters.droppedPackets == 24)
  }

  @Test(arguments: Registry<RegisteredDiscipline>.disciplines.names)
  func nothingIsLostOrMadeAndOrderOfAFlowIsKept(name: String) throws {
    let discipline = try #require(Registry<RegisteredDiscipline>.disciplines[name]).discipline()
    var draws = RandomStream(seed: 8, name: "random")
    var plan: [(time: Int64, size: UInt16)] = []
    var streams: [UInt16] = []
    var time = 0.0
    for _ in 0..<20_000 {
      time += draws.exponential(mean: 0.9)
      plan.append((Int64(time * 1e6), UInt16(100 + draws.index(below: 1400))))
      streams.append(UInt16(draws.index(below: 4)))
    }
    var model = OneLink(link(discipline))
    model.streams = streams
    model.run(plan)
    let counters = model.counters
    let isConserved = model.isConserved
    #expect(isConserved)
    #expect(counters.offeredPackets == 20_000)
    #expect(counters.deliveredPackets + counters.droppedPackets == 20_000)
    for stream in UInt16(0)..<4 {
      let frames = model.arrivals.filter { $0.packet.stream == stream }.map(\.packet.frame)
      #expect(zip(frames, frames.dropFirst()).allSatisfy { $0 < $1 })
    }
    let arrivals = model.arrivals
    #expect(zip(arrivals, arrivals.dropFirst()).allSatisfy { $0.time <= $1.time })
  }
}
