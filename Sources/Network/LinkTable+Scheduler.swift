import Quantity
import SimulationKernel

/// Links with a scheduling discipline: packets wait in its queues, and the ring holds only dequeued ones.
extension LinkTable {
  mutating func sendToScheduler(_ packet: Packet, on number: UInt16, kernel: inout Kernel) {
    let link = links.address(of: Int(number))
    let now = kernel.now.nanoseconds
    let hasNoneInFlight = link.pointee.head == link.pointee.service
    serveFromScheduler(number, now: now)
    if link.pointee.isScheduled, let limit = schedules[Int(number)].byteLimit(at: now) {
      link.pointee.byteLimit = limit
    }
    // An idle transmitter accepts any packet, immediately.
    let isIdle = link.pointee.freeAt <= now
    if isIdle { link.pointee.freeAt = now }
    let slot = LinkSlot(packet: packet, time: now, sequence: kernel.reserveSequence())
    link.pointee.refusedPackets += schedulers[link.pointee.disciplineIndex].append(
      slot, packetLimit: isIdle ? .max : link.pointee.packetLimit,
      byteLimit: isIdle ? .max : link.pointee.byteLimit)
    if isIdle { serveFromScheduler(number, now: now) }
    if hasNoneInFlight { scheduleHead(number, kernel: &kernel) }
  }

  /// Starts the transmissions that are due.
  mutating func serveFromScheduler(_ number: UInt16, now: Int64) {
    let link = links.address(of: Int(number))
    let discipline = link.pointee.disciplineIndex
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
      let entry = link.pointee.slot(at: link.pointee.tail)
      entry.initialize(to: slot)
      if link.pointee.isImpaired {
        entry.pointee.time = impairedArrival(
          Int(number), slot: entry, arrival: slot.time, transmission: link.pointee.freeAt - start)
        if impairments[Int(number)].reorders { link.pointee.insertByArrival(link.pointee.tail, now: now) }
      }
      link.pointee.startedBytes += size
      link.pointee.tail += 1
      link.pointee.service += 1
      link.pointee.lastWait = wait
      link.pointee.queueDelaySum += Int128(wait)
      link.pointee.queueDelayMaximum = max(link.pointee.queueDelayMaximum, wait)
    }
  }
}
