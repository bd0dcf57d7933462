import Quantity
import SimulationKernel

/// Links shaped by a token bucket: the arrival time is known when a packet enters.
extension LinkTable {
  mutating func sendThroughBucket(_ packet: Packet, on number: UInt16, kernel: inout Kernel) {
    let link = links.address(of: Int(number))
    let now = kernel.now.nanoseconds
    let size = link.pointee.size(of: packet)
    dequeueDeparted(Int(number), until: now)
    if let limit = schedules[Int(number)].byteLimit(at: now) { link.pointee.byteLimit = limit }
    // An empty shaper accepts a packet even beyond the limit and holds it until there are tokens.
    let isBusy = link.pointee.service != link.pointee.tail
    guard !isBusy || link.pointee.hasRoom(for: size),
      let departure = buckets[Int(number)]?.departure(of: size, at: now, &schedules[Int(number)])
    else {
      link.pointee.refusedPackets += 1
      return
    }
    if link.pointee.tail - link.pointee.head > link.pointee.mask { link.pointee.growRing() }
    if link.pointee.isChanging { applyPathChanges(Int(number), until: departure) }
    let position = link.pointee.tail
    let slot = link.pointee.slot(at: position)
    let arrival = departure + link.pointee.propagationDelay
    slot.initialize(to: LinkSlot(packet: packet, time: arrival, sequence: kernel.reserveSequence()))
    if link.pointee.isImpaired {
      slot.pointee.time = impairedArrival(Int(number), slot: slot, arrival: arrival, transmission: 0)
      if impairments[Int(number)].reorders { link.pointee.insertByArrival(position, now: now) }
    }
    link.pointee.startedBytes += size
    link.pointee.tail = position + 1
    link.pointee.waitingBytes += size
    buckets[Int(number)]?.addDeparture(at: departure, size: size)
    dequeueDeparted(Int(number), until: now)
    link.pointee.lastWait = departure - now
    link.pointee.queueDelaySum += Int128(departure - now)
    link.pointee.queueDelayMaximum = max(link.pointee.queueDelayMaximum, departure - now)
    if link.pointee.head == position { scheduleHead(number, kernel: &kernel) }
  }

  /// Dequeues the packets that have departed.
  mutating func dequeueDeparted(_ number: Int, until now: Int64) {
    let link = links.address(of: number)
    while let size = buckets[number]?.popDeparted(by: now) {
      link.pointee.service += 1
      link.pointee.waitingBytes -= size
    }
  }
}
