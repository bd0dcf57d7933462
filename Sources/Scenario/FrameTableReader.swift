import Files
import Media
import Plan

/// Reason why a table of recorded frames cannot be used.
struct FrameTableError: Error, Equatable, Sendable {
  /// Line in the table, from 1.
  let line: Int
  /// Column in the table, from 1.
  let column: Int
  let message: String
}

/// Reads a table of recorded frames: RFC 4180 CSV with the columns `frame,temporal_id,keyframe` and one
/// `<encoding>_bytes` for each encoding.
///
/// Frames are numbered from 0. Starting from each key frame, temporal layers repeat as `0 2 1 2`, `0 1` or `0`.
struct FrameTableReader: ~Copyable {
  private var csv: CSVReader
  private var encodings: [String] = []
  private var rows: [FrameTable.Row] = []
  private var sizes: [Int32] = []
  /// Pattern of temporal layers; known from the first frame after a key frame.
  private var pattern: TemporalPattern?
  /// Number of frames since the last key frame.
  private var position = 0

  private static let fixed = ["frame", "temporal_id", "keyframe"]
  private static let suffix = "_bytes"
  private static let layout =
    "the columns are frame,temporal_id,keyframe and then one such as q_bytes for each encoding"

  /// Maximum number of rows: a table cannot have more rows than its file may have bytes.
  static let rowLimit = FileReader.traceLimit

  private init(_ bytes: [UInt8]) { csv = CSVReader(bytes) }

  /// Parses a table.
  ///
  /// - Throws: ``FrameTableError`` at the first position that cannot be used.
  static func table(of bytes: [UInt8]) throws(FrameTableError) -> FrameTable {
    if let list = try FrameSizeList.table(of: bytes) { return list }
    var reader = FrameTableReader(bytes)
    try reader.readHeader()
    while try reader.next() { try reader.readRow() }
    guard !reader.rows.isEmpty else {
      throw FrameTableError(line: 1, column: 1, message: "the table has no frames")
    }
    return FrameTable(encodings: reader.encodings, rows: reader.rows, sizes: reader.sizes)
  }

  private mutating func next() throws(FrameTableError) -> Bool {
    do {
      return try csv.next()
    } catch {
      throw FrameTableError(line: error.line, column: 1, message: error.description)
    }
  }

  private mutating func readHeader() throws(FrameTableError) {
    guard try next() else {
      throw FrameTableError(line: 1, column: 1, message: "the table is empty: \(Self.layout)")
    }
    for (field, name) in Self.fixed.enumerated() {
      guard field < csv.fieldCount else {
        throw error(at: csv.fieldCount - 1, "column '\(name)' is missing: \(Self.layout)")
      }
      guard text(field) == name else {
        throw error(at: field, "column '\(text(field))' stands where '\(name)' should: \(Self.layout)")
      }
    }
    guard csv.fieldCount > Self.fixed.count else {
      throw error(at: Self.fixed.count - 1, "there is no encoding's column: \(Self.layout)")
    }
    for field in Self.fixed.count..<csv.fieldCount {
      let name = text(field)
      guard name.hasSuffix(Self.suffix), name.count > Self.suffix.count else {
        throw error(at: field, "column '\(name)' is unknown: \(Self.layout)")
      }
      let encoding = String(name.dropLast(Self.suffix.count))
      guard !encodings.contains(encoding) else { throw error(at: field, "column '\(name)' is there twice") }
      guard encodings.count < RecordedFrames.encodingLimit else {
        throw error(at: field, "there are more than \(RecordedFrames.encodingLimit) encodings")
      }
      encodings.append(encoding)
    }
  }

  private mutating func readRow() throws(FrameTableError) {
    let width = Self.fixed.count + encodings.count
    guard csv.fieldCount == width else {
      throw error(at: 0, "the row has \(csv.fieldCount) fields, the header \(width)")
    }
    guard number(0) == rows.count else {
      throw error(at: 0, "frame: '\(text(0))' is not \(rows.count): frames are numbered from 0, in order")
    }
    guard let key = number(2), key < 2 else {
      throw error(at: 2, "keyframe: '\(text(2))' is neither 0 nor 1")
    }
    if key == 1 {
      position = 0
    } else if rows.isEmpty {
      throw error(
        at: 2,
        "keyframe: the table must begin with a key frame, since it is played in a loop: remove the rows before it"
      )
    }
    let layer = try temporalLayer()
    let group = pattern?.groupLength ?? 1
    rows.append(
      FrameTable.Row(temporalLayer: layer, groupPosition: position & (group - 1), isKeyFrame: key == 1))
    position += 1
    for (index, encoding) in encodings.enumerated() {
      let field = Self.fixed.count + index
      guard let size = number(field), (1...RecordedFrames.frameLimit).contains(size) else {
        throw error(
          at: field,
          "\(encoding)\(Self.suffix): '\(text(field))' is not a whole number of bytes from 1 to "
            + "\(RecordedFrames.frameLimit)")
      }
      sizes.append(Int32(size))
    }
  }

  /// Reads the temporal layer, which must follow the pattern.
  private mutating func temporalLayer() throws(FrameTableError) -> Int {
    guard let layer = number(1), layer < 3 else {
      throw error(at: 1, "temporal_id: '\(text(1))' is not a whole number from 0 to 2")
    }
    if position == 1, pattern == nil { pattern = TemporalPattern(layers: layer + 1) }
    let expected = position == 0 ? 0 : pattern?.layer(at: position) ?? 0
    guard layer == expected else {
      let repeated = ["0", "0 1", "0 2 1 2"][(pattern?.layers ?? 1) - 1]
      throw error(
        at: 1,
        position == 0
          ? "temporal_id: a key frame has layer 0, not \(layer)"
          : "temporal_id: \(layer) stands where \(expected) should: from a key frame on, layers repeat \(repeated)"
      )
    }
    return layer
  }

  // MARK: Fields

  /// Parses a field as a whole number of at most nine digits.
  private func number(_ field: Int) -> Int? {
    let digits = csv.raw(field)
    guard (1...9).contains(digits.count) else { return nil }
    var value = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      value = value * 10 + Int(digit - 0x30)
    }
    return value
  }

  /// Returns the start of a field, for messages.
  private func text(_ field: Int) -> String { String(decoding: csv.raw(field).prefix(64), as: UTF8.self) }

  private func error(at field: Int, _ message: String) -> FrameTableError {
    let column = csv.raw(field).startIndex - csv.raw(0).startIndex + 1
    return FrameTableError(line: csv.line, column: column, message: message)
  }
}
