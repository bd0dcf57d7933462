import Quantity
import SimulationKernel

/// Links that a token bucket shapes: a packet's arrival is known when it comes.
extension LinkTable {
  mutating func sendThroughBucket(_ packet: Packet, on number: UInt16, kernel: inout Kernel) {
    let link = links.address(of: Int(number))
    let now = kernel.now.nanoseconds
    let size = link.pointee.size(of: packet)
    beginDepartures(Int(number), until: now)
    if let limit = schedules[Int(number)].byteLimit(at: now) { link.pointee.byteLimit = limit }
    // An empty shaper takes a packet for which there is no room either: it holds it until there are tokens.
    let isBusy = link.pointee.service != link.pointee.tail
    guard !isBusy || link.pointee.hasRoom(for: size),
      let departure = buckets[Int(number)]?.departure(of: size, at: now, &schedules[Int(number)])
    else {
      link.pointee.refusedPackets += 1
      return
    }
    if link.pointee.tail - link.pointee.head > link.pointee.mask { link.pointee.growRing() }
    if link.pointee.isChanging { applyPathChanges(Int(number), until: departure) }
    let place = link.pointee.tail
    let slot = link.pointee.slot(at: place)
    let arrival = departure + link.pointee.propagationDelay
    slot.initialize(to: LinkSlot(packet: packet, time: arrival, sequence: kernel.reserveSequence()))
    if link.pointee.isNoisy {
      slot.pointee.time = noisyArrival(Int(number), slot: slot, arrival: arrival, transmission: 0)
      if noises[Int(number)].reorders { link.pointee.sortIn(place, now: now) }
    }
    link.pointee.tail = place + 1
    link.pointee.waitingBytes += size
    buckets[Int(number)]?.wait(until: departure, size: size)
    beginDepartures(Int(number), until: now)
    link.pointee.queueDelaySum += departure - now
    link.pointee.queueDelayMaximum = max(link.pointee.queueDelayMaximum, departure - now)
    if link.pointee.head == place { postHead(number, kernel: &kernel) }
  }

  /// Takes from those that wait the packets that have left.
  mutating func beginDepartures(_ number: Int, until now: Int64) {
    let link = links.address(of: number)
    while let size = buckets[number]?.takeDeparted(by: now) {
      link.pointee.service += 1
      link.pointee.waitingBytes -= size
    }
  }
}
