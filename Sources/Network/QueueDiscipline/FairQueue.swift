package import Parameters
package import Quantity

/// FQ-CoDel: one CoDel queue per flow, deficit round robin with new flows before old ones (RFC 8290 section 4); on
/// overflow the largest queue drops from its head.
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

  /// - Parameter overhead: per-packet overhead of the link [byte].
  init(_ parameters: FQCoDelParameters, overhead: Int64) {
    self.overhead = overhead
    quantum = max(1, parameters.quantum.bytes)
    batch = max(1, parameters.batch)
    flows = Array(
      repeating: Flow(codel: ControlledDelay(parameters.codel)), count: max(1, parameters.queues))
  }

  /// Enqueues a packet; returns the number of packets dropped for it.
  mutating func append(_ slot: LinkSlot, packetLimit: Int64, byteLimit: Int64) -> Int64 {
    let index = flow(of: slot.packet)
    flows[index].slots.append(slot)
    let size = size(of: slot)
    flows[index].bytes += size
    count += 1
    bytes += size
    if !flows[index].isListed {
      flows[index].isListed = true
      flows[index].deficit = quantum
      new.append(index)
    }
    guard Int64(count) > packetLimit || bytes > byteLimit else { return 0 }
    return dropFromLargest(until: packetLimit, byteLimit)
  }

  /// Dequeues the next packet; also returns how many CoDel dropped before it.
  mutating func removeNext(at now: Int64) -> (slot: LinkSlot?, dropped: Int64) {
    var dropped: Int64 = 0
    while true {
      guard let (index, isNew) = front else { return (nil, dropped) }
      if flows[index].deficit <= 0 {
        flows[index].deficit += quantum
        moveToEnd(index, isNew)
        continue
      }
      while !flows[index].isEmpty {
        let (slot, size) = removeFirst(of: index)
        if flows[index].codel.drops(waited: now - slot.time, bytesLeft: flows[index].bytes, at: now) {
          dropped += 1
          continue
        }
        flows[index].deficit -= size
        return (slot, dropped)
      }
      // An emptied new flow moves to the old list once, so that it cannot keep priority by sending sparsely.
      if isNew, !old.isEmpty {
        moveToEnd(index, isNew)
      } else {
        if isNew { new.removeFirst() } else { old.removeFirst() }
        flows[index].isListed = false
      }
    }
  }

  /// Returns the size of a packet on the link, overhead included [byte].
  private func size(of slot: LinkSlot) -> Int64 { Int64(slot.packet.size) + overhead }

  private mutating func removeFirst(of index: Int) -> (slot: LinkSlot, size: Int64) {
    let size = size(of: flows[index].first)
    count -= 1
    bytes -= size
    return (flows[index].removeFirst(size: size), size)
  }

  private var front: (Int, Bool)? {
    if let first = new.first { return (first, true) }
    return old.first.map { ($0, false) }
  }

  private mutating func moveToEnd(_ index: Int, _ isNew: Bool) {
    if isNew { new.removeFirst() } else { old.removeFirst() }
    old.append(index)
  }

  private mutating func dropFromLargest(until packetLimit: Int64, _ byteLimit: Int64) -> Int64 {
    var largest = 0
    for index in 0..<flows.count where flows[index].bytes > flows[largest].bytes { largest = index }
    var dropped: Int64 = 0
    while !flows[largest].isEmpty, dropped < batch, Int64(count) > packetLimit || bytes > byteLimit {
      _ = removeFirst(of: largest)
      dropped += 1
    }
    return dropped
  }

  /// Returns the queue of a packet's flow: a stream to or from a participant, mapped to the queues by a multiplicative
  /// hash.
  private func flow(of packet: Packet) -> Int {
    let key = UInt32(packet.stream) << 16 | UInt32(packet.destination)
    return Int((UInt64(key &* 2_654_435_761) * UInt64(flows.count)) >> 32)
  }
}

extension QueueDiscipline {
  /// Creates FQ-CoDel (RFC 8290).
  package static func fqCodel(_ parameters: FQCoDelParameters = FQCoDelParameters()) -> QueueDiscipline {
    QueueDiscipline("fq-codel", FairQueue.self, parameters)
  }
}

/// FQ-CoDel parameters.
package struct FQCoDelParameters: Parameterized, BitwiseCopyable {
  /// CoDel parameters of each queue.
  package var codel = CoDelParameters()
  /// Number of queues that flows are hashed to; RFC 8290 section 5.2: 1024.
  package var queues = 1024
  /// Bytes that a queue may send per round; RFC 8290 section 5.2: one MTU.
  package var quantum = ByteCount(1514)
  /// Maximum number of packets dropped at once from the largest queue on overflow; Linux (`sch_fq_codel.c`): 64.
  package var batch = 64

  package init() {}

  package static let parameters: [ParameterDeclaration<Self>] =
    CoDelParameters.parameters.map { .part(\.codel, $0) } + [
      .integer(
        "queues", \.queues, in: 1...65_536, "queues that flows are hashed to",
        source: "RFC 8290 section 5.2"),
      .size(
        "quantum", \.quantum, in: .zero...ByteCount(1_000_000_000_000),
        "bytes a queue may send per round",
        source: "RFC 8290 section 5.2"),
    ]
}
