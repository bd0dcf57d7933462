extension FileReader {
  /// Reads a whole file like ``bytes(of:limit:)``, expanding it if it is gzip data, whatever its name.
  ///
  /// - Parameter limit: maximum size of the file, and of the expanded data [byte].
  package static func expandedBytes(of path: String, limit: Int) throws(FileError) -> [UInt8] {
    let bytes = try bytes(of: path, limit: limit)
    guard bytes.starts(with: [0x1f, 0x8b]) else { return bytes }
    let expander = GzipExpander()
    var expanded: [UInt8] = []
    var isTooLarge = false
    do throws(GzipExpander.Failure) {
      // In pieces, so that no more than the limit is ever expanded.
      var start = 0
      while start < bytes.count, !isTooLarge {
        let end = min(start + 65_536, bytes.count)
        try expander.expand(bytes[start..<end]) { part in
          if expanded.count + part.count > limit { isTooLarge = true } else { expanded += part }
        }
        start = end
      }
    } catch {
      throw FileError(action: "read '\(path)'", cause: "it is a damaged gzip file")
    }
    if isTooLarge { throw tooLarge(path, limit) }
    guard expander.isComplete else {
      throw FileError(action: "read '\(path)'", cause: "it ends too early: it was cut off")
    }
    return expanded
  }
}
