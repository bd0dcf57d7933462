/// Position where a text stops being JSON (RFC 8259), which the decoder does not report.
struct JSONDefect {
  /// Position from 1, the column in characters.
  let line: Int
  let column: Int

  /// Tokens that may come next, besides white space.
  private enum Expected { case value, valueOrEnd, key, keyOrEnd, colon, commaOrEnd, nothing }

  /// Finds the first character that is invalid in its place; `nil` for valid JSON.
  init?(in bytes: [UInt8]) {
    guard let offset = Self.offset(in: bytes) else { return nil }
    let before = bytes[..<offset]
    let start = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
    line = before.count { $0 == 0x0a } + 1
    // In UTF-8, only the first byte of a scalar does not begin with the bits 10.
    column = before[start...].count { $0 & 0xc0 != 0x80 } + 1
  }

  private static func offset(in bytes: [UInt8]) -> Int? {
    /// Open brackets: `true` for an object, `false` for an array.
    var open: [Bool] = []
    var expected = Expected.value
    var place = 0
    /// Returns the token expected after a value.
    func afterValue() -> Expected { open.isEmpty ? .nothing : .commaOrEnd }
    while place < bytes.count {
      let byte = bytes[place]
      switch (byte, expected) {
      case (0x20, _), (0x09, _), (0x0a, _), (0x0d, _): place += 1
      case (UInt8(ascii: "{"), .value), (UInt8(ascii: "{"), .valueOrEnd):
        open.append(true)
        expected = .keyOrEnd
        place += 1
      case (UInt8(ascii: "["), .value), (UInt8(ascii: "["), .valueOrEnd):
        open.append(false)
        expected = .valueOrEnd
        place += 1
      case (UInt8(ascii: "}"), .keyOrEnd), (UInt8(ascii: "]"), .valueOrEnd),
        (UInt8(ascii: "}"), .commaOrEnd) where open.last == true,
        (UInt8(ascii: "]"), .commaOrEnd) where open.last == false:
        open.removeLast()
        expected = afterValue()
        place += 1
      case (UInt8(ascii: ","), .commaOrEnd):
        expected = open.last == true ? .key : .value
        place += 1
      case (UInt8(ascii: ":"), .colon):
        expected = .value
        place += 1
      case (UInt8(ascii: "\""), .key), (UInt8(ascii: "\""), .keyOrEnd), (UInt8(ascii: "\""), .value),
        (UInt8(ascii: "\""), .valueOrEnd):
        let isKey = [.key, .keyOrEnd].contains(expected)
        switch endOfString(bytes, place) {
        case .success(let end): place = end
        case .failure(let defect): return defect.offset
        }
        expected = isKey ? .colon : afterValue()
      case (_, .value), (_, .valueOrEnd):
        let word = bytes[place...].prefix { isPartOfWord($0) }
        guard ["true", "false", "null"].contains(where: { $0.utf8.elementsEqual(word) }) || isNumber(word)
        else {
          return place
        }
        place += word.count
        expected = afterValue()
      default: return place
      }
    }
    return expected == .nothing ? nil : place
  }

  private struct Place: Error { let offset: Int }

  private static func endOfString(_ bytes: [UInt8], _ start: Int) -> Result<Int, Place> {
    var place = start + 1
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""): return .success(place + 1)
      case UInt8(ascii: "\\"): place += 2
      case 0..<0x20: return .failure(Place(offset: place))
      default: place += 1
      }
    }
    return .failure(Place(offset: bytes.count))
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  private static func isNumber(_ word: ArraySlice<UInt8>) -> Bool {
    guard let first = word.first, first != UInt8(ascii: "+") else { return false }
    return Double(String(decoding: word, as: UTF8.self))?.isFinite == true
  }
}
