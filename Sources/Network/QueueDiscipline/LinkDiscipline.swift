import Statistics

/// A dropping discipline's state on one link, whatever the discipline.
///
/// Calls are dispatched at run time, on links with a discipline alone; a link that only drops at the tail keeps none.
protocol LinkDropper: AnyObject {
  func dropsArriving(waitingPackets: Int, hasRoom: Bool, lastWait: Int64, at now: Int64) -> Bool
  func dropsLeaving(waited: Int64, lastWait: Int64, bytesLeft: Int64, at now: Int64) -> Bool
}

final class LinkDropping<Discipline: DroppingDiscipline>: LinkDropper {
  private var discipline: Discipline
  private var draws: RandomStream

  init(_ discipline: Discipline, _ draws: RandomStream) {
    self.discipline = discipline
    self.draws = draws
  }

  func dropsArriving(waitingPackets: Int, hasRoom: Bool, lastWait: Int64, at now: Int64) -> Bool {
    discipline.dropsArriving(
      waitingPackets: waitingPackets, hasRoom: hasRoom, lastWait: lastWait, at: now, &draws)
  }

  func dropsLeaving(waited: Int64, lastWait: Int64, bytesLeft: Int64, at now: Int64) -> Bool {
    discipline.dropsLeaving(waited: waited, lastWait: lastWait, bytesLeft: bytesLeft, at: now)
  }
}

/// A scheduling discipline's queues on one link, whatever the discipline.
protocol LinkScheduler: AnyObject {
  var count: Int { get }
  func append(_ slot: LinkSlot, packetLimit: Int64, byteLimit: Int64) -> Int64
  /// No packet when none waits.
  func removeNext(at now: Int64) -> (slot: LinkSlot?, dropped: Int64)
}

final class LinkScheduling<Discipline: SchedulingDiscipline>: LinkScheduler {
  private var discipline: Discipline

  init(_ discipline: Discipline) { self.discipline = discipline }

  var count: Int { discipline.count }

  func append(_ slot: LinkSlot, packetLimit: Int64, byteLimit: Int64) -> Int64 {
    discipline.append(slot, packetLimit: packetLimit, byteLimit: byteLimit)
  }

  func removeNext(at now: Int64) -> (slot: LinkSlot?, dropped: Int64) {
    guard discipline.count > 0 else { return (nil, 0) }
    return discipline.removeNext(at: now)
  }
}
