import Network
import Quantity
import SimulationKernel
import Statistics

/// One link and its output.
struct OneLink: ~Copyable, EventModel {
  var links: LinkTable
  let link: UInt16
  var arrivals: [(time: Int64, packet: Packet)] = []
  /// Packets to send, with tag 1 << 20 | index.
  var plan: [(time: Int64, size: UInt16)] = []
  /// Streams of the packets, all 0 unless given.
  var streams: [UInt16] = []

  init(_ parameters: LinkParameters, seed: UInt64 = 1) {
    links = LinkTable(seed: seed)
    link = links.add(parameters, name: "link")
  }

  mutating func handle(_ event: Event, kernel: inout Kernel) {
    if event.tag >= 1 << 20 {
      let index = Int(event.tag - 1 << 20)
      links.send(
        Packet(
          sentAt: kernel.now, size: plan[index].size, stream: index < streams.count ? streams[index] : 0,
          frame: UInt32(index)), on: link, kernel: &kernel)
    } else if let packet = links.arrive(at: link, kernel: &kernel) {
      arrivals.append((kernel.now.nanoseconds, packet))
    }
  }

  mutating func run(_ plan: [(time: Int64, size: UInt16)], until end: Int64 = 900_000_000_000) {
    self.plan = plan
    var kernel = Kernel()
    for (index, entry) in plan.enumerated() {
      kernel.schedule(at: SimTime(nanoseconds: entry.time), tag: UInt32(1 << 20 | index))
    }
    kernel.run(until: SimTime(nanoseconds: end), model: &self)
  }

  var times: [Int64] { arrivals.map(\.time) }
  var counters: LinkCounters { links.counters(of: link) }
  var waiting: Int { links.waitingPackets(of: link) }
  /// Indicates whether every packet is accounted for: offered = delivered + dropped + lost + queued + in flight.
  var isConserved: Bool {
    let c = counters
    return c.offeredPackets == c.deliveredPackets + c.droppedPackets + c.lostPackets + Int64(waiting)
      + Int64(links.packetsInFlight(of: link))
  }
}
