public import Quantity
public import SimulationKernel
import Statistics

/// Every link of a simulation.
///
/// A link serves its packets in order at its capacity, then carries them for its propagation delay. It has one pending
/// event however many packets it holds: the arrival of its head, at the place in the kernel's order that the head took
/// when it was sent. The event's tag is the link's number.
///
/// A plain link (nothing changes, neither loss nor jitter nor overhead) knows a packet's arrival when it is sent; the
/// others decide when its transmission begins.
///
/// ```swift
/// let link = links.add(LinkParameters(capacity: .constant(.megabits(10))), name: "uplink")
/// links.send(packet, on: link, kernel: &kernel)
/// // … and when the event with tag `link` is due:
/// if let packet = links.arrive(at: link, kernel: &kernel) { … }
/// ```
public struct LinkTable: ~Copyable {
  @usableFromInline var links = Table<LinkState>()
  var noises = Table<LinkNoise>()
  var schedules: [LinkSchedule] = []
  var timelines: [LinkTimeline] = []
  /// Of the links that have one alone; a link's state holds the place.
  var droppers = Table<any DroppingDiscipline>()
  var dropperDraws = Table<RandomStream>()
  var schedulers = Table<any SchedulingDiscipline>()
  var buckets: [TokenBucket?] = []
  private let seed: UInt64
  private let repetition: Int
  private let horizon: SimTime

  /// Makes an empty table.
  ///
  /// - Parameters:
  ///   - seed: seed of the streams of loss and jitter.
  ///   - repetition: number of the repetition, likewise.
  ///   - horizon: how far capacities that repeat are laid out; a run must end before.
  public init(seed: UInt64, repetition: Int = 0, horizon: SimTime) {
    self.seed = seed
    self.repetition = repetition
    self.horizon = horizon
  }

  deinit {
    for link in 0..<links.count { links[link].ring.deallocate() }
  }

  /// Number of links.
  @inlinable
  public var count: Int { links.count }

  /// Adds a link; the name is that of its random streams.
  package mutating func add(_ parameters: LinkParameters, name: String) -> UInt16 {
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
    let (role, place) = addDiscipline(
      parameters.discipline, overhead: parameters.overhead.bytes, name: name)
    let timeline = LinkTimeline(parameters)
    let isNoisy =
      parameters.loss > .zero || parameters.jitter > .zero || parameters.burstLoss != nil
      || timeline.changesPath
    links.append(
      LinkState(
        picosecondsPerByte: perByte, propagationDelay: parameters.propagationDelay.nanoseconds,
        packetLimit: packetLimit, byteLimit: byteLimit, isNoisy: isNoisy, isScheduled: perByte == 0,
        hasBucket: parameters.bucket != nil, discipline: role, disciplinePlace: place,
        isChanging: !parameters.changes.isEmpty, overhead: parameters.overhead.bytes))
    timelines.append(timeline)
    buckets.append(parameters.bucket.map(TokenBucket.init))
    schedules.append(LinkSchedule(profile: parameters.capacity, queueTime: queueTime, horizon: horizon))
    noises.append(
      LinkNoise(
        chain: parameters.burstLoss.map(LossChain.init),
        loss: RandomStream(seed: seed, repetition: repetition, name: "link/\(name)/loss"),
        lossThreshold: parameters.loss.threshold ?? 0, losesAll: parameters.loss.threshold == nil,
        jitter: RandomStream(seed: seed, repetition: repetition, name: "link/\(name)/jitter"),
        jitterDeviation: Double(parameters.jitter.nanoseconds), reorders: parameters.reorders,
        delaysVary: parameters.jitter > .zero || timeline.changesPath))
    return UInt16(links.count - 1)
  }

  /// Makes the state of a link's discipline; gives what it does and where it stands.
  private mutating func addDiscipline(
    _ discipline: QueueDiscipline, overhead: Int64, name: String
  ) -> (role: DisciplineRole, place: Int) {
    switch discipline.maker {
    case .none: return (.none, 0)
    case .drops(let initial):
      droppers.append(initial)
      dropperDraws.append(
        RandomStream(seed: seed, repetition: repetition, name: "link/\(name)/discipline"))
      return (.drops, droppers.count - 1)
    case .schedules(let make):
      schedulers.append(make(overhead))
      return (.schedules, schedulers.count - 1)
    }
  }

  /// Sends a packet into a link now.
  @inlinable @inline(__always)
  public mutating func send(_ packet: Packet, on number: UInt16, kernel: inout Kernel) {
    let link = links.address(of: Int(number))
    guard link.pointee.isPlain else { return sendWithChoices(packet, on: number, kernel: &kernel) }
    let now = kernel.now.nanoseconds
    link.pointee.beginTransmissions(until: now)
    let size = Int64(packet.size)
    let tail = link.pointee.tail
    let start = max(link.pointee.freeAt, now)
    if start > now {
      // An idle transmitter takes any packet; only one that would have to wait can find the queue full.
      guard link.pointee.hasRoom(for: size) else {
        link.pointee.refusedPackets &+= 1
        return
      }
      link.pointee.waitingBytes &+= size
      let wait = start &- now
      link.pointee.queueDelaySum &+= wait
      if wait > link.pointee.queueDelayMaximum { link.pointee.queueDelayMaximum = wait }
    } else {
      link.pointee.service = tail &+ 1
    }
    if tail &- link.pointee.head > link.pointee.mask { link.pointee.growRing() }
    link.pointee.tail = tail &+ 1
    let end = start &+ link.pointee.transmissionTime(of: size)
    link.pointee.freeAt = end
    let arrival = end &+ link.pointee.propagationDelay
    let sequence = kernel.reserveSequence()
    link.pointee.slot(at: tail).initialize(to: LinkSlot(packet: packet, time: arrival, sequence: sequence))
    if link.pointee.head == tail {
      kernel.schedule(at: SimTime(nanoseconds: arrival), sequence: sequence, tag: UInt32(number))
    }
  }

  /// Takes the packet whose arrival is due; `nil` for one that was lost on the way.
  @inlinable @inline(__always)
  public mutating func arrive(at number: UInt16, kernel: inout Kernel) -> Packet? {
    let link = links.address(of: Int(number))
    guard link.pointee.isPlain else { return arriveWithChoices(at: number, kernel: &kernel) }
    let slot = link.pointee.slot(at: link.pointee.head)
    let size = Int64(slot.pointee.packet.size)
    // What arrives began its transmission earlier, though nobody may have looked since.
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
