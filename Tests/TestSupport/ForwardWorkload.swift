import Network
import Quantity
package import SimulationKernel

/// FORWARD: 25 publishers send 150 packets a second to a hub, which forwards each to 24 receivers over separate links;
/// downlink 0 is overloaded by 15 %.
///
/// Send times, rates and delays are chosen so that ns-3, ns-2, OMNeT++, SystemC, htsim and SimPy agree on every count:
/// after 60 s, 225,000 sent, 5,371,602 delivered, 28,398 dropped, 38.867029 ms mean latency.
package struct ForwardWorkload: ~Copyable, EventModel {
  private static let parties = 25
  private static let spacing: Int64 = 6_666_667
  private var links = LinkTable(seed: 1)
  private var end: Int64
  package private(set) var sent: Int64 = 0
  package private(set) var delivered: Int64 = 0
  package private(set) var events: UInt64 = 0
  /// Sum over the delivered packets [ns].
  package private(set) var latency: Int64 = 0

  package init(seconds: Double) {
    end = Int64(seconds * 1e9)
    for i in 0..<Int64(Self.parties) { add(10, delay: 10_000_000 + i * 500_000) }
    for i in 0..<Int64(Self.parties) { add(i == 0 ? 30 : 50, delay: 12_000_000 + i * 700_000) }
  }

  private mutating func add(_ megabits: Int64, delay: Int64) {
    _ = links.add(
      LinkParameters(
        capacity: .constant(.megabits(megabits)), propagationDelay: SimDuration(nanoseconds: delay),
        queueLimit: .packets(100)), name: "link")
  }

  /// Number of packets dropped for lack of queue space.
  package var dropped: Int64 {
    (0..<UInt16(links.count)).reduce(0) { $0 + links.counters(of: $1).droppedPackets }
  }

  /// Number of packets given to a link, the unit of cost.
  package var packetHops: Int64 {
    (0..<UInt16(links.count)).reduce(0) { $0 + links.counters(of: $1).offeredPackets }
  }

  package mutating func handle(_ event: Event, kernel: inout Kernel) {
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

  /// Runs until every packet has arrived.
  package mutating func run() {
    var kernel = Kernel()
    for i in 0..<UInt64(Self.parties) {
      let phase = Int64((i &* 2_654_435_761 & 0xffff_ffff) % UInt64(Self.spacing))
      kernel.schedule(at: SimTime(nanoseconds: phase), tag: UInt32(2 * Self.parties) + UInt32(i))
    }
    kernel.run(until: SimTime(nanoseconds: end + 10_000_000_000), model: &self)
    events = kernel.eventCount
  }
}
