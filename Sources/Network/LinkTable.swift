package import Quantity
package import SimulationKernel
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
package struct LinkTable: ~Copyable {
  package var links = Table<LinkState>()
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
  package init(seed: UInt64, repetition: Int = 0, horizon: SimTime) {
    self.seed = seed
    self.repetition = repetition
    self.horizon = horizon
  }

  deinit {
    for link in 0..<links.count { links[link].ring.deallocate() }
  }

  /// Number of links.
  @inlinable
  package var count: Int { links.count }

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
  package mutating func send(_ packet: Packet, on link: UInt16, kernel: inout Kernel) {
    let number = Int(link)
    let now = kernel.now.nanoseconds
    links[number].counters.offeredPackets &+= 1
    links[number].counters.offeredBytes &+= Int64(packet.size)
    if links[number].service != links[number].tail { startServices(number, now: now) }
    if links[number].isScheduled { updateLimit(number, now: now) }
    if Int64(links[number].tail &- links[number].service) >= links[number].packetLimit
      || links[number].waitingBytes &+ Int64(packet.size) > links[number].byteLimit
    {
      // An idle transmitter takes any packet; only one that would have to wait can find the queue full.
      if links[number].service != links[number].tail || links[number].freeAt > now {
        links[number].counters.droppedPackets &+= 1
        return
      }
    }
    if links[number].tail &- links[number].head == links[number].mask &+ 1 { links[number].growRing() }
    let wasIdle = links[number].head == links[number].service
    let tail = links[number].tail
    links[number].ring[Int(tail & links[number].mask)] = LinkSlot(
      packet: packet, time: now, sequence: kernel.reserveSequence())
    links[number].tail = tail &+ 1
    links[number].waitingBytes &+= Int64(packet.size)
    startServices(number, now: now)
    if wasIdle { postHead(number, kernel: &kernel) }
  }

  /// Takes the packet whose arrival is due; `nil` for one that was lost on the way.
  @inlinable @inline(__always)
  package mutating func arrive(at link: UInt16, kernel: inout Kernel) -> Packet? {
    let number = Int(link)
    let slot = links[number].ring[Int(links[number].head & links[number].mask)]
    links[number].head &+= 1
    if links[number].service != links[number].tail { startServices(number, now: kernel.now.nanoseconds) }
    postHead(number, kernel: &kernel)
    guard slot.sequence & LinkSlot.lostBit == 0 else { return nil }
    links[number].counters.deliveredPackets &+= 1
    links[number].counters.deliveredBytes &+= Int64(slot.packet.size)
    return slot.packet
  }

  @inlinable @inline(__always)
  package mutating func postHead(_ number: Int, kernel: inout Kernel) {
    guard links[number].head != links[number].service else { return }
    let slot = links[number].ring[Int(links[number].head & links[number].mask)]
    kernel.schedule(
      at: SimTime(nanoseconds: slot.time), sequence: slot.sequence & ~LinkSlot.lostBit, tag: UInt32(number))
  }

  /// Begins the transmissions that are due.
  @inlinable @inline(__always)
  package mutating func startServices(_ number: Int, now: Int64) {
    while links[number].service != links[number].tail {
      let place = Int(links[number].service & links[number].mask)
      let came = links[number].ring[place].time
      let start = max(links[number].freeAt, came)
      if start > now { return }
      let size = Int64(links[number].ring[place].packet.size)
      if links[number].isScheduled {
        guard let end = scheduledEnd(number, start: start, size: size) else { return }
        links[number].freeAt = end
      } else {
        links[number].freeAt = start &+ links[number].picosecondsPerByte &* size / 1000
      }
      var arrival = links[number].freeAt &+ links[number].propagationDelay
      if links[number].isNoisy { arrival = noisyArrival(number, place: place, arrival: arrival) }
      links[number].ring[place].time = arrival
      links[number].waitingBytes &-= size
      links[number].service &+= 1
      let wait = start &- came
      links[number].counters.startedPackets &+= 1
      links[number].counters.queueDelaySum &+= wait
      if wait > links[number].counters.queueDelayMaximum { links[number].counters.queueDelayMaximum = wait }
    }
  }

  package mutating func scheduledEnd(_ number: Int, start: Int64, size: Int64) -> Int64? {
    schedules[number].end(ofTransmissionAt: start, size: size)
  }

  package mutating func updateLimit(_ number: Int, now: Int64) {
    if let limit = schedules[number].byteLimit(at: now) { links[number].byteLimit = limit }
  }

  package mutating func noisyArrival(_ number: Int, place: Int, arrival: Int64) -> Int64 {
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
