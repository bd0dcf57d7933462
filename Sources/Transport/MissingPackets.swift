import Quantity

/// The gaps in a stream's sequence numbers, and when each is asked for again.
///
/// After libwebrtc's `modules/video_coding/nack_requester.cc`: asked for at once, again each round trip, at most 100
/// times. When more than ``greatestCount`` are missing, only a key frame helps.
///
/// Trivial, so that it can live in a ``SimulationKernel/Table``: whoever holds it calls ``deallocate()`` in the end.
package struct MissingPackets: BitwiseCopyable {
  package static let greatestCount = 1000
  private static let greatestRetries: UInt16 = 100

  private struct Entry: BitwiseCopyable {
    var sequence: UInt32 = 0
    var retries: UInt16 = 0
    /// When it was last asked for [ns].
    var askedAt: Int64 = 0
  }

  /// What one RTCP generic NACK asks for (RFC 4585 section 6.2.1, with a mask of 32 instead of 16 bits).
  package struct Request: BitwiseCopyable {
    package var sequence: UInt32
    /// Bit i stands for `sequence + 1 + i`.
    package var following: UInt32
    package var count: Int
  }

  /// Room for as many as were ever missing at once, rounded up.
  private var entries: UnsafeMutablePointer<Entry>?
  private var capacity = 0
  private var count = 0

  package init() {}

  package func deallocate() { entries?.deallocate() }

  package var isEmpty: Bool { count == 0 }

  /// Notes that some packets have not come.
  ///
  /// - Returns: `false` when there are too many: all are forgotten, and a key frame has to help.
  package mutating func add(_ first: UInt32, count missing: UInt32) -> Bool {
    guard Int(missing) <= Self.greatestCount - count else {
      count = 0
      return false
    }
    let entries = room(for: count + Int(missing))
    var offset: UInt32 = 0
    while offset < missing {
      entries[count] = Entry(sequence: first &+ offset, askedAt: .min / 2)
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

  /// A late packet has come.
  ///
  /// - Returns: whether it was missing.
  package mutating func remove(_ sequence: UInt32) -> Bool {
    guard let entries else { return false }
    var place = 0
    while place < count, entries[place].sequence != sequence { place += 1 }
    guard place < count else { return false }
    count -= 1
    while place < count {
      entries[place] = entries[place + 1]
      place += 1
    }
    return true
  }

  /// Forgets everything, as when a key frame makes the past useless.
  package mutating func removeAll() { count = 0 }

  /// The next request that is due; `nil` for none.
  package mutating func takeRequest(at now: Int64, roundTrip: Int64) -> Request? {
    guard let entries else { return nil }
    var place = 0
    while place < count {
      if entries[place].retries >= Self.greatestRetries {
        _ = remove(entries[place].sequence)
        continue
      }
      if now - entries[place].askedAt >= roundTrip { break }
      place += 1
    }
    guard place < count else { return nil }
    var request = Request(sequence: entries[place].sequence, following: 0, count: 0)
    while place < count {
      let distance = entries[place].sequence &- request.sequence
      guard distance <= 32 else { break }
      if now - entries[place].askedAt >= roundTrip {
        if distance > 0 { request.following |= 1 << (distance - 1) }
        entries[place].askedAt = now
        entries[place].retries += 1
        request.count += 1
      }
      place += 1
    }
    return request
  }
}
