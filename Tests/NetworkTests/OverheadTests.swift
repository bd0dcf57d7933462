import Network
import Quantity
import Statistics
import Testing

private let ms: Int64 = 1_000_000

@Suite("Link overhead")
struct OverheadTests {
  private static func link(_ change: (inout LinkParameters) -> Void = { _ in }) -> LinkParameters {
    var parameters = LinkParameters(
      capacity: .constant(.kilobits(8_000)), propagationDelay: .milliseconds(5),
      queueLimit: .bytes(ByteCount(6_000)))
    change(&parameters)
    return parameters
  }

  /// One link for each way in which links handle packets.
  private static let links = [
    link(),
    link { $0.bucket = ByteCount(3_000) },
    link {
      $0.capacity = CapacityProfile(
        .steps([
          CapacityStep(at: .zero, rate: .kilobits(8_000)),
          CapacityStep(at: SimTime(nanoseconds: 40 * ms), rate: .kilobits(3_000)),
        ]))
    },
    link { $0.jitter = .milliseconds(2) },
    link { $0.discipline = .codel() },
    link { $0.discipline = .fqCodel() },
    link { $0.discipline = .pie() },
  ]

  /// 8 Mbit/s is 1000 bytes per millisecond: 986 plus the 14 of an Ethernet header.
  @Test func aPacketTakesTheTimeOfItsOverheadToo() {
    var model = OneLink(Self.link { $0.overhead = ByteCount(14) })
    model.run([(0, 986), (0, 986), (0, 86)])
    let times = model.times
    #expect(times == [6 * ms, 7 * ms, 7 * ms + ms / 10])
    let counters = model.counters
    #expect(counters.deliveredBytes == 2 * 986 + 86)
  }

  /// The first packet uses the bucket's 1000 bytes, the second leaves a millisecond later; two more fit in 2000 bytes.
  @Test func aShapersTokensAndQueueCountIt() {
    var model = OneLink(
      Self.link {
        $0.bucket = ByteCount(1_000)
        $0.queueLimit = .bytes(ByteCount(2_000))
        $0.overhead = ByteCount(14)
      })
    model.run(Array(repeating: (0, 986), count: 5))
    let times = model.times
    #expect(times == [5 * ms, 6 * ms, 7 * ms])
    let counters = model.counters
    #expect(counters.droppedPackets == 2)
  }

  @Test("The overhead acts as if every packet were that much larger", arguments: links.indices)
  func asIfLarger(kind: Int) {
    var draws = RandomStream(seed: 9, name: "overhead/\(kind)")
    var now: Int64 = 0
    let plan = (0..<600).map { _ -> (time: Int64, size: UInt16) in
      now += Int64(draws.exponential(mean: Double(ms) * 0.7))
      return (now, UInt16(60 + draws.uniform() * 1_100))
    }
    var parameters = Self.links[kind]
    var larger = OneLink(parameters)
    larger.run(plan.map { ($0.time, $0.size + 38) })
    parameters.overhead = ByteCount(38)
    var model = OneLink(parameters)
    model.run(plan)
    let isConserved = model.isConserved
    #expect(isConserved)
    let (times, expected) = (model.times, larger.times)
    #expect(times == expected)
    let (counters, whole) = (model.counters, larger.counters)
    #expect(counters.droppedPackets == whole.droppedPackets && counters.droppedPackets > 0)
    #expect(counters.deliveredBytes == whole.deliveredBytes - 38 * whole.deliveredPackets)
  }
}
