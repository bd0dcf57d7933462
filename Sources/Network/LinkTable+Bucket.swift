import Quantity
import SimulationKernel

/// Links that a token bucket shapes (`tc-tbf(8)`): tokens come at the link's capacity, a full bucket holds so many
/// bytes, and a packet leaves as soon as there are tokens for all of it, without any time for its transmission.
///
/// A bucket is a server that may be ahead of itself: were the link to send bit by bit, a packet would end at some time;
/// it leaves earlier by what the bucket holds, but not before it came. Since capacities are known ahead, that is decided
/// when the packet comes.
extension LinkTable {
  mutating func sendThroughBucket(_ packet: Packet, on number: UInt16, kernel: inout Kernel) {
    let link = links.address(of: Int(number))
    let now = kernel.now.nanoseconds
    let size = Int64(packet.size)
    beginDepartures(Int(number), until: now)
    if link.pointee.isScheduled, let limit = schedules[Int(number)].byteLimit(at: now) {
      link.pointee.byteLimit = limit
    }
    // An empty shaper takes a packet for which there is no room either: it holds it until there are tokens.
    if link.pointee.service != link.pointee.tail, !link.pointee.hasRoom(for: size) {
      link.pointee.refusedPackets += 1
      return
    }
    let start = max(link.pointee.freeAt, now)
    guard let (end, ahead) = virtualEnd(Int(number), start: start, size: size) else {
      // Nothing is carried ever again.
      link.pointee.refusedPackets += 1
      return
    }
    let departure = max(now, end - ahead, link.pointee.lastDeparture)
    link.pointee.freeAt = end
    link.pointee.lastDeparture = departure
    if link.pointee.tail - link.pointee.head > link.pointee.mask { link.pointee.growRing() }
    let place = link.pointee.tail
    let slot = link.pointee.slot(at: place)
    slot.initialize(
      to: LinkSlot(
        packet: packet, time: departure + link.pointee.propagationDelay, sequence: kernel.reserveSequence()))
    if link.pointee.isNoisy {
      slot.pointee.time = noisyArrival(Int(number), slot: slot, arrival: slot.pointee.time)
    }
    link.pointee.tail = place + 1
    if departure > now {
      link.pointee.waitingBytes += size
    } else if link.pointee.service == place {
      link.pointee.service = place + 1
    }
    link.pointee.queueDelaySum += departure - now
    link.pointee.queueDelayMaximum = max(link.pointee.queueDelayMaximum, departure - now)
    if link.pointee.head == place { postHead(number, kernel: &kernel) }
  }

  /// When a packet would end bit by bit, and how much earlier a full bucket lets it leave [ns]; `nil` for never.
  private mutating func virtualEnd(
    _ number: Int, start: Int64, size: Int64
  ) -> (end: Int64, ahead: Int64)? {
    let link = links.address(of: number)
    guard link.pointee.isScheduled else {
      let end = start + link.pointee.transmissionTime(of: size)
      return (end, link.pointee.transmissionTime(of: link.pointee.bucket))
    }
    guard let end = schedules[number].end(ofTransmissionAt: start, size: size) else { return nil }
    let perByte = schedules[number].picosecondsPerByte(at: end)
    return (end, perByte.map { $0 * link.pointee.bucket / 1000 } ?? 0)
  }

  /// Takes from those that wait the packets that have left. With jitter a packet counts as waiting a little longer.
  mutating func beginDepartures(_ number: Int, until now: Int64) {
    let link = links.address(of: number)
    while link.pointee.service != link.pointee.tail {
      let slot = link.pointee.slot(at: link.pointee.service)
      if slot.pointee.time - link.pointee.propagationDelay > now { return }
      link.pointee.service += 1
      link.pointee.waitingBytes = max(0, link.pointee.waitingBytes - Int64(slot.pointee.packet.size))
    }
  }
}
