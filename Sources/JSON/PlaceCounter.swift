/// Finds the lines and columns of increasing offsets in a text, without counting from its start each time.
package struct PlaceCounter {
  private let bytes: [UInt8]
  private var offset = 0
  private var line = 1
  /// Offset of the line's first byte.
  private var start = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the position of an offset, from 1; columns count characters.
  package mutating func place(of offset: Int) -> (line: Int, column: Int) {
    while self.offset < min(offset, bytes.count) {
      if bytes[self.offset] == 0x0a {
        line += 1
        start = self.offset + 1
      }
      self.offset += 1
    }
    return (line, bytes[start..<max(start, self.offset)].count { $0 & 0xc0 != 0x80 } + 1)
  }
}
