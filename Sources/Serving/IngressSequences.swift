package import Endpoint
package import Network
import Quantity
package import SimulationKernel
import Transport

/// Sequence numbers of the streams that the SFU receives, and the packets missing among them.
package struct IngressSequences: ~Copyable {
  private struct Sequence: BitwiseCopyable {
    /// Set once a packet has arrived since its publisher last joined.
    var hasBegun = false
    /// Set while packets are missing that may still arrive.
    var hasMissing = false
    var expected: UInt32 = 0
    /// Sequence number after the last packet of the last frame, where its protection begins; `nil` for an unprotected
    /// stream.
    var protectedEnd: UInt32?
  }

  /// Skipped sequence numbers of a stream.
  package struct Gap: Equatable {
    package let first: UInt32
    package let count: UInt32

    package init(first: UInt32, count: UInt32) {
      self.first = first
      self.count = count
    }
  }

  private var sequences: Table<Sequence>
  private var missing: Table<MissingPackets>

  package init(streams: Int) {
    sequences = Table(repeating: Sequence(), count: streams)
    missing = Table(repeating: MissingPackets(), count: streams)
  }

  deinit {
    for stream in 0..<missing.count { missing[stream].deallocate() }
  }

  /// Checks whether packets of a stream are missing that may still arrive.
  package func hasMissing(_ stream: Int) -> Bool { sequences[stream].hasMissing }

  /// Tracks a stream's sequence numbers, which begin with those of its first packet.
  ///
  /// - Returns: the numbers skipped before this one; `nil` for a late packet.
  @inline(__always)
  package mutating func follow(_ sequence: UInt32, of stream: Int) -> Gap? {
    if !sequences[stream].hasBegun {
      sequences[stream].hasBegun = true
      sequences[stream].expected = sequence
    }
    let first = sequences[stream].expected
    let gap = Gap(first: first, count: sequence &- first)
    guard gap.count < 1 << 31 else { return nil }
    sequences[stream].expected = sequence &+ 1
    return gap
  }

  /// Restarts a stream whose publisher begins a new call: packets of the old one are no longer expected.
  package mutating func restart(_ stream: Int) {
    sequences[stream].hasBegun = false
    giveUp(stream)
  }

  // MARK: Missing packets

  /// Adds the packets of a gap.
  ///
  /// - Returns: `false` if too many are missing: none is expected any more, and a key frame is needed.
  package mutating func add(_ gap: Gap, of stream: Int) -> Bool {
    sequences[stream].hasMissing = missing[stream].add(gap.first, count: gap.count)
    return sequences[stream].hasMissing
  }

  /// Takes a missing packet that has now arrived.
  ///
  /// - Returns: `false` for a packet that is no longer expected.
  package mutating func take(_ sequence: UInt32, of stream: Int) -> Bool {
    guard missing[stream].remove(sequence) else { return false }
    sequences[stream].hasMissing = !missing[stream].isEmpty
    return true
  }

  /// Requests the missing packets that are due from a publisher.
  package mutating func request(
    of stream: Int, from publisher: Int, _ net: inout Connections, kernel: inout Kernel
  ) {
    let known = net.endpoints.knownRoundTrip(on: Path.down(publisher), net.links, at: kernel.now)
    _ = missing[stream].request(
      of: stream, against: Path.up(publisher), roundTrip: known, &net, kernel: &kernel)
    sequences[stream].hasMissing = !missing[stream].isEmpty
  }

  /// Gives up on the missing packets of a stream.
  package mutating func giveUp(_ stream: Int) {
    missing[stream].removeAll()
    sequences[stream].hasMissing = false
  }

  // MARK: Forward error correction

  /// Notes that forward error correction shares a stream, from the number of its first protection packet on.
  package mutating func noteProtection(_ sequence: UInt32, of stream: Int) {
    if sequences[stream].protectedEnd == nil { sequences[stream].protectedEnd = sequence }
  }

  /// Returns the number of the packet that a protection packet recovers; `nil` if none or several of its packets are
  /// missing.
  package func recovered(by packet: Packet) -> UInt32? {
    let stream = Int(packet.stream)
    guard sequences[stream].hasBegun else { return nil }
    return missing[stream].recovered(by: packet, expecting: sequences[stream].expected)
  }

  /// Gives up on protection packets missing between two frames of a protected stream: they are neither retransmitted
  /// nor needed any more.
  ///
  /// - Parameters:
  ///   - packet: the first one received of a frame.
  ///   - last: the last frame before.
  @inline(__always)
  package mutating func noteFrame(_ packet: Packet, after last: UInt32) {
    let stream = Int(packet.stream)
    guard let end = sequences[stream].protectedEnd else { return }
    let start = packet.sequence &- UInt32(packet.index)
    if sequences[stream].hasMissing, packet.frame == last &+ 1, Int32(bitPattern: start &- end) > 0 {
      missing[stream].removeAll(from: end, before: start)
      sequences[stream].hasMissing = !missing[stream].isEmpty
    }
    sequences[stream].protectedEnd = start &+ UInt32(packet.count)
  }
}
