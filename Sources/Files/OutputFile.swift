#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that the user named as an output.
///
/// A regular file is replaced atomically and keeps its permissions and the links to it; anything else is written to.
/// Opened before the work whose result it takes, it fails before that work.
package struct OutputFile: ~Copyable {
  private let path: String
  /// The temporary name and the final one of a regular file.
  private let rename: (from: String, to: String)?
  private let file: OpenFile
  private var isOpen = true

  /// Opens an output.
  ///
  /// - Throws: ``FileError`` when the name is unsuitable or the file cannot be written.
  package init(_ path: String) throws(FileError) {
    // Everything that throws comes before the first stored property.
    let opened = try Self.open(path)
    self.path = path
    rename = opened.rename
    file = opened.file
  }

  private static func open(
    _ path: String
  ) throws(FileError) -> (file: OpenFile, rename: (from: String, to: String)?) {
    switch try OutputPlace(path) {
    case .descriptor(let number): return (try OpenFile(copying: number, name: "'\(path)'"), nil)
    case .stream: return (try OpenFile(existing: path), nil)
    case .file(let target, let permissions):
      Directory.removeLeftovers(of: target)
      let partial = "\(target)\(Directory.partialMark)\(getpid())"
      let file = try OpenFile(creating: partial, name: "'\(path)'")
      file.lock()
      if let permissions { chmod(partial, mode_t(permissions)) }
      return (file, (partial, target))
    }
  }

  deinit {
    guard isOpen else { return }
    try? file.close()
    if let rename { unlink(rename.from) }
  }

  package func write(_ bytes: [UInt8]) throws(FileError) { try file.write(bytes) }

  /// Completes the file under its final name.
  package mutating func finish() throws(FileError) {
    isOpen = false
    guard let names = rename else { return try file.close() }
    do throws(FileError) {
      try file.synchronize()
      try file.close()
      guard systemRename(names.from, names.to) == 0 else { throw FileError(action: "write '\(path)'") }
    } catch {
      unlink(names.from)
      throw error
    }
  }

  /// Writes a whole output.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    var file = try OutputFile(path)
    try file.write(bytes)
    try file.finish()
  }
}

#if canImport(Glibc)
  private let systemRename = Glibc.rename
#else
  private let systemRename = Darwin.rename
#endif
