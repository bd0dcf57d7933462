public import Quantity
public import SimulationKernel
import Statistics

/// Every link of a simulation.
///
/// A link serves its packets in order at its capacity, then carries them for its propagation delay. It decides about
/// a packet when the packet's transmission begins, and has one pending event however many packets it holds: the
/// arrival of its head, at the place in the kernel's order that the head took when it was sent. The event's tag is
/// the link's number.
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
    let isNoisy = parameters.loss > .zero || parameters.jitter > .zero
    links.append(
      LinkState(
        picosecondsPerByte: perByte, propagationDelay: parameters.propagationDelay.nanoseconds,
        packetLimit: packetLimit, byteLimit: byteLimit, isNoisy: isNoisy, isScheduled: perByte == 0))
    schedules.append(LinkSchedule(profile: parameters.capacity, queueTime: queueTime, horizon: horizon))
    noises.append(
      LinkNoise(
        loss: RandomStream(seed: seed, repetition: repetition, name: "link/\(name)/loss"),
        lossThreshold: parameters.loss.threshold ?? 0, losesAll: parameters.loss.threshold == nil,
        jitter: RandomStream(seed: seed, repetition: repetition, name: "link/\(name)/jitter"),
        jitterDeviation: Double(parameters.jitter.nanoseconds)))
    return UInt16(links.count - 1)
  }

  /// Sends a packet into a link now.
  @inlinable @inline(__always)
  public mutating func send(_ packet: Packet, on number: UInt16, kernel: inout Kernel) {
    let link = links.address(of: Int(number))
    let now = kernel.now.nanoseconds
    let size = Int64(packet.size)
    link.pointee.counters.offeredPackets &+= 1
    if link.pointee.service != link.pointee.tail { startServices(link, Int(number), now: now) }
    if link.pointee.isScheduled { updateLimit(Int(number), now: now) }
    let isBusy = link.pointee.service != link.pointee.tail || link.pointee.freeAt > now
    // An idle transmitter takes any packet; only one that would have to wait can find the queue full.
    if isBusy,
      Int64(link.pointee.tail &- link.pointee.service) >= link.pointee.packetLimit
        || link.pointee.waitingBytes &+ size > link.pointee.byteLimit
    {
      link.pointee.counters.droppedPackets &+= 1
      return
    }
    if link.pointee.tail &- link.pointee.head == link.pointee.mask &+ 1 { link.pointee.growRing() }
    let wasIdle = link.pointee.head == link.pointee.service
    let tail = link.pointee.tail
    let slot = link.pointee.ring + Int(tail & link.pointee.mask)
    slot.pointee.packet = packet
    slot.pointee.sequence = kernel.reserveSequence()
    link.pointee.tail = tail &+ 1
    if !isBusy, !link.pointee.isScheduled, !link.pointee.isNoisy {
      // The common case, in short: the packet finds the transmitter free and has no choice of fates.
      let end = now &+ link.pointee.picosecondsPerByte &* size / 1000
      link.pointee.freeAt = end
      slot.pointee.time = end &+ link.pointee.propagationDelay
      link.pointee.service = tail &+ 1
      link.pointee.counters.startedPackets &+= 1
    } else {
      slot.pointee.time = now
      link.pointee.waitingBytes &+= size
      if !isBusy { startServices(link, Int(number), now: now) }
    }
    if wasIdle { postHead(link, number, kernel: &kernel) }
  }

  /// Takes the packet whose arrival is due; `nil` for one that was lost on the way.
  @inlinable @inline(__always)
  public mutating func arrive(at number: UInt16, kernel: inout Kernel) -> Packet? {
    let link = links.address(of: Int(number))
    let slot = link.pointee.ring + Int(link.pointee.head & link.pointee.mask)
    link.pointee.head &+= 1
    if link.pointee.service != link.pointee.tail {
      startServices(link, Int(number), now: kernel.now.nanoseconds)
    }
    postHead(link, number, kernel: &kernel)
    guard slot.pointee.sequence & LinkSlot.lostBit == 0 else { return nil }
    link.pointee.counters.deliveredPackets &+= 1
    link.pointee.counters.deliveredBytes &+= Int64(slot.pointee.packet.size)
    return slot.pointee.packet
  }

  @inlinable @inline(__always)
  mutating func postHead(
    _ link: UnsafeMutablePointer<LinkState>, _ number: UInt16, kernel: inout Kernel
  ) {
    guard link.pointee.head != link.pointee.service else { return }
    let slot = link.pointee.ring + Int(link.pointee.head & link.pointee.mask)
    kernel.schedule(
      at: SimTime(nanoseconds: slot.pointee.time), sequence: slot.pointee.sequence & ~LinkSlot.lostBit,
      tag: UInt32(number))
  }

  /// Begins the transmissions that are due.
  @inlinable @inline(__always)
  mutating func startServices(
    _ link: UnsafeMutablePointer<LinkState>, _ number: Int, now: Int64
  ) {
    while link.pointee.service != link.pointee.tail {
      let place = Int(link.pointee.service & link.pointee.mask)
      let slot = link.pointee.ring + place
      let came = slot.pointee.time
      let start = max(link.pointee.freeAt, came)
      if start > now { return }
      let size = Int64(slot.pointee.packet.size)
      if link.pointee.isScheduled {
        guard let end = scheduledEnd(number, start: start, size: size) else { return }
        link.pointee.freeAt = end
      } else {
        link.pointee.freeAt = start &+ link.pointee.picosecondsPerByte &* size / 1000
      }
      var arrival = link.pointee.freeAt &+ link.pointee.propagationDelay
      if link.pointee.isNoisy { arrival = noisyArrival(number, place: place, arrival: arrival) }
      slot.pointee.time = arrival
      link.pointee.waitingBytes &-= size
      link.pointee.service &+= 1
      let wait = start &- came
      link.pointee.counters.startedPackets &+= 1
      link.pointee.counters.queueDelaySum &+= wait
      if wait > link.pointee.counters.queueDelayMaximum { link.pointee.counters.queueDelayMaximum = wait }
    }
  }

  @usableFromInline
  mutating func scheduledEnd(_ number: Int, start: Int64, size: Int64) -> Int64? {
    schedules[number].end(ofTransmissionAt: start, size: size)
  }

  @usableFromInline
  mutating func updateLimit(_ number: Int, now: Int64) {
    if let limit = schedules[number].byteLimit(at: now) { links[number].byteLimit = limit }
  }

  @usableFromInline
  mutating func noisyArrival(_ number: Int, place: Int, arrival: Int64) -> Int64 {
    var arrival = arrival
    if noises[number].jitterDeviation > 0 {
      let deviation = noises[number].jitterDeviation
      let extra = min(max(noises[number].jitter.normal(mean: 0, sd: deviation), 0), 3 * deviation)
      arrival = max(arrival &+ Int64(extra.rounded()), noises[number].lastArrival)
      noises[number].lastArrival = arrival
    }
    if noises[number].losesAll || noises[number].loss.next() < noises[number].lossThreshold {
      links[number].ring[place].sequence |= LinkSlot.lostBit
      links[number].counters.lostPackets &+= 1
    }
    return arrival
  }
}
