import Network
import Quantity
import SimulationKernel
import Testing

/// 25 publishers send 150 packets a second to a hub that forwards each to 24 receivers; downlink 0 is overloaded.
/// Counts and latency are those of ns-3, OMNeT++, ns-2, SystemC, htsim and SimPy on the same workload.
private struct Forward: ~Copyable, EventModel {
  static let parties = 25
  static let spacing: Int64 = 6_666_667
  var links = LinkTable(seed: 1, horizon: SimTime(nanoseconds: 100_000_000_000))
  let end: Int64
  var sent = 0
  var delivered = 0
  var latency: Int64 = 0

  init(seconds: Int64) {
    end = seconds * 1_000_000_000
    for i in 0..<Int64(Self.parties) { add(10, delay: 10_000_000 + i * 500_000) }
    for i in 0..<Int64(Self.parties) { add(i == 0 ? 30 : 50, delay: 12_000_000 + i * 700_000) }
  }

  private mutating func add(_ megabits: Int64, delay: Int64) {
    _ = links.add(
      LinkParameters(
        capacity: .constant(.megabits(megabits)), propagationDelay: SimDuration(nanoseconds: delay),
        queueLimit: .packets(100)), name: "link")
  }

  mutating func handle(_ event: Event, kernel: inout Kernel) {
    let number = Int(event.tag)
    if number >= 2 * Self.parties {
      let next = kernel.now + SimDuration(nanoseconds: Self.spacing)
      if next.nanoseconds < end { kernel.schedule(at: next, tag: event.tag) }
      sent += 1
      let source = UInt16(number - 2 * Self.parties)
      links.send(Packet(sentAt: kernel.now, size: 1200, stream: source), on: source, kernel: &kernel)
    } else if let packet = links.arrive(at: UInt16(number), kernel: &kernel) {
      if number < Self.parties {
        for receiver in 0..<Self.parties where receiver != number {
          links.send(packet, on: UInt16(Self.parties + receiver), kernel: &kernel)
        }
      } else {
        delivered += 1
        latency += (kernel.now - packet.sentAt).nanoseconds
      }
    }
  }

  mutating func run() {
    var kernel = Kernel()
    for i in 0..<UInt64(Self.parties) {
      let phase = Int64((i &* 2_654_435_761 & 0xffff_ffff) % UInt64(Self.spacing))
      kernel.schedule(at: SimTime(nanoseconds: phase), tag: UInt32(2 * Self.parties) + UInt32(i))
    }
    kernel.run(until: SimTime(nanoseconds: end + 10_000_000_000), model: &self)
  }
}

@Test(
  "A hub with 25 publishers delivers exactly what other simulators deliver",
  arguments: [
    (1, 3_750, 89_627, 38.754129), (3, 11_250, 268_677, 38.830677), (60, 225_000, 5_371_602, 38.867029),
  ])
func forwarding(seconds: Int64, sent: Int, delivered: Int, milliseconds: Double) {
  var model = Forward(seconds: seconds)
  model.run()
  let counts = (model.sent, model.delivered)
  let latency = Double(model.latency) / Double(model.delivered) / 1e6
  #expect(counts == (sent, delivered))
  #expect(abs(latency - milliseconds) < 1e-6)
}
