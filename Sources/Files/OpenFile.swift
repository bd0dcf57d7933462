#if canImport(Glibc)
  import Glibc
  private let systemClose = Glibc.close
  private let systemWrite = Glibc.write
#else
  import Darwin
  private let systemClose = Darwin.close
  private let systemWrite = Darwin.write
#endif

/// A file open for writing; the caller must close it.
package struct OpenFile: Sendable {
  private let descriptor: Int32
  /// Name used in errors.
  private let name: String

  /// - Parameters:
  ///   - path: path of the file; an existing one is overwritten.
  ///   - name: name used in errors; by default the path.
  package init(creating path: String, name: String? = nil) throws(FileError) {
    try self.init(path, name: name, flags: O_TRUNC)
  }

  /// Opens an existing device, pipe or terminal; nothing is created or truncated.
  init(existing path: String) throws(FileError) {
    name = "'\(path)'"
    descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw failure }
  }

  /// Duplicates an open descriptor of this process.
  init(copying number: Int32, name: String) throws(FileError) {
    self.name = name
    descriptor = fcntl(number, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { throw failure }
  }

  /// Opens a file that other processes may also append to, creating it if needed.
  private init(appendingTo path: String) throws(FileError) {
    try self.init(path, name: nil, flags: O_APPEND)
  }

  private init(_ path: String, name: String?, flags: Int32) throws(FileError) {
    self.name = name ?? "'\(path)'"
    descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o666)
    guard descriptor >= 0 else { throw failure }
  }

  /// Appends to a file, creating it if needed.
  ///
  /// - Throws: ``FileError`` when it cannot be opened, written or closed.
  package static func append(_ bytes: [UInt8], to path: String) throws(FileError) {
    let file = try OpenFile(appendingTo: path)
    do throws(FileError) {
      try file.write(bytes)
    } catch {
      try? file.close()
      throw error
    }
    try file.close()
  }

  private var failure: FileError { FileError(action: "write \(name)") }

  package func write(_ bytes: [UInt8]) throws(FileError) {
    var offset = 0
    while offset < bytes.count {
      let written = bytes[offset...].withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if written < 0 {
        if errno == EINTR { continue }
        throw failure
      }
      offset += written
    }
  }

  /// Locks the file until it is closed, to distinguish an output being written from one left behind; file systems
  /// without locks are tolerated.
  package func lock() { _ = flock(descriptor, LOCK_EX | LOCK_NB) }

  /// Flushes the file to disk.
  package func synchronize() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw failure }
  }

  package func close() throws(FileError) {
    guard systemClose(descriptor) == 0 else { throw failure }
  }
}
