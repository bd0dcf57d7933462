import Quantity
import SimulationKernel

/// Links whose packets wait in a queue for each flow: the ring holds only what has left it.
extension LinkTable {
  mutating func sendFairly(_ packet: Packet, on number: UInt16, kernel: inout Kernel) {
    let link = links.address(of: Int(number))
    let now = kernel.now.nanoseconds
    serveFairly(number, now: now)
    if link.pointee.isScheduled, let limit = schedules[Int(number)].byteLimit(at: now) {
      link.pointee.byteLimit = limit
    }
    let slot = LinkSlot(packet: packet, time: now, sequence: kernel.reserveSequence())
    let dropped =
      fairQueues[Int(number)]?.append(
        slot, packetLimit: link.pointee.packetLimit, byteLimit: link.pointee.byteLimit) ?? 0
    link.pointee.refusedPackets += dropped
    let wasIdle = link.pointee.head == link.pointee.service
    serveFairly(number, now: now)
    if wasIdle { postHead(number, kernel: &kernel) }
  }

  /// Begins the transmissions that are due.
  mutating func serveFairly(_ number: UInt16, now: Int64) {
    let link = links.address(of: Int(number))
    while let isEmpty = fairQueues[Int(number)]?.isEmpty, !isEmpty {
      // A free transmitter takes what has just come; a busy one what waits when it gets free.
      let start =
        link.pointee.head == link.pointee.tail && link.pointee.freeAt < now ? now : link.pointee.freeAt
      guard max(start, link.pointee.freeAt) <= now, let taken = fairQueues[Int(number)]?.removeNext(at: start)
      else {
        return
      }
      link.pointee.refusedPackets += taken.dropped
      guard var slot = taken.slot else { return }
      let begin = max(start, slot.time)
      let size = Int64(slot.packet.size)
      let wait = begin - slot.time
      if link.pointee.isScheduled {
        guard let end = schedules[Int(number)].end(ofTransmissionAt: begin, size: size) else {
          link.pointee.refusedPackets += 1
          return
        }
        link.pointee.freeAt = end
      } else {
        link.pointee.freeAt = begin + link.pointee.transmissionTime(of: size)
      }
      if link.pointee.tail - link.pointee.head > link.pointee.mask { link.pointee.growRing() }
      slot.time = link.pointee.freeAt + link.pointee.propagationDelay
      let place = link.pointee.slot(at: link.pointee.tail)
      place.initialize(to: slot)
      if link.pointee.isNoisy {
        place.pointee.time = noisyArrival(Int(number), slot: place, arrival: place.pointee.time)
      }
      link.pointee.tail += 1
      link.pointee.service += 1
      link.pointee.queueDelaySum += wait
      link.pointee.queueDelayMaximum = max(link.pointee.queueDelayMaximum, wait)
    }
  }
}
