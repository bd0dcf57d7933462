import Statistics

/// A packet on a link, with the time that its state needs.
@frozen
@usableFromInline
struct LinkSlot: BitwiseCopyable {
  @usableFromInline var packet: Packet
  /// While it waits: when it came; from its transmission on: when it reaches the other end [ns].
  @usableFromInline var time: Int64
  /// Its place in the kernel's order, taken when it came; the top bit marks one that is lost on the wire.
  @usableFromInline var sequence: UInt64

  @usableFromInline static let lostBit: UInt64 = 1 << 63

  @inlinable @inline(__always)
  init(packet: Packet, time: Int64, sequence: UInt64) {
    self.packet = packet
    self.time = time
    self.sequence = sequence
  }
}

/// One link: a ring of packets in which `head ..< service` are in transmission or in flight and `service ..< tail`
/// wait.
@frozen
@usableFromInline
struct LinkState: BitwiseCopyable {
  /// Time per byte [ps]; 0 when a schedule has to be asked.
  @usableFromInline var picosecondsPerByte: Int64
  @usableFromInline var propagationDelay: Int64
  /// When the transmitter is free [ns].
  @usableFromInline var freeAt: Int64 = 0
  @usableFromInline var ring: UnsafeMutablePointer<LinkSlot>
  @usableFromInline var mask: UInt32
  @usableFromInline var head: UInt32 = 0
  @usableFromInline var service: UInt32 = 0
  @usableFromInline var tail: UInt32 = 0
  /// Limits of what waits; the one that does not apply is at its maximum.
  @usableFromInline var packetLimit: Int64
  @usableFromInline var byteLimit: Int64
  @usableFromInline var waitingBytes: Int64 = 0
  @usableFromInline var isNoisy: Bool
  @usableFromInline var isScheduled: Bool
  @usableFromInline var counters = LinkCounters()

  init(
    picosecondsPerByte: Int64, propagationDelay: Int64, packetLimit: Int64, byteLimit: Int64, isNoisy: Bool,
    isScheduled: Bool
  ) {
    self.picosecondsPerByte = picosecondsPerByte
    self.propagationDelay = propagationDelay
    self.packetLimit = packetLimit
    self.byteLimit = byteLimit
    self.isNoisy = isNoisy
    self.isScheduled = isScheduled
    ring = .allocate(capacity: 16)
    mask = 15
  }

  /// Doubles the ring, oldest packet first.
  @usableFromInline
  mutating func growRing() {
    let count = tail &- head
    let grown = UnsafeMutablePointer<LinkSlot>.allocate(capacity: Int(mask + 1) * 2)
    var i: UInt32 = 0
    while i < count {
      grown[Int(i)] = ring[Int((head &+ i) & mask)]
      i += 1
    }
    ring.deallocate()
    ring = grown
    mask = mask << 1 | 1
    service = service &- head
    head = 0
    tail = count
  }
}

/// The chance on a link: loss and jitter, each from its own stream.
struct LinkNoise: BitwiseCopyable {
  var loss: RandomStream
  var lossThreshold: UInt64
  var losesAll: Bool
  var jitter: RandomStream
  var jitterDeviation: Double
  var lastArrival: Int64 = 0
}
