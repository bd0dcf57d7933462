package import Parameters
package import Statistics

/// AQM that drops packets of a single FIFO queue, on arrival or at dequeue.
///
/// A state machine with one instance per link; times never decrease. Both decisions default to not dropping. Links
/// call it in place through an existential, without allocation; drop-tail links do not call any.
package protocol DroppingDiscipline: Sendable {
  associatedtype Parameters: Parameterized

  init(_ parameters: Parameters)

  /// Decides whether an arriving packet that would have to wait is dropped; also called if the queue has no room, when
  /// it is dropped anyway.
  ///
  /// - Parameters:
  ///   - waitingPackets: queue length on arrival.
  ///   - lastWait: queuing delay of the packet dequeued last [ns].
  ///   - now: current time [ns].
  ///   - draws: the link's random stream.
  mutating func dropsArriving(
    waitingPackets: Int, hasRoom: Bool, lastWait: Int64, at now: Int64, _ draws: inout RandomStream
  ) -> Bool

  /// Decides whether the head packet is dropped instead of dequeued; if so, it is called again for the next packet at
  /// the same time.
  ///
  /// - Parameters:
  ///   - waited: queuing delay of the packet [ns].
  ///   - lastWait: queuing delay of the packet before it, zero if the queue has been empty since [ns].
  ///   - bytesLeft: bytes queued behind it [byte].
  ///   - now: dequeue time [ns].
  mutating func dropsLeaving(waited: Int64, lastWait: Int64, bytesLeft: Int64, at now: Int64) -> Bool
}

extension DroppingDiscipline {
  package mutating func dropsArriving(
    waitingPackets: Int, hasRoom: Bool, lastWait: Int64, at now: Int64, _ draws: inout RandomStream
  ) -> Bool { false }

  package mutating func dropsLeaving(waited: Int64, lastWait: Int64, bytesLeft: Int64, at now: Int64) -> Bool
  { false }
}

/// Scheduler that holds a link's packets in its own queues and selects the next one.
protocol SchedulingDiscipline: Sendable {
  associatedtype Parameters: Parameterized

  /// - Parameter overhead: per-packet overhead of the link [byte].
  init(_ parameters: Parameters, overhead: Int64)

  /// Number of queued packets.
  var count: Int { get }

  /// Enqueues a packet; returns the number of packets dropped for it.
  mutating func append(_ slot: LinkSlot, packetLimit: Int64, byteLimit: Int64) -> Int64

  /// Dequeues the next packet; also returns how many were dropped before it. Only called while packets are queued.
  mutating func removeNext(at now: Int64) -> (slot: LinkSlot?, dropped: Int64)
}

/// Queue discipline: a name with its parameters.
package struct QueueDiscipline: Hashable, Sendable {
  /// Factory of the discipline's state for a link.
  enum Maker: Sendable {
    case none
    case drops(any DroppingDiscipline)
    case schedules(@Sendable (_ overhead: Int64) -> any SchedulingDiscipline)
  }

  package let name: String
  private let parameters: any Hashable & Sendable
  let maker: Maker

  /// Discipline that only drops arriving packets beyond the limit.
  package static let dropTail = QueueDiscipline(name: "drop-tail")

  private init(name: String) {
    self.name = name
    parameters = name
    maker = .none
  }

  package init<Discipline: DroppingDiscipline>(
    _ name: String, _ discipline: Discipline.Type, _ parameters: Discipline.Parameters
  ) {
    self.name = name
    self.parameters = parameters
    maker = .drops(Discipline(parameters))
  }

  init<Discipline: SchedulingDiscipline>(
    _ name: String, _ discipline: Discipline.Type, _ parameters: Discipline.Parameters
  ) {
    self.name = name
    self.parameters = parameters
    maker = .schedules { Discipline(parameters, overhead: $0) }
  }

  /// `true` if the queue is drop-tail.
  package var isDropTail: Bool { if case .none = maker { true } else { false } }

  package static func == (a: QueueDiscipline, b: QueueDiscipline) -> Bool {
    a.name == b.name && AnyHashable(a.parameters) == AnyHashable(b.parameters)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(AnyHashable(parameters))
  }
}
