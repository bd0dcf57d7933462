package import CongestionControl
package import Quantity

/// Record of a sender's packets with transport-wide sequence numbers, for matching feedback.
package struct SendLog: BitwiseCopyable {
  /// Maximum number of packets kept: more than one second at 40 Mbit/s.
  private static let limit = 4096
  /// Packets kept behind the last reported one, for reordered feedback messages.
  private static let slack = 256
  private var packets = Ring<SentPacket>(capacity: 32)
  /// Highest sequence number covered by feedback.
  private var reported = -1
  /// Position of the first packet not yet returned by ``takeUntold()``.
  private var told = 0

  package init() {}

  package func deallocate() { packets.deallocate() }

  /// Sequence number of the next packet.
  package var nextSequence: Int64 { Int64(packets.tail) }

  /// Begins a new connection: packets of the old one are no longer reported or returned.
  package mutating func beginConnection() {
    reported = packets.tail - 1
    told = packets.tail
  }

  /// Assigns the next sequence number to a packet sent now.
  ///
  /// - Parameters:
  ///   - size: size on the wire [byte].
  ///   - probeCluster: identifier of its probe cluster; -1 for none.
  package mutating func append(size: Int32, probeCluster: Int32, at now: SimTime) -> SentPacket {
    let packet = SentPacket(sequence: nextSequence, sentAt: now, size: size, probeCluster: probeCluster)
    packets.append(packet, limit: Self.limit)
    return packet
  }

  /// Returns a contiguous run of the packets added since the last call; `nil` if there are no more. Call repeatedly to
  /// get all.
  ///
  /// The buffer is valid until the next packet is added.
  package mutating func takeUntold() -> UnsafeBufferPointer<SentPacket>? {
    guard told < packets.tail else { return nil }
    told = max(told, packets.head)
    let run = packets.run(from: told)
    told += run.count
    return run
  }

  /// Matches a feedback message with sent packets, in sending order; packets covered but not listed are lost.
  ///
  /// - Parameters:
  ///   - base: first sequence number covered, as on the wire.
  ///   - arrivals: the receiver's log, in order of arrival.
  ///   - places: positions in the log that this message reports.
  ///   - results: overwritten; passed in to reuse its capacity.
  package mutating func resolve(
    base: UInt16, arrivals: borrowing ArrivalLog, places: Range<Int>, into results: inout [PacketResult]
  ) {
    results.removeAll(keepingCapacity: true)
    let reference = max(reported, 0)
    var next = Self.unwrap(base, near: reference)
    for position in arrivals.held(places) {
      let arrival = arrivals[position]
      let number = Self.unwrap(arrival.sequence, near: reference)
      while next < number {
        append(next, receivedAt: nil, to: &results)
        next &+= 1
      }
      append(number, receivedAt: arrival.at, to: &results)
      next = max(next, number &+ 1)
    }
    reported = max(reported, next - 1)
    packets.removeAll(before: reported - Self.slack)
  }

  @inline(__always)
  private func append(_ number: Int, receivedAt: SimTime?, to results: inout [PacketResult]) {
    guard packets.holds(number) else { return }
    results.append(PacketResult(packet: packets[number], receivedAt: receivedAt))
  }

  /// Unwraps a 16-bit sequence number to the value nearest a reference.
  @inline(__always)
  private static func unwrap(_ sequence: UInt16, near reference: Int) -> Int {
    reference &+ Int(Int16(bitPattern: sequence &- UInt16(truncatingIfNeeded: reference)))
  }
}
