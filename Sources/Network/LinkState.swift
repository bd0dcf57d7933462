import Quantity
import Statistics

/// Packet on a link.
@frozen
@usableFromInline
struct LinkSlot: BitwiseCopyable {
  @usableFromInline var packet: Packet
  /// Arrival time at the far end once known, until then the time at which it entered the link [ns].
  @usableFromInline var time: Int64
  /// Kernel sequence number, reserved when the packet entered the link; the top bit marks a packet that will not
  /// arrive.
  @usableFromInline var sequence: UInt64

  @usableFromInline static let lostBit: UInt64 = 1 << 63

  @inlinable @inline(__always)
  init(packet: Packet, time: Int64, sequence: UInt64) {
    self.packet = packet
    self.time = time
    self.sequence = sequence
  }
}

/// Kind of queue discipline on a link.
@frozen
@usableFromInline
enum DisciplineRole: UInt8, BitwiseCopyable {
  /// Drops at the tail.
  case none
  case drops, schedules
}

/// Link state: a ring of packets, of which `head ..< service` are in transmission or in flight and `service ..< tail`
/// are queued.
///
/// The three positions only increase, so they also count the packets that arrived, started transmission and entered.
@frozen
@usableFromInline
struct LinkState: BitwiseCopyable {
  // Fields touched by every packet come first, in one cache line.
  @usableFromInline var ring: UnsafeMutablePointer<LinkSlot>
  @usableFromInline var mask: Int
  @usableFromInline var head = 0
  @usableFromInline var service = 0
  @usableFromInline var tail = 0
  /// Time at which the transmitter becomes idle [ns].
  @usableFromInline var freeAt: Int64 = 0
  /// Transmission time per byte [ps]; 0 if the capacity varies.
  @usableFromInline var picosecondsPerByte: Int64
  @usableFromInline var propagationDelay: Int64
  @usableFromInline var deliveredBytes: Int64 = 0
  @usableFromInline var isImpaired: Bool
  @usableFromInline var isScheduled: Bool
  @usableFromInline var hasBucket: Bool
  @usableFromInline var discipline: DisciplineRole
  /// Set if delay, jitter, loss or queue limit change, or there are outages.
  @usableFromInline var isChanging: Bool
  /// Set if the link is not impaired, scheduled, shaped, changing or managed by a discipline, and has no overhead: the
  /// fast path.
  @usableFromInline var isPlain: Bool
  /// Queue limit in packets; at its maximum if unused.
  @usableFromInline var packetLimit: Int64
  /// Queue limit in bytes; at its maximum if unused.
  @usableFromInline var byteLimit: Int64
  @usableFromInline var waitingBytes: Int64 = 0
  /// Packets dropped on arrival.
  @usableFromInline var refusedPackets: Int64 = 0
  /// Queued packets dropped by the discipline.
  @usableFromInline var headDrops: Int64 = 0
  /// Queuing delay of the packet dequeued last [ns].
  @usableFromInline var lastWait: Int64 = 0
  /// Packets lost randomly.
  @usableFromInline var lostPackets: Int64 = 0
  /// Packets released from the ring without delivery: lost, or dropped while queued.
  @usableFromInline var undeliveredPackets: Int64 = 0
  /// Sum of queuing delays [ns]; a day of a busy link with a long queue exceeds 64 bits.
  @usableFromInline var queueDelaySum: Int128 = 0
  @usableFromInline var queueDelayMaximum: Int64 = 0
  /// Sum of sizes, overhead included, of the packets whose end of transmission is known [byte]; not counted on the
  /// fast path.
  @usableFromInline var startedBytes: Int64 = 0
  /// Per-packet overhead [byte]; 0 on the fast path.
  let overhead: Int64
  /// Index of the discipline's state in the table of its kind.
  let disciplineIndex: Int

  init(
    picosecondsPerByte: Int64, propagationDelay: Int64, packetLimit: Int64, byteLimit: Int64,
    isImpaired: Bool,
    isScheduled: Bool, hasBucket: Bool, discipline: DisciplineRole, disciplineIndex: Int, isChanging: Bool,
    overhead: Int64
  ) {
    self.picosecondsPerByte = picosecondsPerByte
    self.propagationDelay = propagationDelay
    self.packetLimit = packetLimit
    self.byteLimit = byteLimit
    self.isImpaired = isImpaired
    self.isScheduled = isScheduled
    self.hasBucket = hasBucket
    self.discipline = discipline
    self.disciplineIndex = disciplineIndex
    self.isChanging = isChanging
    self.overhead = overhead
    isPlain =
      !isImpaired && !isScheduled && !hasBucket && discipline == .none && !isChanging && overhead == 0
    ring = .allocate(capacity: 16)
    mask = 15
  }

  @inlinable @inline(__always)
  func slot(at position: Int) -> UnsafeMutablePointer<LinkSlot> { ring + (position & mask) }

  /// Returns the size of a packet on the link, overhead included [byte].
  func size(of packet: Packet) -> Int64 { Int64(packet.size) + overhead }

  @inlinable @inline(__always)
  func transmissionTime(of size: Int64) -> Int64 { picosecondsPerByte &* size / 1000 }

  /// Cap on the start of a transmission, 146 years away [ns]: packets in an unlimited queue at 1 bit/s could wait
  /// longer than 64 bits can express.
  @inlinable
  static var latestStart: Int64 { 1 << 62 }

  /// Bytes that a constant capacity carries in a time [ns], rounded up.
  func bytes(in time: Int64) -> Int64 {
    Int64((Int128(time) * 1000 + Int128(picosecondsPerByte) - 1) / Int128(picosecondsPerByte))
  }

  /// Checks whether the queue has room for a packet.
  @inlinable @inline(__always)
  func hasRoom(for size: Int64) -> Bool {
    Int64(tail &- service) < packetLimit && waitingBytes &+ size <= byteLimit
  }

  /// Dequeues the packets whose transmission has started, on the fast path.
  @inlinable @inline(__always)
  mutating func dequeueStarted(until now: Int64) {
    while service != tail {
      let slot = slot(at: service)
      let size = Int64(slot.pointee.packet.size)
      if slot.pointee.time &- propagationDelay &- transmissionTime(of: size) > now { return }
      service &+= 1
      waitingBytes &-= size
    }
  }

  /// Sorts a packet whose arrival time has become known among those in flight.
  ///
  /// It is not moved before the packet that arrives next, whose event is already scheduled. If its transmission is
  /// processed only after its end, its arrival may already be due: it then arrives now.
  func insertByArrival(_ position: Int, now: Int64) {
    var moved = slot(at: position).pointee
    moved.time = max(moved.time, now, position > head ? slot(at: head).pointee.time : now)
    var free = position
    while free - 1 > head, slot(at: free - 1).pointee.time > moved.time {
      slot(at: free).pointee = slot(at: free - 1).pointee
      free -= 1
    }
    slot(at: free).pointee = moved
  }

  /// Doubles the ring; packets keep their positions.
  @usableFromInline
  mutating func growRing() {
    let grownMask = mask << 1 | 1
    let grown = UnsafeMutablePointer<LinkSlot>.allocate(capacity: grownMask + 1)
    for position in head..<tail { grown[position & grownMask] = ring[position & mask] }
    ring.deallocate()
    ring = grown
    mask = grownMask
  }
}

/// Random streams of a link, or of one of those that share it.
struct LinkDraws: BitwiseCopyable {
  var loss: RandomStream
  var jitter: RandomStream
  var discipline: RandomStream

  /// - Parameter suffix: empty, or a slash and the member's name.
  init(of suffix: String, on link: String, seed: UInt64, repetition: Int) {
    func stream(_ purpose: String) -> RandomStream {
      RandomStream(seed: seed, repetition: repetition, name: "link/\(link)/\(purpose)\(suffix)")
    }
    loss = stream("loss")
    jitter = stream("jitter")
    discipline = stream("discipline")
  }
}

/// Random loss and jitter of a link.
struct LinkImpairments: BitwiseCopyable {
  /// Burst-loss chain of the whole link: every packet advances it, with draws from its member's stream.
  var chain: LossChain?
  var lossThreshold: UInt64
  var losesAll: Bool
  var jitterDeviation: Double
  var reorders: Bool
  /// Set if delays vary by jitter or timed changes, so that packets could overtake each other.
  var delaysVary: Bool
  var lastArrival: Int64 = 0
  /// Index of the link's own random streams, which those of its members follow.
  let firstDraws: Int
  let memberCount: Int

  init(
    chain: LossChain?, lossThreshold: UInt64, losesAll: Bool, jitterDeviation: Double, reorders: Bool,
    delaysVary: Bool, firstDraws: Int, memberCount: Int
  ) {
    self.chain = chain
    self.lossThreshold = lossThreshold
    self.losesAll = losesAll
    self.jitterDeviation = jitterDeviation
    self.reorders = reorders
    self.delaysVary = delaysVary
    self.firstDraws = firstDraws
    self.memberCount = memberCount
  }

  /// Replaces the loss model; a Gilbert–Elliott chain starts in its good state.
  mutating func set(_ model: LinkLoss) {
    switch model {
    case .independent(let share):
      chain = nil
      lossThreshold = share.threshold ?? 0
      losesAll = share.threshold == nil
    case .bursts(let model): chain = LossChain(model)
    }
  }
}
