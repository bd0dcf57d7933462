import Quantity
public import SimulationKernel
import Statistics

/// Links with a capacity or other parameters that change, loss, jitter, AQM, a token bucket or overhead.
///
/// They decide about a packet when its transmission begins.
extension LinkTable {
  @usableFromInline
  mutating func sendWithChoices(_ packet: Packet, on number: UInt16, kernel: inout Kernel) {
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
    startServices(Int(number), now: now)
    if link.pointee.isScheduled, let limit = schedules[Int(number)].byteLimit(at: now) {
      link.pointee.byteLimit = limit
    }
    let tail = link.pointee.tail
    if link.pointee.service == tail { link.pointee.lastWait = 0 }
    let isBusy = link.pointee.service != tail || link.pointee.freeAt > now
    if isBusy {
      let hasRoom = link.pointee.hasRoom(for: size)
      let isDropped = dropsArriving(Int(number), hasRoom: hasRoom, now: now)
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
    if !isBusy { startServices(Int(number), now: now) }
    if wasIdle { postHead(number, kernel: &kernel) }
  }

  @usableFromInline
  mutating func arriveWithChoices(at number: UInt16, kernel: inout Kernel) -> Packet? {
    let link = links.address(of: Int(number))
    // What begins now may take the place of what arrives.
    let slot = link.pointee.slot(at: link.pointee.head).pointee
    let now = kernel.now.nanoseconds
    if link.pointee.hasBucket { beginDepartures(Int(number), until: now) }
    link.pointee.head += 1
    if link.pointee.discipline == .schedules {
      serveFromScheduler(number, now: now)
    } else if !link.pointee.hasBucket {
      startServices(Int(number), now: now)
    }
    postHead(number, kernel: &kernel)
    guard slot.sequence & LinkSlot.lostBit == 0 else {
      link.pointee.vanishedPackets += 1
      return nil
    }
    link.pointee.deliveredBytes += Int64(slot.packet.size)
    return slot.packet
  }

  mutating func postHead(_ number: UInt16, kernel: inout Kernel) {
    let link = links.address(of: Int(number))
    // Behind a token bucket every arrival is known; elsewhere those whose transmission has begun.
    let known = link.pointee.hasBucket ? link.pointee.tail : link.pointee.service
    guard link.pointee.head != known else { return }
    let slot = link.pointee.slot(at: link.pointee.head)
    kernel.schedule(
      at: SimTime(nanoseconds: slot.pointee.time), sequence: slot.pointee.sequence & ~LinkSlot.lostBit,
      tag: UInt32(number))
  }

  /// Begins the transmissions that are due.
  private mutating func startServices(_ number: Int, now: Int64) {
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
        droppers[link.pointee.disciplinePlace].dropsLeaving(
          waited: start - came, lastWait: lastWait, bytesLeft: link.pointee.waitingBytes - size, at: start)
      {
        // Its place in the ring passes with the arrival before it.
        slot.pointee.sequence |= LinkSlot.lostBit
        slot.pointee.time = max(
          link.pointee.freeAt + link.pointee.propagationDelay, noises[number].lastArrival)
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
      let arrival = link.pointee.freeAt + link.pointee.propagationDelay
      slot.pointee.time =
        link.pointee.isNoisy
        ? noisyArrival(number, slot: slot, arrival: arrival, transmission: link.pointee.freeAt - start)
        : arrival
      if link.pointee.isNoisy, noises[number].reorders { link.pointee.sortIn(link.pointee.service, now: now) }
      link.pointee.waitingBytes -= size
      link.pointee.service += 1
      let wait = start - came
      link.pointee.queueDelaySum += wait
      if wait > link.pointee.queueDelayMaximum { link.pointee.queueDelayMaximum = wait }
    }
  }

  /// The discipline's choice about a packet that would have to wait.
  private mutating func dropsArriving(_ number: Int, hasRoom: Bool, now: Int64) -> Bool {
    let link = links.address(of: number)
    guard link.pointee.discipline == .drops else { return false }
    let place = link.pointee.disciplinePlace
    return droppers[place].dropsArriving(
      waitingPackets: link.pointee.tail - link.pointee.service, hasRoom: hasRoom,
      lastWait: link.pointee.lastWait, at: now, &dropperDraws[place])
  }

  private mutating func losesNext(_ number: Int) -> Bool {
    guard var chain = noises[number].chain else {
      return noises[number].losesAll || noises[number].loss.next() < noises[number].lossThreshold
    }
    defer { noises[number].chain = chain }
    return chain.loses(&noises[number].loss)
  }

  /// The arrival with jitter, or with a delay that has fallen, and whether the packet is lost.
  ///
  /// A packet's last byte follows that of the packet before by its own transmission at least, as if it left right behind
  /// it: RFC 8868 states that for the times at which packets begin, with the transmission of the packet before. Where the
  /// link reorders, the caller sorts the packet in among those on their way.
  mutating func noisyArrival(
    _ number: Int, slot: UnsafeMutablePointer<LinkSlot>, arrival: Int64, transmission: Int64
  ) -> Int64 {
    var arrival = arrival
    if noises[number].jitterDeviation > 0 {
      let deviation = noises[number].jitterDeviation
      let extra = min(abs(noises[number].jitter.normal(mean: 0, sd: deviation)), 3 * deviation)
      arrival += Int64(extra.rounded())
    }
    if noises[number].delaysVary {
      if !noises[number].reorders { arrival = max(arrival, noises[number].lastArrival + transmission) }
      noises[number].lastArrival = max(arrival, noises[number].lastArrival)
    }
    if losesNext(number) {
      slot.pointee.sequence |= LinkSlot.lostBit
      links[number].lostPackets += 1
    }
    return arrival
  }
}
