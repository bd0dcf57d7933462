import Files
import Metrics

/// A table that is written row by row and renamed into place at the end.
struct TableFile: ~Copyable {
  private var file: WholeFile
  private var writer: ByteWriter
  private(set) var rows = 0
  private(set) var hash: ContentHash

  init(_ path: String, header: [String]) throws(FileError) {
    // In a noncopyable type, everything that can fail must come before the first stored property is set.
    let file = try WholeFile(path)
    self.file = file
    writer = ByteWriter()
    hash = ContentHash()
    writer.row(header)
  }

  mutating func add(_ fields: [String]) throws(FileError) {
    writer.row(fields)
    rows += 1
    try flush(above: 1 << 18)
  }

  /// Adds rows that are already encoded.
  mutating func add(rows bytes: [UInt8]) throws(FileError) {
    writer.raw(bytes)
    rows += bytes.count { $0 == 0x0a }
    try flush(above: 1 << 18)
  }

  private mutating func flush(above threshold: Int) throws(FileError) {
    guard writer.count > threshold else { return }
    hash.update(writer.bytes)
    try file.write(writer.bytes)
    writer.removeAll()
  }

  /// Flushes the table to disk.
  mutating func seal() throws(FileError) {
    try flush(above: 0)
    try file.synchronize()
  }

  /// Describes the sealed table, for the manifest.
  func written(_ name: String) -> TableRecord {
    TableRecord(path: name, rows: rows, hash: hash)
  }

  /// Renames the sealed table to its final path.
  mutating func finish() throws(FileError) {
    try file.finish()
  }
}
