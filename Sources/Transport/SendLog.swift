package import CongestionControl
package import Quantity

/// What a sender remembers of the packets that it numbered for transport-wide feedback.
package struct SendLog: BitwiseCopyable {
  /// Packets remembered: more than a second's worth of 40 Mbit/s.
  private static let limit = 4096
  /// Packets kept behind the last one reported, for messages that overtake each other.
  private static let slack = 256
  private var packets = Ring<SentPacket>(capacity: 256)
  /// Greatest number that feedback has told of.
  private var reported = -1
  /// Place of the first packet that ``takeUntold()`` has not given.
  private var told = 0

  package init() {}

  package func deallocate() { packets.deallocate() }

  /// Number of the next packet.
  package var nextSequence: Int64 { Int64(packets.tail) }

  /// Numbers a packet that leaves now.
  ///
  /// - Parameters:
  ///   - size: on the wire [byte].
  ///   - probeCluster: the probe that it belongs to; -1 for none.
  package mutating func append(size: Int32, probeCluster: Int32, at now: SimTime) -> SentPacket {
    let packet = SentPacket(sequence: nextSequence, sentAt: now, size: size, probeCluster: probeCluster)
    packets.append(packet, limit: Self.limit)
    return packet
  }

  /// Packets that were added since the last call, in order, as many as stand together; `nil` when there are no more.
  ///
  /// Valid until the next packet is added.
  package mutating func takeUntold() -> UnsafeBufferPointer<SentPacket>? {
    guard told < packets.tail else { return nil }
    told = max(told, packets.head)
    let run = packets.run(from: told)
    told += run.count
    return run
  }

  /// Turns a feedback message into results, in the order of sending: what the message covers and does not list is
  /// lost.
  ///
  /// - Parameters:
  ///   - base: the first number that it covers, as on the wire.
  ///   - arrivals: what the receiver noted, in the order of arrival.
  ///   - places: the part of the notes that this message carries.
  ///   - results: emptied and filled; kept by the caller for its capacity.
  package mutating func resolve(
    base: UInt16, arrivals: borrowing ArrivalLog, places: Range<Int>, into results: inout [PacketResult]
  ) {
    results.removeAll(keepingCapacity: true)
    let reference = max(reported, 0)
    var next = Self.unwrap(base, near: reference)
    for place in arrivals.held(places) {
      let arrival = arrivals[place]
      let number = Self.unwrap(arrival.sequence, near: reference)
      while next < number {
        append(next, receivedAt: .distantFuture, to: &results)
        next &+= 1
      }
      append(number, receivedAt: arrival.at, to: &results)
      next = max(next, number &+ 1)
    }
    reported = max(reported, next - 1)
    packets.removeAll(before: reported - Self.slack)
  }

  @inline(__always)
  private func append(_ number: Int, receivedAt: SimTime, to results: inout [PacketResult]) {
    guard packets.holds(number) else { return }
    results.append(PacketResult(packet: packets[number], receivedAt: receivedAt))
  }

  /// The number that a 16-bit one stands for: the nearest to a reference.
  @inline(__always)
  private static func unwrap(_ sequence: UInt16, near reference: Int) -> Int {
    reference &+ Int(Int16(bitPattern: sequence &- UInt16(truncatingIfNeeded: reference)))
  }
}
