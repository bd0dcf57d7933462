/// Fields of a Protocol Buffers message (protobuf.dev, "Encoding"), in order.
struct ProtobufMessage {
  enum Value: Equatable {
    /// A varint or fixed-size number.
    case number(UInt64)
    /// Range in the file of bytes, a string or an embedded message.
    case bytes(Range<Int>)
  }

  /// Reason why bytes are not a message.
  struct Defect: Error {
    /// Offset in the file.
    let offset: Int
    /// Set if a field extends beyond the end.
    let isCutOff: Bool
  }

  private(set) var fields: [(number: Int, value: Value)] = []

  init(_ bytes: [UInt8], _ range: Range<Int>) throws(Defect) {
    var place = range.lowerBound
    while let field = try Self.next(bytes, &place, range.upperBound) { fields.append(field) }
  }

  /// Reads the field at a position and advances past it; `nil` at the end.
  static func next(
    _ bytes: [UInt8], _ place: inout Int, _ end: Int
  ) throws(Defect) -> (number: Int, value: Value)? {
    guard place < end else { return nil }
    let start = place
    let tag = try varint(bytes, &place, end)
    guard tag >> 3 > 0, tag >> 3 < 1 << 29 else { throw Defect(offset: start, isCutOff: false) }
    let value: Value
    switch tag & 7 {
    case 0: value = .number(try varint(bytes, &place, end))
    case 1: value = .number(try fixed(8, bytes, &place, end))
    case 5: value = .number(try fixed(4, bytes, &place, end))
    case 2:
      let length = try varint(bytes, &place, end)
      guard length <= UInt64(end - place) else { throw Defect(offset: start, isCutOff: true) }
      value = .bytes(place..<place + Int(length))
      place += Int(length)
    default: throw Defect(offset: start, isCutOff: false)
    }
    return (Int(tag >> 3), value)
  }

  /// Reads a varint: seven bits per byte, lowest first.
  static func varint(_ bytes: [UInt8], _ place: inout Int, _ end: Int) throws(Defect) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while place < end {
      let byte = bytes[place]
      guard shift < 64 else { throw Defect(offset: place, isCutOff: false) }
      place += 1
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw Defect(offset: end, isCutOff: true)
  }

  private static func fixed(
    _ size: Int, _ bytes: [UInt8], _ place: inout Int, _ end: Int
  ) throws(Defect) -> UInt64 {
    guard size <= end - place else { throw Defect(offset: place, isCutOff: true) }
    defer { place += size }
    return bytes[place..<place + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  // MARK: Values

  /// Number in a field, the last of several; `nil` if there is none.
  func number(_ field: Int) -> UInt64? {
    for entry in fields.reversed() where entry.number == field {
      if case .number(let value) = entry.value { return value }
    }
    return nil
  }

  /// Bytes of a field, the last of several; `nil` if there is none.
  func bytes(_ field: Int) -> Range<Int>? { all(field).last }

  /// Bytes of every field with this number.
  func all(_ field: Int) -> [Range<Int>] {
    fields.compactMap { entry in
      if entry.number == field, case .bytes(let range) = entry.value { range } else { nil }
    }
  }

  func numbers(_ field: Int) -> [UInt64] {
    fields.compactMap { entry in
      if entry.number == field, case .number(let value) = entry.value { value } else { nil }
    }
  }
}
