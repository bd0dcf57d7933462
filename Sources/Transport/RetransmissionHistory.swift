package import Network
package import Quantity

/// Sent packets kept for retransmission, by sequence number.
///
/// Follows libwebrtc's `modules/rtp_rtcp/source/rtp_packet_history.cc`: a packet is kept for one second or three round
/// trips, whichever is longer, and for three times that while fewer than 600 packets followed it. Ages count from a
/// packet's last departure from the pacer. The capacity is three seconds of what is actually sent, up to the stream's
/// full rate: most tracks never take that much, and histories are most of the memory of a large meeting.
package struct RetransmissionHistory: BitwiseCopyable {
  private static let minimumAge: Int64 = 1_000_000_000
  private static let minimumPackets: UInt32 = 600
  private static let leastCapacity: UInt32 = 32
  /// Time for which packets are kept.
  package static let kept = SimDuration.seconds(3)
  /// Number of places that are checked together before they are reused, since their contents have left the processor's
  /// caches; a large number would make the history larger than its contents require.
  private static let placesAtOnce: UInt32 = 8

  /// Packet with the time of its last transmission, in half a cache line: destination and kind are the history's, a
  /// transport-wide number is assigned with each transmission, and the stamp takes the place of these three.
  private struct Entry: BitwiseCopyable {
    private var stored: Packet

    init(_ packet: Packet, at time: Int64) {
      stored = packet
      stamp = age(at: time)
    }

    private static let countMask: UInt64 = 15
    private static let waiting: UInt64 = 16
    private static let greatestAge: UInt64 = 1 << 35 - 1
    static let greatestCount = Int(countMask)

    /// Stamp of 40 bits: from the top, the time from the first transmission to the last [32 ns], whether the packet
    /// waits in the pacer to be resent, and how often it was resent.
    private var stamp: UInt64 {
      get {
        UInt64(stored.transportSequence) | UInt64(stored.destination) << 16 | UInt64(stored.kind) << 32
          | UInt64(stored.connection) << 36
      }
      set {
        stored.transportSequence = UInt16(truncatingIfNeeded: newValue)
        stored.destination = UInt16(truncatingIfNeeded: newValue >> 16)
        stored.kind = UInt8(truncatingIfNeeded: newValue >> 32 & 0xF)
        stored.connection = UInt8(truncatingIfNeeded: newValue >> 36 & 0xF)
      }
    }

    private func age(at time: Int64) -> UInt64 {
      min(UInt64(max(0, time >> 5 - stored.sentAt.nanoseconds >> 5)), Self.greatestAge) << 5
    }

    var sequence: UInt32 { stored.sequence }
    var isEmpty: Bool { stored.sentAt.nanoseconds < 0 }
    /// Time of the last transmission [ns].
    var sentAt: Int64 { (stored.sentAt.nanoseconds >> 5 + Int64(stamp >> 5)) << 5 }
    var count: Int { Int(stamp & Self.countMask) }
    var isWaiting: Bool { stamp & Self.waiting != 0 }

    func packet(to destination: UInt16, kind: UInt8) -> Packet {
      var packet = stored
      packet.destination = destination
      packet.kind = kind
      packet.connection = 0
      packet.transportSequence = 0
      return packet
    }

    mutating func send(at time: Int64) { stamp = age(at: time) | stamp & Self.countMask }

    mutating func sendAgain(at time: Int64, isWaiting: Bool = false) {
      let count = min(stamp & Self.countMask + 1, Self.countMask)
      stamp = age(at: time) | count | (isWaiting ? Self.waiting : 0)
    }
  }

  private var entries: UnsafeMutablePointer<Entry>?
  private var newest: UInt32 = 0
  private var mask: UInt32 = 0
  /// Sequence number below which all numbers have a place.
  private var roomEnd: UInt32 = 0
  private let largestCapacity: UInt32
  private var destination: UInt16 = 0
  private var kind: UInt8 = 0

  /// - Parameters:
  ///   - rate: maximum payload rate of the stream.
  ///   - framesPerSecond: its maximum frame rate; a frame has at least one packet.
  package init(rate: BitRate, framesPerSecond: Double) {
    largestCapacity = Self.capacity(for: rate, framesPerSecond: framesPerSecond)
  }

  private static func capacity(for rate: BitRate, framesPerSecond: Double) -> UInt32 {
    let packets = 3 * (Double(rate.bitsPerSecond) / 8 / 1100 + framesPerSecond)
    var capacity = leastCapacity
    while Double(capacity) < packets, capacity < 4096 { capacity *= 2 }
    return capacity
  }

  /// Returns the memory that a stream's history takes once the stream has been sent for three seconds.
  package static func size(for rate: BitRate, framesPerSecond: Double) -> ByteCount {
    ByteCount(
      Int64(capacity(for: rate, framesPerSecond: framesPerSecond)) * Int64(MemoryLayout<Entry>.stride))
  }

  package func deallocate() { entries?.deallocate() }

  /// Stores a packet that is being sent or handed to the pacer; all packets of a history are of one kind and go to one
  /// destination.
  package mutating func append(_ packet: Packet, at now: SimTime) {
    let sequence = packet.sequence
    if entries == nil {
      (newest, roomEnd) = (sequence, sequence)
      (destination, kind) = (packet.destination, packet.kind)
    }
    if Int32(bitPattern: sequence &- roomEnd) >= 0 { makeRoom(from: sequence, at: now) }
    // A packet recovered upstream arrives after its successors.
    if Int32(bitPattern: sequence &- newest) > 0 { newest = sequence }
    guard let entries, newest &- sequence <= mask else { return }
    (entries + Int(sequence & mask)).initialize(to: Entry(packet, at: now.nanoseconds))
  }

  /// Makes room for the next packets; places whose packets are still useful are not reused while the history may grow.
  private mutating func makeRoom(from sequence: UInt32, at now: SimTime) {
    var entries = entries ?? allocate(Self.leastCapacity)
    let last = sequence &+ (Self.placesAtOnce - 1)
    while entries[Int(last & mask)].sentAt > now.nanoseconds - Self.kept.nanoseconds,
      mask + 1 < largestCapacity
    {
      entries = grow(entries)
    }
    roomEnd = last &+ 1
  }

  /// Records the departure of a packet that waited in the pacer.
  package mutating func noteDeparture(of sequence: UInt32, at now: SimTime) {
    guard packet(sequence) != nil, let entries else { return }
    entries[Int(sequence & mask)].send(at: now.nanoseconds)
  }

  /// Returns the packet with a sequence number if it is still kept, is not waiting in the pacer, and was not resent
  /// within the last round trip.
  package func packet(_ sequence: UInt32, toRepeatAt now: Int64, roundTrip: Int64) -> Packet? {
    guard let packet = packet(sequence), let entries else { return nil }
    let entry = entries[Int(sequence & mask)]
    let age = now - entry.sentAt
    guard !entry.isWaiting, entry.count == 0 || age >= roundTrip else { return nil }
    let least = max(Self.minimumAge, 3 * roundTrip)
    return age < (newest &- sequence < Self.minimumPackets ? 3 * least : least) ? packet : nil
  }

  /// Records that a packet is resent, or handed to the pacer to be resent.
  package mutating func noteRepetition(of sequence: UInt32, at now: Int64, isWaiting: Bool) {
    guard packet(sequence) != nil, let entries else { return }
    entries[Int(sequence & mask)].sendAgain(at: now, isWaiting: isWaiting)
  }

  /// A server's limit on the retransmissions of a packet.
  package struct Limit: Hashable, Sendable {
    /// Minimum time between two retransmissions.
    package var spacing: SimDuration
    /// Set if the spacing holds between the first transmission and the first retransmission too.
    package var includesFirst: Bool
    /// Maximum number of retransmissions; `nil` for no limit.
    package var count: Int?
    /// Maximum age since capture.
    package var age: SimDuration

    package init(
      spacing: SimDuration, includesFirst: Bool = false, count: Int? = nil,
      age: SimDuration = RetransmissionHistory.kept
    ) {
      self.spacing = spacing
      self.includesFirst = includesFirst
      self.count = count
      self.age = age
    }
  }

  /// Returns the packet with a sequence number, and how often it has now been resent, if the limit admits it.
  ///
  /// For histories that do not use ``packet(_:toRepeatAt:roundTrip:)``.
  package mutating func take(
    _ sequence: UInt32, within limit: Limit, at now: SimTime
  ) -> (packet: Packet, count: Int)? {
    guard let packet = packet(sequence), let entries, now - packet.sentAt < limit.age else { return nil }
    let entry = entries + Int(sequence & mask)
    let count = entry.pointee.count
    guard limit.count.map({ count < min($0, Entry.greatestCount) }) ?? true,
      count == 0 && !limit.includesFirst
        || now.nanoseconds - entry.pointee.sentAt >= limit.spacing.nanoseconds
    else { return nil }
    entry.pointee.sendAgain(at: now.nanoseconds)
    return (packet, count + 1)
  }

  /// Returns the packet with a sequence number if it is still kept.
  package func packet(_ sequence: UInt32) -> Packet? {
    guard let entries, newest &- sequence <= mask else { return nil }
    let entry = entries[Int(sequence & mask)]
    return entry.sequence == sequence && !entry.isEmpty ? entry.packet(to: destination, kind: kind) : nil
  }

  private mutating func allocate(_ capacity: UInt32) -> UnsafeMutablePointer<Entry> {
    // Aligned to cache lines, so that no entry spans two.
    let fresh = UnsafeMutableRawPointer.allocate(
      byteCount: Int(capacity) * MemoryLayout<Entry>.stride, alignment: 64
    ).bindMemory(to: Entry.self, capacity: Int(capacity))
    // Empty entries have a sequence number that never maps to their slot, and a time in the distant past.
    let past = SimTime.zero - .seconds(3600)
    for index in 0..<Int(capacity) {
      (fresh + index).initialize(
        to: Entry(Packet(sentAt: past, size: 0, sequence: UInt32(index) ^ 1), at: past.nanoseconds))
    }
    entries = fresh
    mask = capacity - 1
    return fresh
  }

  private mutating func grow(_ old: UnsafeMutablePointer<Entry>) -> UnsafeMutablePointer<Entry> {
    let count = Int(mask) + 1
    let fresh = allocate(2 * (mask + 1))
    for index in 0..<count where !old[index].isEmpty {
      fresh[Int(old[index].sequence & mask)] = old[index]
    }
    old.deallocate()
    return fresh
  }
}
