package import Endpoint
package import Network
package import Plan
package import Quantity
package import SimulationKernel

/// Endpoints and links of a small meeting of which a test builds one end and plays the other.
///
/// Packets that reach the end of a path are listed in ``sent``. An event for an end stops the kernel and is then in
/// ``due``, for the test to pass on.
package struct Wires: ~Copyable, EventModel {
  package var net: Connections
  package private(set) var sent: [Sent] = []
  package private(set) var due: MeetingEvent?

  /// A packet as it left its end.
  package struct Sent {
    /// Time at which it was put on its path, in whole milliseconds [ms].
    package let time: Int64
    package let path: Int
    package let packet: Packet

    package var kind: PacketKind? { PacketKind(rawValue: packet.kind) }
  }

  package init(_ plan: MeetingPlan, repetition: Int = 0) {
    let seed = RunSeed(seed: 1, repetition: repetition)
    let streams = StreamNumbering(plan)
    net = Connections(
      Endpoints(plan, seed: seed), PathLinks(plan, seed: seed),
      Signalling(
        paths: 2 * plan.participants.count, sharesLinks: false,
        Directory(members: plan.listings(streams), sources: [])))
    for number in plan.participants.indices {
      net.endpoints.open(number, at: .zero)
      net.links.join(number, stay: 1, at: .zero)
    }
  }

  package mutating func handle(_ event: Event, kernel: inout Kernel) {
    guard let event = MeetingEvent(tag: event.tag) else { return }
    guard event.kind == .linkArrival else {
      due = event
      return kernel.stop()
    }
    let link = UInt16(event.index)
    guard let packet = net.links.arrive(at: link, kernel: &kernel) else { return }
    let path: Int
    switch net.links.forward(packet, from: link, kernel: &kernel) {
    case .sfu: path = Path.up(Int(packet.destination))
    case .participant: path = Path.down(Int(packet.destination))
    case .peer:
      let isReport = PacketKind(rawValue: packet.kind)?.isAboutMedia ?? false
      path = isReport ? Path.down(Int(packet.destination)) : Path.up(Int(packet.destination))
    case .onTheWay: return
    }
    let left = kernel.now - net.links.delay(of: path)
    sent.append(Sent(time: left.nanoseconds / 1_000_000, path: path, packet: packet))
  }

  /// Runs up to a time or to the next event for an end.
  ///
  /// - Returns: the event; `nil` at `end`.
  package mutating func next(until end: SimTime, _ kernel: inout Kernel) -> MeetingEvent? {
    due = nil
    kernel.run(until: end, model: &self)
    return due
  }

  /// Returns the packets of a kind on a path.
  package func packets(_ kind: PacketKind, on path: Int) -> [Sent] {
    sent.filter { $0.kind == kind && $0.path == path }
  }

  /// Returns the times [ms] at which packets of a kind left on a path.
  package func times(_ kind: PacketKind, on path: Int) -> [Int64] { packets(kind, on: path).map(\.time) }
}

extension SimTime {
  /// Returns a time in milliseconds.
  package static func ms(_ count: Int64) -> SimTime { .zero + .milliseconds(count) }
}
