import Quantity
import SimulationKernel

/// Links whose packets wait in the queues of a scheduling discipline: the ring holds only what has left it.
extension LinkTable {
  mutating func sendToScheduler(_ packet: Packet, on number: UInt16, kernel: inout Kernel) {
    let link = links.address(of: Int(number))
    let now = kernel.now.nanoseconds
    let nothingIsOnItsWay = link.pointee.head == link.pointee.service
    serveFromScheduler(number, now: now)
    if link.pointee.isScheduled, let limit = schedules[Int(number)].byteLimit(at: now) {
      link.pointee.byteLimit = limit
    }
    // An idle transmitter takes any packet, at the time at which it comes.
    let isIdle = link.pointee.freeAt <= now
    if isIdle { link.pointee.freeAt = now }
    let slot = LinkSlot(packet: packet, time: now, sequence: kernel.reserveSequence())
    link.pointee.refusedPackets += schedulers[link.pointee.disciplinePlace].append(
      slot, packetLimit: isIdle ? .max : link.pointee.packetLimit,
      byteLimit: isIdle ? .max : link.pointee.byteLimit)
    if isIdle { serveFromScheduler(number, now: now) }
    if nothingIsOnItsWay { postHead(number, kernel: &kernel) }
  }

  /// Begins the transmissions that are due.
  mutating func serveFromScheduler(_ number: UInt16, now: Int64) {
    let link = links.address(of: Int(number))
    let discipline = link.pointee.disciplinePlace
    while link.pointee.freeAt <= now, schedulers[discipline].count > 0 {
      let start = link.pointee.freeAt
      if link.pointee.isChanging { applyPathChanges(Int(number), until: start) }
      let taken = schedulers[discipline].removeNext(at: start)
      link.pointee.refusedPackets += taken.dropped
      guard var slot = taken.slot else { return }
      let size = link.pointee.size(of: slot.packet)
      let wait = start - slot.time
      if link.pointee.isScheduled {
        guard let end = schedules[Int(number)].end(ofTransmissionAt: start, size: size) else {
          link.pointee.refusedPackets += 1
          continue
        }
        link.pointee.freeAt = end
      } else {
        link.pointee.freeAt = start + link.pointee.transmissionTime(of: size)
      }
      if link.pointee.tail - link.pointee.head > link.pointee.mask { link.pointee.growRing() }
      slot.time = link.pointee.freeAt + link.pointee.propagationDelay
      let place = link.pointee.slot(at: link.pointee.tail)
      place.initialize(to: slot)
      if link.pointee.isNoisy {
        place.pointee.time = noisyArrival(
          Int(number), slot: place, arrival: slot.time, transmission: link.pointee.freeAt - start)
        if noises[Int(number)].reorders { link.pointee.sortIn(link.pointee.tail, now: now) }
      }
      link.pointee.tail += 1
      link.pointee.service += 1
      link.pointee.queueDelaySum += wait
      link.pointee.queueDelayMaximum = max(link.pointee.queueDelayMaximum, wait)
    }
  }
}
