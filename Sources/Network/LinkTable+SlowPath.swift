import Quantity
public import SimulationKernel
import Statistics

/// Slow path: links with varying parameters, loss, jitter, AQM, a token bucket or overhead.
///
/// A packet's fate is decided when its transmission starts.
extension LinkTable {
  @usableFromInline
  mutating func sendOnSlowPath(_ packet: Packet, on number: UInt16, kernel: inout Kernel) {
    let link = links.address(of: Int(number))
    let now = kernel.now.nanoseconds
    let size = link.pointee.size(of: packet)
    if link.pointee.isChanging {
      applyQueueChanges(Int(number), until: now)
      if timelines[Int(number)].isDown(at: now) {
        link.pointee.refusedPackets += 1
        return
      }
    }
    if link.pointee.hasBucket { return sendThroughBucket(packet, on: number, kernel: &kernel) }
    if link.pointee.discipline == .schedules {
      return sendToScheduler(packet, on: number, kernel: &kernel)
    }
    startTransmissions(Int(number), now: now)
    if link.pointee.isScheduled, let limit = schedules[Int(number)].byteLimit(at: now) {
      link.pointee.byteLimit = limit
    }
    let tail = link.pointee.tail
    if link.pointee.service == tail { link.pointee.lastWait = 0 }
    let isBusy = link.pointee.service != tail || link.pointee.freeAt > now
    if isBusy {
      let hasRoom = link.pointee.hasRoom(for: size)
      let isDropped = dropsArriving(packet, on: Int(number), hasRoom: hasRoom, now: now)
      guard hasRoom, !isDropped else {
        link.pointee.refusedPackets += 1
        return
      }
    }
    if tail - link.pointee.head > link.pointee.mask { link.pointee.growRing() }
    let wasIdle = link.pointee.head == link.pointee.service
    link.pointee.slot(at: tail).initialize(
      to: LinkSlot(packet: packet, time: now, sequence: kernel.reserveSequence()))
    link.pointee.tail = tail + 1
    link.pointee.waitingBytes += size
    if !isBusy { startTransmissions(Int(number), now: now) }
    if wasIdle { scheduleHead(number, kernel: &kernel) }
  }

  @usableFromInline
  mutating func arriveOnSlowPath(at number: UInt16, kernel: inout Kernel) -> Packet? {
    let link = links.address(of: Int(number))
    // Copied, because starting a transmission may reuse the slot.
    let slot = link.pointee.slot(at: link.pointee.head).pointee
    let now = kernel.now.nanoseconds
    if link.pointee.hasBucket { dequeueDeparted(Int(number), until: now) }
    link.pointee.head += 1
    if link.pointee.discipline == .schedules {
      serveFromScheduler(number, now: now)
    } else if !link.pointee.hasBucket {
      startTransmissions(Int(number), now: now)
    }
    scheduleHead(number, kernel: &kernel)
    guard slot.sequence & LinkSlot.lostBit == 0 else {
      link.pointee.undeliveredPackets += 1
      return nil
    }
    link.pointee.deliveredBytes += Int64(slot.packet.size)
    return slot.packet
  }

  mutating func scheduleHead(_ number: UInt16, kernel: inout Kernel) {
    let link = links.address(of: Int(number))
    // With a token bucket all arrival times are known, otherwise those of packets whose transmission has started.
    let known = link.pointee.hasBucket ? link.pointee.tail : link.pointee.service
    guard link.pointee.head != known else { return }
    let slot = link.pointee.slot(at: link.pointee.head)
    kernel.schedule(
      at: SimTime(nanoseconds: slot.pointee.time), sequence: slot.pointee.sequence & ~LinkSlot.lostBit,
      tag: UInt32(number))
  }

  /// Starts the transmissions that are due.
  mutating func startTransmissions(_ number: Int, now: Int64) {
    let link = links.address(of: number)
    while link.pointee.service != link.pointee.tail {
      let slot = link.pointee.slot(at: link.pointee.service)
      let came = slot.pointee.time
      let start = max(link.pointee.freeAt, came)
      if start > now { return }
      if link.pointee.isChanging { applyPathChanges(number, until: start) }
      let size = link.pointee.size(of: slot.pointee.packet)
      let lastWait = link.pointee.lastWait
      link.pointee.lastWait = start - came
      if link.pointee.discipline == .drops,
        droppers[link.pointee.disciplineIndex].dropsLeaving(
          waited: start - came, lastWait: lastWait, bytesLeft: link.pointee.waitingBytes - size, at: start)
      {
        // Its ring slot is released with the arrival before it.
        slot.pointee.sequence |= LinkSlot.lostBit
        slot.pointee.time = max(
          link.pointee.freeAt + link.pointee.propagationDelay, impairments[number].lastArrival)
        link.pointee.waitingBytes -= size
        link.pointee.service += 1
        link.pointee.headDrops += 1
        continue
      }
      if link.pointee.isScheduled {
        guard let end = schedules[number].end(ofTransmissionAt: start, size: size) else { return }
        link.pointee.freeAt = end
      } else {
        link.pointee.freeAt = start + link.pointee.transmissionTime(of: size)
      }
      link.pointee.startedBytes += size
      let arrival = link.pointee.freeAt + link.pointee.propagationDelay
      slot.pointee.time =
        link.pointee.isImpaired
        ? impairedArrival(number, slot: slot, arrival: arrival, transmission: link.pointee.freeAt - start)
        : arrival
      if link.pointee.isImpaired, impairments[number].reorders {
        link.pointee.insertByArrival(link.pointee.service, now: now)
      }
      link.pointee.waitingBytes -= size
      link.pointee.service += 1
      let wait = start - came
      link.pointee.queueDelaySum += Int128(wait)
      if wait > link.pointee.queueDelayMaximum { link.pointee.queueDelayMaximum = wait }
    }
  }

  /// Checks whether the discipline drops an arriving packet that would have to wait.
  private mutating func dropsArriving(
    _ packet: Packet, on number: Int, hasRoom: Bool, now: Int64
  ) -> Bool {
    let link = links.address(of: number)
    guard link.pointee.discipline == .drops else { return false }
    let place = placeOfDraws(for: packet, on: number)
    return droppers[link.pointee.disciplineIndex].dropsArriving(
      waitingPackets: link.pointee.tail - link.pointee.service, hasRoom: hasRoom,
      lastWait: link.pointee.lastWait, at: now, &draws[place].discipline)
  }

  /// Returns the index of a packet's random streams: its member's on a shared link, otherwise the link's own.
  private func placeOfDraws(for packet: Packet, on number: Int) -> Int {
    let own = impairments[number].firstDraws
    let count = impairments[number].memberCount
    guard count > 0, packet.kind != foreignKind else { return own }
    var low = own + 1
    var high = own + count
    while low < high {
      let middle = (low + high) / 2
      if drawers[middle] < packet.destination { low = middle + 1 } else { high = middle }
    }
    return drawers[low] == packet.destination ? low : own
  }

  private mutating func drawsLoss(_ number: Int, _ place: Int) -> Bool {
    guard var chain = impairments[number].chain else {
      return impairments[number].losesAll || draws[place].loss.next() < impairments[number].lossThreshold
    }
    defer { impairments[number].chain = chain }
    return chain.loses(&draws[place].loss)
  }

  /// Computes the arrival time with jitter and varying delay; also draws and marks the loss of the packet.
  ///
  /// The last byte of a packet arrives at least its own transmission time after that of its predecessor, as if sent
  /// back to back. RFC 8868 states this for the first bytes, with the predecessor's transmission time. If the link
  /// reorders, the caller sorts the packet among those in flight.
  mutating func impairedArrival(
    _ number: Int, slot: UnsafeMutablePointer<LinkSlot>, arrival: Int64, transmission: Int64
  ) -> Int64 {
    var arrival = arrival
    let place = placeOfDraws(for: slot.pointee.packet, on: number)
    if impairments[number].jitterDeviation > 0 {
      let deviation = impairments[number].jitterDeviation
      let extra = min(abs(draws[place].jitter.normal(mean: 0, sd: deviation)), 3 * deviation)
      arrival += Int64(extra.rounded())
    }
    if impairments[number].delaysVary {
      if !impairments[number].reorders {
        arrival = max(arrival, impairments[number].lastArrival + transmission)
      }
      impairments[number].lastArrival = max(arrival, impairments[number].lastArrival)
    }
    if drawsLoss(number, place) {
      slot.pointee.sequence |= LinkSlot.lostBit
      links[number].lostPackets += 1
    }
    return arrival
  }
}
