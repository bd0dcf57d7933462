#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file written atomically: under a temporary name, then renamed.
package struct WholeFile: ~Copyable {
  private let path: String
  /// Name used in errors.
  private let name: String
  private let partial: String
  private let file: OpenFile
  private var isOpen = true

  /// - Parameters:
  ///   - path: the final path.
  ///   - name: name used in errors; by default the path.
  ///   - permissions: permissions of the file; `nil` for the process's default.
  package init(_ path: String, name: String? = nil, permissions: UInt32? = nil) throws(FileError) {
    let name = name ?? path
    // In a noncopyable type, everything that throws must come before the first stored property is set.
    let partial = "\(path)\(Directory.partialMark)\(getpid())"
    let file = try OpenFile(creating: partial, name: "'\(name)'")
    if let permissions { chmod(partial, mode_t(permissions)) }
    self.path = path
    self.name = name
    self.partial = partial
    self.file = file
  }

  deinit {
    guard isOpen else { return }
    try? file.close()
    unlink(partial)
  }

  package func write(_ bytes: [UInt8]) throws(FileError) { try file.write(bytes) }

  /// Locks the file until it is closed (``OpenFile/lock()``).
  func lock() { file.lock() }

  /// Flushes the file to disk.
  package func synchronize() throws(FileError) { try file.synchronize() }

  /// Renames the file to its final path.
  package mutating func finish() throws(FileError) {
    isOpen = false
    do throws(FileError) {
      try file.close()
      guard rename(partial, path) == 0 else { throw FileError(action: "write '\(name)'") }
    } catch {
      unlink(partial)
      throw error
    }
  }

  /// Writes a file atomically.
  ///
  /// - Parameter synchronizing: flushes the file to disk before the rename; otherwise a power failure can corrupt it.
  package static func write(
    _ bytes: [UInt8], to path: String, synchronizing: Bool = true
  ) throws(FileError) {
    var file = try WholeFile(path)
    try file.write(bytes)
    if synchronizing { try file.synchronize() }
    try file.finish()
  }
}
