package import Parameters
package import Statistics

/// What drops packets of a link's only queue, before they wait or before they leave.
///
/// A state machine with a state for each link that uses it; times do not fall. What it does not decide it need not
/// implement. Links call it through an existential in place, which allocates nothing; a link that only drops at the tail
/// calls none.
package protocol DroppingDiscipline: Sendable {
  associatedtype Parameters: Parameterized

  init(_ parameters: Parameters)

  /// Whether an arriving packet is dropped that would have to wait; called for one without room as well, which is lost
  /// anyway.
  ///
  /// - Parameters:
  ///   - waitingPackets: how many it finds in the queue.
  ///   - lastWait: how long the packet that left last had waited [ns].
  ///   - now: the present time [ns].
  ///   - draws: the link's own chance.
  mutating func dropsArriving(
    waitingPackets: Int, hasRoom: Bool, lastWait: Int64, at now: Int64, _ draws: inout RandomStream
  ) -> Bool

  /// Whether the packet at the head, about to leave, is dropped instead; then it is the next one's turn, at the same
  /// time.
  ///
  /// - Parameters:
  ///   - waited: its time in the queue [ns].
  ///   - lastWait: that of the packet before, zero if the queue was empty since [ns].
  ///   - bytesLeft: what waits behind it [byte].
  ///   - now: the time at which it would leave [ns].
  mutating func dropsLeaving(waited: Int64, lastWait: Int64, bytesLeft: Int64, at now: Int64) -> Bool
}

extension DroppingDiscipline {
  package mutating func dropsArriving(
    waitingPackets: Int, hasRoom: Bool, lastWait: Int64, at now: Int64, _ draws: inout RandomStream
  ) -> Bool { false }

  package mutating func dropsLeaving(waited: Int64, lastWait: Int64, bytesLeft: Int64, at now: Int64) -> Bool
  { false }
}

/// What keeps a link's packets in queues of its own and decides which is next.
protocol SchedulingDiscipline: Sendable {
  associatedtype Parameters: Parameterized

  /// - Parameter overhead: what the link adds to each packet [byte].
  init(_ parameters: Parameters, overhead: Int64)

  /// Packets that wait.
  var count: Int { get }

  /// Adds a packet; gives the number of packets that had to go.
  mutating func append(_ slot: LinkSlot, packetLimit: Int64, byteLimit: Int64) -> Int64

  /// The next packet to be sent, and how many were dropped on the way to it; only called while packets wait.
  mutating func removeNext(at now: Int64) -> (slot: LinkSlot?, dropped: Int64)
}

/// How a link's queue decides what to drop, besides its limit: a discipline's name with its parameters.
package struct QueueDiscipline: Hashable, Sendable {
  /// What a discipline needs of a link.
  enum Maker: Sendable {
    case none
    case drops(any DroppingDiscipline)
    case schedules(@Sendable (_ overhead: Int64) -> any SchedulingDiscipline)
  }

  package let name: String
  private let parameters: any Hashable & Sendable
  let maker: Maker

  /// Nothing but what the limit has no room for.
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

  /// Whether only a full queue drops.
  package var isDropTail: Bool { if case .none = maker { true } else { false } }

  package static func == (a: QueueDiscipline, b: QueueDiscipline) -> Bool {
    a.name == b.name && AnyHashable(a.parameters) == AnyHashable(b.parameters)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(AnyHashable(parameters))
  }
}
