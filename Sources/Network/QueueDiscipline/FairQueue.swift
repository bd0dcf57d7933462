package import Parameters
package import Quantity

/// FQ-CoDel: a CoDel queue for each flow, new flows before old ones, each in turn for a packet's worth of bytes
/// (RFC 8290 section 4); when it is full the fattest queue loses packets from its head.
struct FairQueue: SchedulingDiscipline {
  private let quantum: Int64
  private let batch: Int
  private let overhead: Int64

  private struct Flow {
    var slots: [LinkSlot] = []
    var head = 0
    var bytes: Int64 = 0
    var deficit: Int64 = 0
    var isListed = false
    var codel: ControlledDelay

    var isEmpty: Bool { head == slots.count }
    var first: LinkSlot { slots[head] }

    mutating func removeFirst(size: Int64) -> LinkSlot {
      let slot = slots[head]
      head += 1
      bytes -= size
      if head >= 64, head * 2 >= slots.count {
        slots.removeFirst(head)
        head = 0
      }
      return slot
    }
  }

  private var flows: [Flow]
  private var new: [Int] = []
  private var old: [Int] = []
  private(set) var count = 0
  private(set) var bytes: Int64 = 0

  /// - Parameter overhead: what the link adds to each packet [byte].
  init(_ parameters: FQCoDelParameters, overhead: Int64) {
    self.overhead = overhead
    quantum = max(1, parameters.quantum.bytes)
    batch = max(1, parameters.batch)
    flows = Array(
      repeating: Flow(codel: ControlledDelay(parameters.codel)), count: max(1, parameters.queues))
  }

  /// Adds a packet; gives the number of packets that had to go.
  mutating func append(_ slot: LinkSlot, packetLimit: Int64, byteLimit: Int64) -> Int64 {
    let place = flow(of: slot.packet)
    flows[place].slots.append(slot)
    let size = size(of: slot)
    flows[place].bytes += size
    count += 1
    bytes += size
    if !flows[place].isListed {
      flows[place].isListed = true
      flows[place].deficit = quantum
      new.append(place)
    }
    guard Int64(count) > packetLimit || bytes > byteLimit else { return 0 }
    return dropFromFattest(until: packetLimit, byteLimit)
  }

  /// The next packet to be sent, and how many CoDel dropped on the way to it.
  mutating func removeNext(at now: Int64) -> (slot: LinkSlot?, dropped: Int64) {
    var dropped: Int64 = 0
    while true {
      guard let (place, isNew) = front else { return (nil, dropped) }
      if flows[place].deficit <= 0 {
        flows[place].deficit += quantum
        moveToEnd(place, isNew)
        continue
      }
      while !flows[place].isEmpty {
        let (slot, size) = removeFirst(of: place)
        if flows[place].codel.drops(waited: now - slot.time, bytesLeft: flows[place].bytes, at: now) {
          dropped += 1
          continue
        }
        flows[place].deficit -= size
        return (slot, dropped)
      }
      // An empty new flow goes behind the old ones once, so that it can't stay ahead by sending sparsely.
      if isNew, !old.isEmpty {
        moveToEnd(place, isNew)
      } else {
        if isNew { new.removeFirst() } else { old.removeFirst() }
        flows[place].isListed = false
      }
    }
  }

  /// What a packet takes on the link [byte].
  private func size(of slot: LinkSlot) -> Int64 { Int64(slot.packet.size) + overhead }

  private mutating func removeFirst(of place: Int) -> (slot: LinkSlot, size: Int64) {
    let size = size(of: flows[place].first)
    count -= 1
    bytes -= size
    return (flows[place].removeFirst(size: size), size)
  }

  private var front: (Int, Bool)? {
    if let first = new.first { return (first, true) }
    return old.first.map { ($0, false) }
  }

  private mutating func moveToEnd(_ place: Int, _ isNew: Bool) {
    if isNew { new.removeFirst() } else { old.removeFirst() }
    old.append(place)
  }

  private mutating func dropFromFattest(until packetLimit: Int64, _ byteLimit: Int64) -> Int64 {
    var fattest = 0
    for place in 0..<flows.count where flows[place].bytes > flows[fattest].bytes { fattest = place }
    var dropped: Int64 = 0
    while !flows[fattest].isEmpty, dropped < batch, Int64(count) > packetLimit || bytes > byteLimit {
      _ = removeFirst(of: fattest)
      dropped += 1
    }
    return dropped
  }

  /// A flow is a stream to or from a participant, spread over the queues by a multiplicative hash.
  private func flow(of packet: Packet) -> Int {
    let key = UInt32(packet.stream) << 16 | UInt32(packet.destination)
    return Int((UInt64(key &* 2_654_435_761) * UInt64(flows.count)) >> 32)
  }
}

extension QueueDiscipline {
  /// Controlled delay in a queue for each flow, served in turns (RFC 8290).
  package static func fqCodel(_ parameters: FQCoDelParameters = FQCoDelParameters()) -> QueueDiscipline {
    QueueDiscipline("fq-codel", FairQueue.self, parameters)
  }
}

/// What can be set about FQ-CoDel.
package struct FQCoDelParameters: Parameterized, BitwiseCopyable {
  /// CoDel in each of the queues.
  package var codel = CoDelParameters()
  /// Number of queues that flows are spread over; RFC 8290 section 5.2: 1024.
  package var queues = 1024
  /// Bytes that a queue may send in a turn; RFC 8290 section 5.2: one MTU.
  package var quantum = ByteCount(1514)
  /// Packets that the fattest queue loses at once at most when there is no room; Linux (`sch_fq_codel.c`): 64.
  package var batch = 64

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] =
    CoDelParameters.parameters.map { .part(\.codel, $0) } + [
      .integer(
        "queues", \.queues, in: 1...65_536, "queues that flows are spread over",
        source: "RFC 8290 section 5.2"),
      .size(
        "quantum", \.quantum, in: .zero...ByteCount(1_000_000_000_000),
        "bytes that a queue may send in a turn",
        source: "RFC 8290 section 5.2"),
    ]
}
