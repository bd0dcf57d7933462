import Media
public import Network
package import Plan
package import Quantity
public import SimulationKernel

/// Links of a meeting, and the routes over them between participants and the SFU.
public struct PathLinks: ~Copyable {
  @usableFromInline var network: LinkTable
  private var capacities: [CapacityMeter]
  /// Current propagation delay by link.
  private var delays: [SimDuration]
  /// Bytes that a link adds to each packet, by link.
  private let overheads: [Int64]
  /// Times at which a link is down, by link.
  private let outages: [[Range<SimTime>]]
  @usableFromInline let roles: [LinkRole]
  /// Number of each participant's connection, modulo 16, which its packets carry: 0 for that of its first stay.
  @usableFromInline var connections: Table<UInt8>
  /// Set once somebody has rejoined; until then, all packets belong to first connections and need no check.
  @usableFromInline var hasRejoined = false
  /// Number of participants, and of the first participant's peer-to-peer connection: those are numbered after the
  /// participants, in paths as in packets.
  @usableFromInline let participantCount: Int
  /// Set if anybody's media uses a TCP connection.
  @usableFromInline let hasStreams: Bool
  var streams: MediaStreams
  /// Number of joined participants that use each link.
  private var users: [Int]
  /// Links of each path in the order of travel.
  private var routes: [[UInt16]]
  /// First link of each path; `.max` for a path that does not exist.
  @usableFromInline var firstLinks: [UInt16]
  /// Sum of each path's propagation delays, which is the delay of signalling.
  private var pathDelays: [SimDuration]

  package init(_ plan: MeetingPlan, seed: RunSeed) {
    var network = LinkTable(
      seed: seed.seed, repetition: seed.repetition, foreignKind: PacketKind.crossTraffic.rawValue)
    let members = plan.linkMembers
    for (number, link) in plan.links.enumerated() {
      _ = network.add(link.parameters, name: link.name, members: members[number])
    }
    self.network = network
    capacities = plan.links.map { CapacityMeter(profile: $0.parameters.capacity) }
    let delays = plan.links.map(\.parameters.propagationDelay)
    self.delays = delays
    overheads = plan.links.map(\.parameters.overhead.bytes)
    outages = plan.links.map(\.parameters.outages)
    roles = LinkRole.roles(in: plan)
    participantCount = plan.participants.count
    let connectionCount = plan.connectionCount
    connections = Table(repeating: 0, count: connectionCount)
    let streams = MediaStreams(
      (0..<connectionCount).map { $0 < plan.participants.count && plan.participants[$0].transport == .tcp })
    hasStreams = !streams.isEmpty
    self.streams = streams
    users = Array(repeating: 0, count: plan.links.count)
    var routes = plan.participants.flatMap { [$0.up.map(UInt16.init), $0.down.map(UInt16.init)] }
    while routes.count < 2 * connectionCount { routes.append([]) }
    self.routes = routes
    firstLinks = routes.map { $0.first ?? .max }
    pathDelays = routes.map { Self.sum(of: $0, in: delays) }
  }

  private static func sum(of route: [UInt16], in delays: [SimDuration]) -> SimDuration {
    route.reduce(.zero) { $0 + delays[Int($1)] }
  }

  package var count: Int { capacities.count }

  /// Checks whether a path has any link.
  @inlinable public func exists(_ path: Int) -> Bool { firstLinks[path] != .max }

  package func route(of path: Int) -> [UInt16] { routes[path] }

  /// Returns the propagation delay of a whole path, which is the delay of reliable signalling.
  package func delay(of path: Int) -> SimDuration { pathDelays[path] }

  /// Returns the arrival time of a signalling message sent on a path: it waits where a link is down.
  func signallingArrival(on path: Int, sentAt: SimTime) -> SimTime {
    var time = sentAt
    for link in routes[path] {
      if let outage = outages[Int(link)].first(where: { $0.contains(time) }) { time = outage.upperBound }
      time += delays[Int(link)]
    }
    return time
  }

  /// Sends a packet on a path: to its first link, or over its TCP connection.
  @inlinable @inline(__always)
  public mutating func send(_ packet: Packet, on path: Int, kernel: inout Kernel) {
    if hasStreams, sendInStream(packet, on: path, kernel: &kernel) { return }
    sendDatagram(packet, on: path, kernel: &kernel)
  }

  /// Puts a packet on a path's first link.
  @inlinable @inline(__always)
  public mutating func sendDatagram(_ packet: Packet, on path: Int, kernel: inout Kernel) {
    var packet = packet
    if hasRejoined { packet.connection = connections[Path.participant(of: path)] }
    network.send(packet, on: firstLinks[path], kernel: &kernel)
  }

  /// Puts a packet on a link.
  @inlinable public mutating func send(_ packet: Packet, onLink link: UInt16, kernel: inout Kernel) {
    network.send(packet, on: link, kernel: &kernel)
  }

  /// Returns the packet that is due at the end of a link; `nil` for one that was lost.
  @inlinable @inline(__always)
  public mutating func arrive(at link: UInt16, kernel: inout Kernel) -> Packet? {
    network.arrive(at: link, kernel: &kernel)
  }

  /// Returns the location of a packet that has left a link; one in the middle of its path continues on the next link.
  @inlinable @inline(__always)
  public mutating func forward(_ packet: Packet, from link: UInt16, kernel: inout Kernel) -> Arrival {
    if Int(packet.destination) >= participantCount {
      return forwardToPeer(packet, from: link, kernel: &kernel)
    }
    switch roles[Int(link)] {
    case .toParticipant: return .participant
    case .toSFU: return .sfu
    case .onward(let next):
      network.send(packet, on: next, kernel: &kernel)
      return .onTheWay
    case .sharedUplink:
      return forward(packet, from: link, along: Path.up(Int(packet.destination)), to: .sfu, &kernel)
    case .sharedDownlink:
      return forward(packet, from: link, along: Path.down(Int(packet.destination)), to: .participant, &kernel)
    }
  }

  /// - Parameter end: location at the end of the path.
  @usableFromInline
  mutating func forward(
    _ packet: Packet, from link: UInt16, along path: Int, to end: Arrival, _ kernel: inout Kernel
  ) -> Arrival {
    guard let place = routes[path].firstIndex(of: link) else { return .onTheWay }
    guard place + 1 < routes[path].count else { return end }
    network.send(packet, on: routes[path][place + 1], kernel: &kernel)
    return .onTheWay
  }

  /// Location of a packet that has left a link: `peer` for one at the other end of a peer-to-peer connection.
  public enum Arrival { case sfu, participant, peer, onTheWay }

  /// Checks whether a packet belongs to its participant's current connection: one from an earlier stay no longer has a
  /// receiver.
  @inlinable @inline(__always)
  public func isCurrent(_ packet: Packet) -> Bool {
    !hasRejoined || packet.connection == connections[Int(packet.destination)]
  }

  /// Returns the number of a participant's connection, modulo 16.
  @inlinable public func connection(of participant: Int) -> UInt8 { connections[participant] }

  // MARK: Changes

  /// Replaces the links of a path.
  mutating func setRoute(_ links: [UInt16], of path: Int) {
    routes[path] = links
    firstLinks[path] = links.first ?? .max
    pathDelays[path] = Self.sum(of: links, in: delays)
  }

  /// Handles a participant joining, which opens a new connection.
  ///
  /// - Parameter stay: how often it has joined, from 1.
  package mutating func join(_ participant: Int, stay: Int, at now: SimTime) {
    streams.open(participant, at: now)
    connections[participant] = UInt8((stay - 1) & 0xF)
    if stay > 1 { hasRejoined = true }
    changeUsers(of: participant, by: 1)
  }

  package mutating func leave(_ participant: Int) {
    streams.close(participant)
    changeUsers(of: participant, by: -1)
  }

  private mutating func changeUsers(of participant: Int, by change: Int) {
    for path in [Path.up(participant), Path.down(participant)] {
      for link in routes[path] { users[Int(link)] += change }
    }
  }

  /// Updates a link's propagation delay; the network applies its own changes from the timeline.
  package mutating func setDelay(_ delay: SimDuration, of link: Int) {
    delays[link] = delay
    for path in routes.indices { pathDelays[path] = Self.sum(of: routes[path], in: delays) }
  }

  /// Returns the time that a packet sent on a path now would wait in queues.
  package func queueDelay(of path: Int, at now: SimTime) -> SimDuration {
    routes[path].reduce(.zero) { $0 + network.queueDelay(of: $1, at: now) }
  }

  // MARK: Capacity

  /// Returns the capacity of the narrowest link of a path; zero for a path that does not exist.
  package mutating func capacity(of path: Int, at now: SimTime) -> BitRate {
    var narrowest: BitRate?
    for link in routes[path] {
      let capacity = capacities[Int(link)].capacity(at: now)
      narrowest = min(narrowest ?? capacity, capacity)
    }
    return narrowest ?? .zero
  }

  /// Returns the share of a path's narrowest link that a participant can count on, for full packets: an equal part of a
  /// link that several participants share. Zero for a path that does not exist.
  package mutating func fairCapacity(of path: Int, at now: SimTime) -> BitRate {
    var narrowest: BitRate?
    for link in routes[path] {
      var capacity = capacities[Int(link)].capacity(at: now)
      let overhead = overheads[Int(link)]
      if overhead > 0 {
        let full = Double(PacketOverhead.largestRTPPacket + PacketOverhead.aroundRTP)
        capacity = capacity.scaled(by: full / (full + Double(overhead)))
      }
      if streams.carries(path) { capacity = capacity.scaled(by: MediaStream.efficiency) }
      let users = Int64(max(1, users[Int(link)]))
      let share = BitRate(bitsPerSecond: capacity.bitsPerSecond / users)
      narrowest = min(narrowest ?? share, share)
    }
    return drainingStream(of: path, narrowest ?? .zero)
  }

  package func meanCapacity(of link: Int, from start: SimTime, to end: SimTime) -> BitRate {
    capacities[link].mean(from: start, to: end)
  }

  /// Returns the lowest mean capacity of a path's links; zero for a path without any.
  package func meanCapacity(ofPath path: Int, from start: SimTime, to end: SimTime) -> BitRate {
    routes[path].map { capacities[Int($0)].mean(from: start, to: end) }.min() ?? .zero
  }

  /// Brings the counters of every link up to date.
  package mutating func catchUp(to now: SimTime) {
    for link in 0..<count { network.catchUp(UInt16(link), to: now) }
  }

  /// Returns the bytes of a link's capacity that transmissions have used since the beginning.
  package func transmittedBytes(of link: Int, at now: SimTime) -> Int64 {
    network.transmittedBytes(of: UInt16(link), at: now)
  }

  package func counters(of link: Int) -> LinkCounters { network.counters(of: UInt16(link)) }

  /// Returns the number of packets in a link's queue, and of those in transmission or in flight.
  package func packets(on link: Int) -> (waiting: Int, inFlight: Int) {
    (network.waitingPackets(of: UInt16(link)), network.packetsInFlight(of: UInt16(link)))
  }

  /// Returns the maximum queue delay of a link since the last call [ns].
  package mutating func takeQueueDelayMaximum(of link: Int) -> Int64 {
    network.takeQueueDelayMaximum(of: UInt16(link))
  }

  /// Number of packets offered to all links since the beginning.
  package var packetHops: Int64 {
    (0..<count).reduce(0) { $0 + counters(of: $1).offeredPackets }
  }
}

extension MeetingPlan {
  /// Numbers and ids, in order, of the participants whose packets each shared link carries; a shared link is one that
  /// is not a participant's own.
  fileprivate var linkMembers: [[(destination: UInt16, name: String)]] {
    var members = [[(destination: UInt16, name: String)]](repeating: [], count: links.count)
    for (number, participant) in participants.enumerated() {
      for link in Set(participant.up.dropFirst()).union(participant.down.dropLast()) {
        members[link].append((UInt16(number), participant.id))
      }
    }
    return members
  }
}
