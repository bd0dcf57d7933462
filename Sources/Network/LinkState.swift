import Quantity
import Statistics

/// A packet on a link, with the time that its state needs.
@frozen
package struct LinkSlot: BitwiseCopyable {
  package var packet: Packet
  /// While it waits: when it came; from its transmission on: when it reaches the other end [ns].
  package var time: Int64
  /// Its place in the kernel's order, taken when it came; the top bit marks one that is lost on the wire.
  package var sequence: UInt64

  package static let lostBit: UInt64 = 1 << 63

  @inlinable @inline(__always)
  package init(packet: Packet, time: Int64, sequence: UInt64) {
    self.packet = packet
    self.time = time
    self.sequence = sequence
  }
}

/// One link: a ring of packets in which `head ..< service` are in transmission or in flight and `service ..< tail`
/// wait.
@frozen
package struct LinkState: BitwiseCopyable {
  /// Time per byte [ps]; 0 when a schedule has to be asked.
  package var picosecondsPerByte: Int64
  package var propagationDelay: Int64
  /// When the transmitter is free [ns].
  package var freeAt: Int64 = 0
  package var ring: UnsafeMutablePointer<LinkSlot>
  package var mask: UInt32
  package var head: UInt32 = 0
  package var service: UInt32 = 0
  package var tail: UInt32 = 0
  /// Limits of what waits; the one that does not apply is at its maximum.
  package var packetLimit: Int64
  package var byteLimit: Int64
  package var waitingBytes: Int64 = 0
  package var isNoisy: Bool
  package var isScheduled: Bool
  package var counters = LinkCounters()

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
  package mutating func growRing() {
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
