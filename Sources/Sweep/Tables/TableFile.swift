import Metrics

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A table that is written row by row and appears whole.
struct TableFile: ~Copyable {
  private let path: String
  private let partial: String
  private let file: Int32
  private var writer = ByteWriter()
  private var isOpen = true
  private(set) var rows = 0
  private(set) var hash = ContentHash()

  init(_ path: String, header: [String]) throws(ResultError) {
    self.path = path
    partial = "\(path).partial-\(getpid())"
    file = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw FileTree.failure("write '\(path)'") }
    writer.row(header)
  }

  deinit {
    guard isOpen else { return }
    close(file)
    unlink(partial)
  }

  mutating func add(_ fields: [String]) throws(ResultError) {
    writer.row(fields)
    rows += 1
    try flush(above: 1 << 18)
  }

  /// Adds rows that are bytes already.
  mutating func add(rows bytes: [UInt8]) throws(ResultError) {
    writer.raw(bytes)
    rows += bytes.count { $0 == 0x0a }
    try flush(above: 1 << 18)
  }

  private mutating func flush(above threshold: Int) throws(ResultError) {
    guard writer.count > threshold else { return }
    hash.update(writer.bytes)
    try FileTree.append(writer.bytes, to: file, path)
    writer.removeAll()
  }

  /// Makes sure that all of the table is on the disk.
  mutating func seal() throws(ResultError) {
    try flush(above: 0)
    guard fsync(file) == 0 else { throw FileTree.failure("write '\(path)'") }
  }

  /// Lets the sealed table appear at its place.
  mutating func finish() throws(ResultError) {
    guard close(file) == 0, rename(partial, path) == 0 else { throw FileTree.failure("write '\(path)'") }
    isOpen = false
  }
}
