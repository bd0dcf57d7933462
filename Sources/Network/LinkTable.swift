public import Quantity
public import SimulationKernel
import Statistics

/// All links of a simulation.
///
/// A link serializes packets in order at its capacity, then delivers them after its propagation delay. Whatever the
/// number of packets on it, it has one pending event: the arrival of its head packet, with the kernel sequence number
/// reserved when that packet entered. The event's tag is the link's index.
///
/// On the fast path (constant parameters; no loss, jitter, AQM, token bucket or overhead) the arrival time is computed
/// when a packet enters; other links decide when its transmission starts.
///
/// ```swift
/// let link = links.add(LinkParameters(capacity: .constant(.megabits(10))), name: "uplink")
/// links.send(packet, on: link, kernel: &kernel)
/// // … and when the event with tag `link` is due:
/// if let packet = links.arrive(at: link, kernel: &kernel) { … }
/// ```
public struct LinkTable: ~Copyable {
  @usableFromInline var links = Table<LinkState>()
  var impairments = Table<LinkImpairments>()
  var schedules: [LinkSchedule] = []
  var timelines: [LinkTimeline] = []
  /// Dropping disciplines, only of links that have one; the link state holds the index.
  var droppers = Table<any DroppingDiscipline>()
  /// Scheduling disciplines, only of links that have one; the link state holds the index.
  var schedulers = Table<any SchedulingDiscipline>()
  var buckets: [TokenBucket?] = []
  /// Random streams of all links; those of a link are adjacent: its own, then one for each of its members.
  var draws = Table<LinkDraws>()
  /// Destinations of the members, by index in ``draws``.
  var drawers = Table<UInt16>()
  private let seed: UInt64
  private let repetition: Int
  /// Kind of the packets that belong to no member, whatever their destination.
  let foreignKind: UInt8

  /// Creates an empty table.
  ///
  /// - Parameters:
  ///   - seed: seed of the random streams.
  ///   - repetition: repetition of the random streams.
  ///   - foreignKind: kind of the packets that belong to no member of a shared link, such as cross traffic.
  public init(seed: UInt64, repetition: Int = 0, foreignKind: UInt8 = .max) {
    self.seed = seed
    self.repetition = repetition
    self.foreignKind = foreignKind
  }

  deinit {
    for link in 0..<links.count { links[link].ring.deallocate() }
  }

  /// Number of links.
  @inlinable
  public var count: Int { links.count }

  /// Adds a link and returns its index; the name identifies its random streams.
  ///
  /// - Parameter members: for a shared link, the destinations of the members' packets, ascending, and the members'
  ///   names: each member has random streams of its own, so that other members' packets do not affect its draws.
  package mutating func add(
    _ parameters: LinkParameters, name: String, members: [(destination: UInt16, name: String)] = []
  ) -> UInt16 {
    var packetLimit = Int64.max
    var byteLimit = Int64.max
    var queueTime: SimDuration?
    switch parameters.queueLimit {
    case .packets(let count): packetLimit = Int64(count)
    case .bytes(let size): byteLimit = size.bytes
    case .duration(let time): queueTime = time
    }
    var perByte: Int64 = 0
    if case .constant(let rate) = parameters.capacity.base, parameters.capacity.changes.isEmpty,
      let constant = rate.picosecondsPerByte
    {
      perByte = constant
      if let queueTime { byteLimit = LinkSchedule.bytes(in: queueTime, at: rate) }
    }
    let (role, index) = addDiscipline(parameters.discipline, overhead: parameters.overhead.bytes)
    let timeline = LinkTimeline(parameters)
    let isImpaired =
      parameters.loss > .zero || parameters.jitter > .zero || parameters.burstLoss != nil
      || timeline.changesPath
    links.append(
      LinkState(
        picosecondsPerByte: perByte, propagationDelay: parameters.propagationDelay.nanoseconds,
        packetLimit: packetLimit, byteLimit: byteLimit, isImpaired: isImpaired, isScheduled: perByte == 0,
        hasBucket: parameters.bucket != nil, discipline: role, disciplineIndex: index,
        isChanging: !parameters.changes.isEmpty, overhead: parameters.overhead.bytes))
    timelines.append(timeline)
    buckets.append(parameters.bucket.map(TokenBucket.init))
    schedules.append(LinkSchedule(profile: parameters.capacity, queueTime: queueTime))
    impairments.append(
      LinkImpairments(
        chain: parameters.burstLoss.map(LossChain.init),
        lossThreshold: parameters.loss.threshold ?? 0, losesAll: parameters.loss.threshold == nil,
        jitterDeviation: Double(parameters.jitter.nanoseconds), reorders: parameters.reorders,
        delaysVary: parameters.jitter > .zero || timeline.changesPath, firstDraws: draws.count,
        memberCount: members.count))
    draws.append(LinkDraws(of: "", on: name, seed: seed, repetition: repetition))
    drawers.append(0)
    for member in members {
      draws.append(LinkDraws(of: "/\(member.name)", on: name, seed: seed, repetition: repetition))
      drawers.append(member.destination)
    }
    return UInt16(links.count - 1)
  }

  /// Creates the state of a link's queue discipline; returns its kind and index.
  private mutating func addDiscipline(
    _ discipline: QueueDiscipline, overhead: Int64
  ) -> (role: DisciplineRole, index: Int) {
    switch discipline.maker {
    case .none: return (.none, 0)
    case .drops(let initial):
      droppers.append(initial)
      return (.drops, droppers.count - 1)
    case .schedules(let make):
      schedulers.append(make(overhead))
      return (.schedules, schedulers.count - 1)
    }
  }

  /// Sends a packet into a link.
  @inlinable @inline(__always)
  public mutating func send(_ packet: Packet, on number: UInt16, kernel: inout Kernel) {
    let link = links.address(of: Int(number))
    guard link.pointee.isPlain else { return sendOnSlowPath(packet, on: number, kernel: &kernel) }
    let now = kernel.now.nanoseconds
    link.pointee.dequeueStarted(until: now)
    let size = Int64(packet.size)
    let tail = link.pointee.tail
    let start = max(link.pointee.freeAt, now)
    if start > now {
      // An idle transmitter accepts any packet; only a packet that has to wait can find the queue full.
      guard link.pointee.hasRoom(for: size) else {
        link.pointee.refusedPackets &+= 1
        return
      }
      link.pointee.waitingBytes &+= size
      let wait = start &- now
      link.pointee.queueDelaySum &+= Int128(wait)
      if wait > link.pointee.queueDelayMaximum { link.pointee.queueDelayMaximum = wait }
    } else {
      link.pointee.service = tail &+ 1
    }
    if tail &- link.pointee.head > link.pointee.mask { link.pointee.growRing() }
    link.pointee.tail = tail &+ 1
    let end = min(start, LinkState.latestStart) &+ link.pointee.transmissionTime(of: size)
    link.pointee.freeAt = end
    let arrival = end &+ link.pointee.propagationDelay
    let sequence = kernel.reserveSequence()
    link.pointee.slot(at: tail).initialize(to: LinkSlot(packet: packet, time: arrival, sequence: sequence))
    if link.pointee.head == tail {
      kernel.schedule(at: SimTime(nanoseconds: arrival), sequence: sequence, tag: UInt32(number))
    }
  }

  /// Removes and returns the packet whose arrival is due; `nil` if it was lost or dropped.
  @inlinable @inline(__always)
  public mutating func arrive(at number: UInt16, kernel: inout Kernel) -> Packet? {
    let link = links.address(of: Int(number))
    guard link.pointee.isPlain else { return arriveOnSlowPath(at: number, kernel: &kernel) }
    let slot = link.pointee.slot(at: link.pointee.head)
    let size = Int64(slot.pointee.packet.size)
    // The transmission has started, but may not have been dequeued yet.
    if link.pointee.service == link.pointee.head {
      link.pointee.service &+= 1
      link.pointee.waitingBytes &-= size
    }
    link.pointee.head &+= 1
    if link.pointee.head != link.pointee.tail {
      let next = link.pointee.slot(at: link.pointee.head)
      kernel.schedule(
        at: SimTime(nanoseconds: next.pointee.time), sequence: next.pointee.sequence, tag: UInt32(number))
    }
    link.pointee.deliveredBytes &+= size
    return slot.pointee.packet
  }
}
