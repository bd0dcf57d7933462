import SimulationKernel

extension LinkTable {
  /// Cumulative counters of a link since the start.
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
      queueDelaySum: state.pointee.queueDelaySum, queueDelayMaximum: state.pointee.queueDelayMaximum)
  }

  /// Maximum queuing delay since the last call [ns].
  package mutating func takeQueueDelayMaximum(of link: UInt16) -> Int64 {
    let maximum = links[Int(link)].queueDelayMaximum
    links[Int(link)].queueDelayMaximum = 0
    return maximum
  }

  /// Queued packets.
  package func waitingPackets(of link: UInt16) -> Int {
    links[Int(link)].tail - links[Int(link)].service + scheduledPackets(of: link)
  }

  /// Packets in the queues of a link's scheduler.
  private func scheduledPackets(of link: UInt16) -> Int {
    let state = links.address(of: Int(link))
    guard state.pointee.discipline == .schedules else { return 0 }
    return schedulers[state.pointee.disciplineIndex].count
  }

  /// Packets in transmission or in flight, without lost ones whose slot is not released yet.
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

  /// Whether every packet is accounted for: offered = delivered + dropped + lost + queued + in flight.
  package func conservesPackets(of link: UInt16) -> Bool {
    let c = counters(of: link)
    return c.offeredPackets == c.deliveredPackets + c.droppedPackets + c.lostPackets
      + Int64(waitingPackets(of: link)) + Int64(packetsInFlight(of: link))
  }
}
