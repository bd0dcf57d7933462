import Quantity
import Statistics

/// A packet on a link, with the time that its state needs.
@frozen
@usableFromInline
struct LinkSlot: BitwiseCopyable {
  @usableFromInline var packet: Packet
  /// When it reaches the other end; while that is open, when it came [ns].
  @usableFromInline var time: Int64
  /// Its place in the kernel's order, taken when it came; the top bit marks one that will not arrive.
  @usableFromInline var sequence: UInt64

  @usableFromInline static let lostBit: UInt64 = 1 << 63

  @inlinable @inline(__always)
  init(packet: Packet, time: Int64, sequence: UInt64) {
    self.packet = packet
    self.time = time
    self.sequence = sequence
  }
}

/// What a queue discipline does on a link.
@frozen
@usableFromInline
enum DisciplineRole: UInt8, BitwiseCopyable {
  /// Leaves all to the limit.
  case none
  case drops, schedules
}

/// One link: a ring of packets in which `head ..< service` are in transmission or in flight and `service ..< tail`
/// wait.
///
/// The three places only grow, and so are counts as well: packets that came out, began and went in.
@frozen
@usableFromInline
struct LinkState: BitwiseCopyable {
  // What every packet touches comes first, in one cache line.
  @usableFromInline var ring: UnsafeMutablePointer<LinkSlot>
  @usableFromInline var mask: Int
  @usableFromInline var head = 0
  @usableFromInline var service = 0
  @usableFromInline var tail = 0
  /// When the transmitter is free [ns].
  @usableFromInline var freeAt: Int64 = 0
  /// Time per byte [ps]; 0 when a schedule has to be asked.
  @usableFromInline var picosecondsPerByte: Int64
  @usableFromInline var propagationDelay: Int64
  @usableFromInline var deliveredBytes: Int64 = 0
  @usableFromInline var isNoisy: Bool
  @usableFromInline var isScheduled: Bool
  @usableFromInline var hasBucket: Bool
  @usableFromInline var discipline: DisciplineRole
  /// Its delay, jitter, loss or queue limit changes, or it is down for a time.
  @usableFromInline var isChanging: Bool
  /// None of these, and no overhead.
  @usableFromInline var isPlain: Bool
  /// Limits of what waits; the one that does not apply is at its maximum.
  @usableFromInline var packetLimit: Int64
  @usableFromInline var byteLimit: Int64
  @usableFromInline var waitingBytes: Int64 = 0
  /// Packets that the queue had no room for.
  @usableFromInline var refusedPackets: Int64 = 0
  /// Packets that the discipline dropped after they had their place in the ring.
  @usableFromInline var headDrops: Int64 = 0
  /// How long the packet that left last had waited [ns].
  @usableFromInline var lastWait: Int64 = 0
  /// Packets that will not arrive, and those of them whose place in the ring is past.
  @usableFromInline var lostPackets: Int64 = 0
  @usableFromInline var vanishedPackets: Int64 = 0
  @usableFromInline var queueDelaySum: Int64 = 0
  @usableFromInline var queueDelayMaximum: Int64 = 0
  /// What a packet takes on the link besides its own size [byte]; 0 on a plain link.
  let overhead: Int64
  /// Where the discipline's state stands among those of its role.
  let disciplinePlace: Int

  init(
    picosecondsPerByte: Int64, propagationDelay: Int64, packetLimit: Int64, byteLimit: Int64, isNoisy: Bool,
    isScheduled: Bool, hasBucket: Bool, discipline: DisciplineRole, disciplinePlace: Int, isChanging: Bool,
    overhead: Int64
  ) {
    self.picosecondsPerByte = picosecondsPerByte
    self.propagationDelay = propagationDelay
    self.packetLimit = packetLimit
    self.byteLimit = byteLimit
    self.isNoisy = isNoisy
    self.isScheduled = isScheduled
    self.hasBucket = hasBucket
    self.discipline = discipline
    self.disciplinePlace = disciplinePlace
    self.isChanging = isChanging
    self.overhead = overhead
    isPlain =
      !isNoisy && !isScheduled && !hasBucket && discipline == .none && !isChanging && overhead == 0
    ring = .allocate(capacity: 16)
    mask = 15
  }

  @inlinable @inline(__always)
  func slot(at place: Int) -> UnsafeMutablePointer<LinkSlot> { ring + (place & mask) }

  /// What a packet takes on the link [byte].
  func size(of packet: Packet) -> Int64 { Int64(packet.size) + overhead }

  @inlinable @inline(__always)
  func transmissionTime(of size: Int64) -> Int64 { picosecondsPerByte &* size / 1000 }

  /// Whether a packet that has to wait may do so.
  @inlinable @inline(__always)
  func hasRoom(for size: Int64) -> Bool {
    Int64(tail &- service) < packetLimit && waitingBytes &+ size <= byteLimit
  }

  /// Takes from those that wait, on a plain link, the packets whose transmission has begun.
  @inlinable @inline(__always)
  mutating func beginTransmissions(until now: Int64) {
    while service != tail {
      let slot = slot(at: service)
      let size = Int64(slot.pointee.packet.size)
      if slot.pointee.time &- propagationDelay &- transmissionTime(of: size) > now { return }
      service &+= 1
      waitingBytes &-= size
    }
  }

  /// Moves a packet whose arrival has become known before those that arrive later.
  ///
  /// Not before the one that arrives next, for which the kernel waits; and where a transmission is looked at only after
  /// its end, the packet may be due already: it arrives now.
  func sortIn(_ place: Int, now: Int64) {
    var moved = slot(at: place).pointee
    moved.time = max(moved.time, now, place > head ? slot(at: head).pointee.time : now)
    var free = place
    while free - 1 > head, slot(at: free - 1).pointee.time > moved.time {
      slot(at: free).pointee = slot(at: free - 1).pointee
      free -= 1
    }
    slot(at: free).pointee = moved
  }

  /// Doubles the ring; the packets keep their numbers.
  @usableFromInline
  mutating func growRing() {
    let grownMask = mask << 1 | 1
    let grown = UnsafeMutablePointer<LinkSlot>.allocate(capacity: grownMask + 1)
    for place in head..<tail { grown[place & grownMask] = ring[place & mask] }
    ring.deallocate()
    ring = grown
    mask = grownMask
  }
}

/// The chance on a link: loss and jitter, each from its own stream.
struct LinkNoise: BitwiseCopyable {
  var chain: LossChain?
  var loss: RandomStream
  var lossThreshold: UInt64
  var losesAll: Bool
  var jitter: RandomStream
  var jitterDeviation: Double
  var reorders: Bool
  /// Whether delays vary, by jitter or by changes: then order has to be kept, or given up.
  var delaysVary: Bool
  var lastArrival: Int64 = 0

  /// Replaces the loss; a chain starts in its good state.
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
