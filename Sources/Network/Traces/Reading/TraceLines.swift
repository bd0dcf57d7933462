import Files

/// Lines of a text, without their ends: LF, CRLF or CR.
struct TraceLines: Sequence {
  let bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    self.bytes = bytes.dropFirst(bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0)
  }

  struct Iterator: IteratorProtocol {
    fileprivate var rest: ArraySlice<UInt8>
    fileprivate var number = 0

    mutating func next() -> TraceLine? {
      guard !rest.isEmpty else { return nil }
      number += 1
      guard let end = rest.firstIndex(where: { $0 == 0x0a || $0 == 0x0d }) else {
        defer { rest = [] }
        return TraceLine(number: number, bytes: rest)
      }
      let line = TraceLine(number: number, bytes: rest[..<end])
      let isPair = rest[end] == 0x0d && end + 1 < rest.endIndex && rest[end + 1] == 0x0a
      rest = rest[(end + (isPair ? 2 : 1))...]
      return line
    }
  }

  func makeIterator() -> Iterator { Iterator(rest: bytes) }

  /// Lines that are neither blank nor comments.
  var rows: some Sequence<TraceLine> { lazy.filter { !$0.isBlank && !$0.isComment } }
  /// First line that is neither blank nor a comment.
  var first: TraceLine? { rows.first { _ in true } }

  /// Number of the last line that is not blank; 1 for an empty text.
  var lastNumber: Int { reduce(1) { $1.isBlank ? $0 : $1.number } }
}

/// A line of a text.
struct TraceLine {
  /// Number from 1.
  let number: Int
  let bytes: ArraySlice<UInt8>

  var text: String { String(decoding: bytes, as: UTF8.self) }
  var isBlank: Bool { bytes.allSatisfy(Self.isSpace) }
  var isComment: Bool { bytes.first { !Self.isSpace($0) } == UInt8(ascii: "#") }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Beginning of the line, for messages.
  var beginning: String { String(text.prefix(40)) }

  /// Fields separated by white space.
  var words: [TraceField] { bytes.split(whereSeparator: Self.isSpace).map { TraceField($0, self) } }

  /// Returns the fields separated by a byte, without surrounding white space and quotes; separators within quotes do
  /// not count. Unless the separator is a comma, numbers may have a decimal comma.
  func fields(_ separator: UInt8) -> [TraceField] {
    let hasDecimalComma = separator != UInt8(ascii: ",")
    var fields: [TraceField] = []
    var start = bytes.startIndex
    var isQuoted = false
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
      if bytes[index] == separator, !isQuoted {
        fields.append(TraceField(bytes[start..<index], self, hasDecimalComma: hasDecimalComma).trimmed)
        start = index + 1
      }
    }
    return fields + [TraceField(bytes[start...], self, hasDecimalComma: hasDecimalComma).trimmed]
  }

  /// Fields of a row of numbers: separated by commas or semicolons where there are any, else by white space.
  var cells: [TraceField] { separator.map(fields) ?? words }

  var separator: UInt8? {
    bytes.first { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }
  }
}

/// A field of a line.
struct TraceField {
  let bytes: ArraySlice<UInt8>
  private let line: TraceLine
  private let hasDecimalComma: Bool

  init(_ bytes: ArraySlice<UInt8>, _ line: TraceLine, hasDecimalComma: Bool = false) {
    self.bytes = bytes
    self.line = line
    self.hasDecimalComma = hasDecimalComma
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }
  var number: Double? { FieldText.number(text, hasDecimalComma: hasDecimalComma) }
  /// `true` if the text stands for a missing value, in the notation of any tool.
  var isAbsent: Bool { FieldText.isAbsent(text) }

  fileprivate var trimmed: TraceField {
    var bytes = bytes.drop(while: TraceLine.isSpace)
    while let last = bytes.last, TraceLine.isSpace(last) { bytes.removeLast() }
    let quote = UInt8(ascii: "\"")
    if bytes.count >= 2, bytes.first == quote, bytes.last == quote { bytes = bytes.dropFirst().dropLast() }
    return TraceField(bytes, line, hasDecimalComma: hasDecimalComma)
  }

  func failure(_ cause: CapacityTraceError.Cause) -> CapacityTraceError {
    // In UTF-8, only the first byte of a character does not begin with the bits 10.
    let column = line.bytes[..<bytes.startIndex].count { $0 & 0xc0 != 0x80 } + 1
    return CapacityTraceError(line: line.number, column: column, cause: cause)
  }

  /// Returns a number from zero to a limit.
  func value(upTo limit: Double) throws(CapacityTraceError) -> Double {
    guard let value = number else { throw failure(.notANumber(String(text.prefix(40)))) }
    guard value >= 0 else { throw failure(.negative(String(text.prefix(40)))) }
    guard value <= limit else { throw failure(.tooLarge(String(text.prefix(40)))) }
    return value
  }
}
