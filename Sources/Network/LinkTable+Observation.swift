package import Quantity
import SimulationKernel

extension LinkTable {
  /// Returns the cumulative counters of a link since the start.
  package func counters(of link: UInt16) -> LinkCounters {
    let state = links.address(of: Int(link))
    return LinkCounters(
      offeredPackets: Int64(state.pointee.tail) + state.pointee.refusedPackets
        + Int64(scheduledPackets(of: link)),
      droppedPackets: state.pointee.refusedPackets + state.pointee.headDrops,
      lostPackets: state.pointee.lostPackets,
      deliveredPackets: Int64(state.pointee.head) - state.pointee.undeliveredPackets,
      deliveredBytes: state.pointee.deliveredBytes,
      queuedPackets: Int64(
        state.pointee.isPlain || state.pointee.hasBucket ? state.pointee.tail : state.pointee.service),
      queueDelaySum: state.pointee.queueDelaySum)
  }

  /// Returns the maximum queuing delay since the last call [ns].
  package mutating func takeQueueDelayMaximum(of link: UInt16) -> Int64 {
    let maximum = links[Int(link)].queueDelayMaximum
    links[Int(link)].queueDelayMaximum = 0
    return maximum
  }

  /// Returns the current queuing delay of a link: that of the packet dequeued last, or where departures are known in
  /// advance, that of a packet that would enter now.
  package func queueDelay(of link: UInt16, at now: SimTime) -> SimDuration {
    let state = links.address(of: Int(link))
    let ahead = max(0, state.pointee.freeAt - now.nanoseconds)
    guard !state.pointee.isPlain else { return SimDuration(nanoseconds: ahead) }
    return SimDuration(nanoseconds: state.pointee.waitingBytes > 0 ? state.pointee.lastWait : 0)
  }

  /// Brings a link's counters up to date, as its next packet would.
  ///
  /// Transmissions are processed when a packet enters or arrives, each at its own start time, so that processing them
  /// earlier changes nothing; except on a link that reorders, where a packet that is processed late may arrive later.
  package mutating func catchUp(_ link: UInt16, to now: SimTime) {
    let state = links.address(of: Int(link))
    // A queue without a packet in flight waits for capacity that never comes.
    guard !state.pointee.isPlain, !state.pointee.hasBucket, !impairments[Int(link)].reorders,
      state.pointee.head != state.pointee.service
    else { return }
    if state.pointee.discipline == .schedules {
      serveFromScheduler(link, now: now.nanoseconds)
    } else {
      startTransmissions(Int(link), now: now.nanoseconds)
    }
  }

  /// Returns the bytes of capacity that a link's transmissions have used so far, overhead included: the sent part of
  /// the packet in transmission, and for a token bucket also the refill after a burst.
  package func transmittedBytes(of link: UInt16, at now: SimTime) -> Int64 {
    let number = Int(link)
    let state = links.address(of: number)
    let time = now.nanoseconds
    guard !state.pointee.isPlain else {
      var bytes = state.pointee.deliveredBytes
      for position in state.pointee.head..<state.pointee.tail {
        bytes += Int64(state.pointee.slot(at: position).pointee.packet.size)
      }
      guard state.pointee.freeAt > time else { return bytes }
      return bytes - state.pointee.bytes(in: state.pointee.freeAt - time)
    }
    let end = buckets[number].map(\.countedAt) ?? state.pointee.freeAt
    guard end > time else { return state.pointee.startedBytes }
    let ahead =
      state.pointee.isScheduled || state.pointee.hasBucket
      ? schedules[number].carried(
        after: time, untilTransmissionEnd: end, shaped: state.pointee.hasBucket)
      : state.pointee.bytes(in: end - time)
    return state.pointee.startedBytes - ahead
  }

  /// Counts the queued packets, without those behind a token bucket that are known to be lost.
  package func waitingPackets(of link: UInt16) -> Int {
    let state = links.address(of: Int(link))
    var count = state.pointee.tail - state.pointee.service + scheduledPackets(of: link)
    guard state.pointee.hasBucket else { return count }
    for position in state.pointee.service..<state.pointee.tail
    where state.pointee.slot(at: position).pointee.sequence & LinkSlot.lostBit != 0 { count -= 1 }
    return count
  }

  /// Counts the packets in the queues of a link's scheduler.
  private func scheduledPackets(of link: UInt16) -> Int {
    let state = links.address(of: Int(link))
    guard state.pointee.discipline == .schedules else { return 0 }
    return schedulers[state.pointee.disciplineIndex].count
  }

  /// Counts the packets in transmission or in flight, without lost ones whose slot is not released yet.
  package func packetsInFlight(of link: UInt16) -> Int {
    var count = 0
    var position = links[Int(link)].head
    while position != links[Int(link)].service {
      if links[Int(link)].ring[position & links[Int(link)].mask].sequence & LinkSlot.lostBit == 0 {
        count += 1
      }
      position &+= 1
    }
    return count
  }
}
