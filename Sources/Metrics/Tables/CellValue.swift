import Quantity

/// A value that a field of a table can hold.
protocol CellValue {
  static var type: TableColumn.ValueType { get }
  static var isNullable: Bool { get }
  func write(to writer: inout ByteWriter)
}

extension CellValue {
  static var isNullable: Bool { false }
}

/// Missing values are empty fields.
extension Optional: CellValue where Wrapped: CellValue {
  static var type: TableColumn.ValueType { Wrapped.type }
  static var isNullable: Bool { true }

  @inline(__always)
  func write(to writer: inout ByteWriter) { self?.write(to: &writer) }
}

extension Int: CellValue {
  static var type: TableColumn.ValueType { .integer }

  @inline(__always)
  func write(to writer: inout ByteWriter) { writer.integer(Int64(self)) }
}

extension Int64: CellValue {
  static var type: TableColumn.ValueType { .integer }

  @inline(__always)
  func write(to writer: inout ByteWriter) { writer.integer(self) }
}

extension Bool: CellValue {
  static var type: TableColumn.ValueType { .boolean }

  @inline(__always)
  func write(to writer: inout ByteWriter) { writer.raw(self ? "true" : "false" as StaticString) }
}

/// Bit rates are written as whole bits per second.
extension BitRate: CellValue {
  static var type: TableColumn.ValueType { .integer }

  @inline(__always)
  func write(to writer: inout ByteWriter) { writer.integer(bitsPerSecond) }
}

/// A decimal number in units of 10^-`decimals`, written with all its decimals.
struct FixedPoint: CellValue {
  var value: Int64
  var decimals: Int

  @inline(__always)
  init(_ value: Int64, decimals: Int) {
    self.value = value
    self.decimals = decimals
  }

  /// Converts a duration to seconds with at most nine decimals, truncated.
  @inline(__always)
  static func seconds(_ duration: SimDuration, decimals: Int) -> FixedPoint {
    var unit: Int64 = 1
    for _ in decimals..<9 { unit *= 10 }
    return FixedPoint(duration.nanoseconds / unit, decimals: decimals)
  }

  static var type: TableColumn.ValueType { .number }

  @inline(__always)
  func write(to writer: inout ByteWriter) { writer.fixed(value, decimals: decimals) }
}

/// Text, quoted if necessary.
extension String: CellValue {
  static var type: TableColumn.ValueType { .string }

  @inline(__always)
  func write(to writer: inout ByteWriter) { writer.field(self) }
}

/// Fixed keywords, which need no quotes.
extension StaticString: CellValue {
  static var type: TableColumn.ValueType { .string }

  @inline(__always)
  func write(to writer: inout ByteWriter) { writer.raw(self) }
}

/// A keyword known only at run time, such as the raw value of an enum case; needs no quotes.
struct Word: CellValue {
  let text: String

  @inline(__always)
  init(_ text: String) { self.text = text }

  static var type: TableColumn.ValueType { .string }

  @inline(__always)
  func write(to writer: inout ByteWriter) { writer.raw(text) }
}

/// User-supplied text repeated in many rows, quoted once if necessary.
struct QuotedText: CellValue {
  private let bytes: [UInt8]

  init(_ text: String) {
    var writer = ByteWriter()
    writer.field(text)
    bytes = writer.bytes
  }

  static var type: TableColumn.ValueType { .string }

  @inline(__always)
  func write(to writer: inout ByteWriter) { writer.raw(bytes) }
}
