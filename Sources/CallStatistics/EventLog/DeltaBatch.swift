/// A batch of events of one kind in an RTC event log of version 2: the first event in full, then the differences of
/// each field or, for whole packets, their lengths followed by their bytes
/// (`logging/rtc_event_log/encoder/delta_encoding.cc` and `blob_encoding.cc` of libwebrtc).
struct DeltaBatch {
  /// Reason why a batch cannot be read: it is damaged, or claims more events than the file has room for.
  struct Defect: Error {}

  private let bytes: [UInt8]
  private let message: ProtobufMessage
  /// Number of events.
  let count: Int

  /// - Parameters:
  ///   - counter: field with the number of events after the first.
  ///   - limit: maximum number of events in a file of this size.
  init(_ bytes: [UInt8], _ message: ProtobufMessage, counter: Int, limit: Int) throws(Defect) {
    self.bytes = bytes
    self.message = message
    let more = message.number(counter) ?? 0
    guard more < UInt64(max(limit, 1)) else { throw Defect() }
    count = 1 + Int(more)
  }

  /// Values of a field in all events; `nil` for an event without one.
  func values(_ field: Int, deltas: Int) throws(Defect) -> [UInt64?] {
    let base = message.number(field)
    guard count > 1 else { return [base] }
    guard let range = message.bytes(deltas), !range.isEmpty else {
      return [UInt64?](repeating: base, count: count)
    }
    var bits = BitReader(bytes, range)
    let type = try bits.read(2)
    guard type < 2 else { throw Defect() }
    let width = Int(try bits.read(6)) + 1
    var isSigned = false
    var isOptional = false
    var valueWidth = 64
    if type == 1 {
      isSigned = try bits.read(1) == 1
      isOptional = try bits.read(1) == 1
      valueWidth = Int(try bits.read(6)) + 1
    }
    guard width <= valueWidth else { throw Defect() }
    var isPresent = [Bool](repeating: true, count: count - 1)
    if isOptional { for index in isPresent.indices { isPresent[index] = try bits.read(1) == 1 } }
    let mask = UInt64.max >> UInt64(64 - valueWidth)
    var values: [UInt64?] = [base]
    values.reserveCapacity(count)
    var before = base
    for index in isPresent.indices {
      guard isPresent[index] else {
        values.append(nil)
        continue
      }
      if let last = before {
        var delta = try bits.read(width)
        if isSigned, width < 64, delta >> UInt64(width - 1) == 1 { delta |= UInt64.max << UInt64(width) }
        before = (last &+ delta) & mask
      } else {
        before = try bits.varint()
      }
      values.append(before)
    }
    return values
  }

  /// Byte ranges of a field in all events.
  func blobs(_ field: Int, others: Int) throws(Defect) -> [Range<Int>] {
    guard let first = message.bytes(field) else { throw Defect() }
    guard count > 1 else { return [first] }
    guard let range = message.bytes(others) else { throw Defect() }
    var place = range.lowerBound
    var lengths: [Int] = []
    for _ in 1..<count {
      guard let length = try? ProtobufMessage.varint(bytes, &place, range.upperBound),
        length <= UInt64(range.count)
      else { throw Defect() }
      lengths.append(Int(length))
    }
    var ranges = [first]
    for length in lengths {
      guard length <= range.upperBound - place else { throw Defect() }
      ranges.append(place..<place + length)
      place += length
    }
    return ranges
  }
}

/// Reads bits, starting with the highest of each byte.
private struct BitReader {
  private let bytes: [UInt8]
  private let end: Int
  /// Position of the next bit.
  private var place: Int

  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    place = range.lowerBound * 8
    end = range.upperBound * 8
  }

  mutating func read(_ count: Int) throws(DeltaBatch.Defect) -> UInt64 {
    guard count <= end - place else { throw DeltaBatch.Defect() }
    var value: UInt64 = 0
    for _ in 0..<count {
      value = value << 1 | UInt64(bytes[place >> 3] >> UInt8(7 - place & 7) & 1)
      place += 1
    }
    return value
  }

  /// Reads a varint that may start within a byte.
  mutating func varint() throws(DeltaBatch.Defect) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      let byte = try read(8)
      value |= (byte & 0x7f) << shift
      if byte < 0x80 { return value }
    }
    throw DeltaBatch.Defect()
  }
}
