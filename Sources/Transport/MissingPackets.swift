import Quantity

/// Missing packets of a stream and the schedule of their NACKs.
///
/// Follows libwebrtc's `modules/video_coding/nack_requester.cc`: a packet is requested at once, then once per round
/// trip, at most 100 times. With more than ``maximumCount`` missing packets, only a key frame helps.
///
/// Trivially copyable, so that it can be stored in a ``SimulationKernel/Table``; the owner must call ``deallocate()``.
package struct MissingPackets: BitwiseCopyable {
  package static let maximumCount = 1000
  private static let maximumRetries: UInt16 = 100

  private struct Entry: BitwiseCopyable {
    var sequence: UInt32 = 0
    var retries: UInt16 = 0
    /// Time of the last request [ns].
    var requestedAt: Int64 = 0
  }

  /// One RTCP generic NACK (RFC 4585 section 6.2.1, with a mask of 32 instead of 16 bits).
  package struct Request: BitwiseCopyable {
    package var sequence: UInt32
    /// Bit i requests `sequence + 1 + i`.
    package var following: UInt32
    package var count: Int
  }

  /// Storage for the greatest number of packets ever missing at once, rounded up.
  private var entries: UnsafeMutablePointer<Entry>?
  private var capacity = 0
  /// Number of missing packets.
  package private(set) var count = 0

  package init() {}

  package func deallocate() { entries?.deallocate() }

  package var isEmpty: Bool { count == 0 }

  /// Sequence number of a missing packet and how often it has been requested, in the order of the numbers.
  package subscript(index: Int) -> (sequence: UInt32, requests: Int)? {
    guard let entries, 0..<count ~= index else { return nil }
    return (entries[index].sequence, Int(entries[index].retries))
  }

  /// Adds missing packets.
  ///
  /// - Returns: `false` if there are too many: all are dropped, and a key frame is needed.
  package mutating func add(_ first: UInt32, count missing: UInt32) -> Bool {
    guard Int(missing) <= Self.maximumCount - count else {
      count = 0
      return false
    }
    let entries = room(for: count + Int(missing))
    var offset: UInt32 = 0
    while offset < missing {
      entries[count] = Entry(sequence: first &+ offset, requestedAt: .min / 2)
      count += 1
      offset += 1
    }
    return true
  }

  private mutating func room(for wanted: Int) -> UnsafeMutablePointer<Entry> {
    if let entries, wanted <= capacity { return entries }
    var larger = max(capacity, 16)
    while larger < wanted { larger *= 2 }
    let fresh = UnsafeMutablePointer<Entry>.allocate(capacity: larger)
    fresh.initialize(repeating: Entry(), count: larger)
    if let entries {
      fresh.update(from: entries, count: count)
      entries.deallocate()
    }
    entries = fresh
    capacity = larger
    return fresh
  }

  /// Removes a packet that arrived late.
  ///
  /// - Returns: `true` if it was listed as missing.
  package mutating func remove(_ sequence: UInt32) -> Bool {
    guard let entries else { return false }
    var index = 0
    while index < count, entries[index].sequence != sequence { index += 1 }
    guard index < count else { return false }
    count -= 1
    while index < count {
      entries[index] = entries[index + 1]
      index += 1
    }
    return true
  }

  /// Removes all packets, for example when a key frame makes them obsolete.
  package mutating func removeAll() { count = 0 }

  /// Removes the packets before a sequence number.
  package mutating func removeAll(before sequence: UInt32) {
    removeAll { Int32(bitPattern: $0 &- sequence) < 0 }
  }

  /// Removes the packets from a sequence number to before another.
  package mutating func removeAll(from first: UInt32, before end: UInt32) {
    removeAll { Int32(bitPattern: $0 &- first) >= 0 && Int32(bitPattern: $0 &- end) < 0 }
  }

  @inline(__always)
  private mutating func removeAll(where isObsolete: (UInt32) -> Bool) {
    guard let entries else { return }
    var kept = 0
    for index in 0..<count where !isObsolete(entries[index].sequence) {
      entries[kept] = entries[index]
      kept += 1
    }
    count = kept
  }

  /// Returns the number of missing packets among every `step`th of a range, and the last of them.
  package func missing(from first: UInt32, step: UInt32, count members: UInt32) -> (
    count: Int, last: UInt32?
  ) {
    guard let entries, step > 0 else { return (0, nil) }
    var found = 0
    var last: UInt32?
    for index in 0..<count {
      let offset = entries[index].sequence &- first
      guard offset < members, offset % step == 0 else { continue }
      found += 1
      last = entries[index].sequence
    }
    return (found, last)
  }

  /// Returns the next request due; `nil` if there is none.
  package mutating func takeRequest(at now: Int64, roundTrip: Int64) -> Request? {
    guard let entries else { return nil }
    var index = 0
    while index < count {
      if entries[index].retries >= Self.maximumRetries {
        _ = remove(entries[index].sequence)
        continue
      }
      if now - entries[index].requestedAt >= roundTrip { break }
      index += 1
    }
    guard index < count else { return nil }
    var request = Request(sequence: entries[index].sequence, following: 0, count: 0)
    while index < count {
      let distance = entries[index].sequence &- request.sequence
      guard distance <= 32 else { break }
      if now - entries[index].requestedAt >= roundTrip {
        if distance > 0 { request.following |= 1 << (distance - 1) }
        entries[index].requestedAt = now
        entries[index].retries += 1
        request.count += 1
      }
      index += 1
    }
    return request
  }
}
