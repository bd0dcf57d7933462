/// A table in a result directory, stored plain (`streams.csv`) or compressed (`streams.csv.gz`).
package enum StoredTable {
  package static let compressedSuffix = ".gz"
  private static let suffix = ".csv"

  /// Returns the path of a table's file, either plain or compressed beside it.
  package static func path(of path: String) -> String {
    let compressed = path + compressedSuffix
    return !Directory.exists(path) && Directory.exists(compressed) ? compressed : path
  }

  /// Removes the compression suffix from a table's file name; `nil` for a file that is not a table.
  package static func name(of file: String) -> String? {
    let name = file.hasSuffix(compressedSuffix) ? String(file.dropLast(compressedSuffix.count)) : file
    return name.hasSuffix(suffix) ? name : nil
  }

  /// Reads a table, expanding it if it is compressed.
  ///
  /// - Parameter limit: maximum size of the expanded data [byte].
  package static func bytes(of path: String, limit: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    try read(path, limit: limit) { bytes += $0 }
    return bytes
  }

  /// Reads a table in pieces, expanding it if it is compressed.
  package static func read(
    _ path: String, limit: Int, _ body: (ArraySlice<UInt8>) -> Void
  ) throws(FileError) {
    guard path.hasSuffix(compressedSuffix) else { return try FileReader.read(path, limit: limit, body) }
    let expander = GzipExpander()
    var count = 0
    var isDamaged = false
    try FileReader.read(path, limit: limit) { compressed in
      guard !isDamaged, count <= limit else { return }
      do throws(GzipExpander.Failure) {
        try expander.expand(compressed) { bytes in
          count += bytes.count
          if count <= limit { body(bytes) }
        }
      } catch {
        isDamaged = true
      }
    }
    if count > limit { throw FileReader.tooLarge(path, limit) }
    if isDamaged || !expander.isComplete {
      let cause = isDamaged ? "it is no gzip file, or a damaged one" : "it ends too early: it was cut off"
      throw FileError(action: "read '\(path)'", cause: cause)
    }
  }
}
