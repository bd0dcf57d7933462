/// An output named by the user.
///
/// A regular file is replaced atomically and keeps its permissions and the links to it; anything else is written
/// directly. An output is opened before the work whose result it receives, so that an unusable output fails first.
package struct OutputFile: ~Copyable {
  /// A regular file; `nil` for anything else, which is then ``stream``.
  private var file: WholeFile?
  private var stream: OpenFile?

  /// Opens an output.
  ///
  /// - Throws: ``FileError`` when the name is unsuitable or the file cannot be written.
  package init(_ path: String) throws(FileError) {
    // In a noncopyable type, everything that throws must come before the first stored property is set.
    var whole: WholeFile?
    var open: OpenFile?
    switch try OutputPlace(path) {
    case .descriptor(let number): open = try OpenFile(copying: number, name: "'\(path)'")
    case .stream: open = try OpenFile(existing: path)
    case .file(let target, let permissions):
      Directory.removeLeftovers(ofFile: target)
      whole = try WholeFile(target, name: path, permissions: permissions)
      whole?.lock()
    }
    file = whole
    stream = open
  }

  deinit { try? stream?.close() }

  package func write(_ bytes: [UInt8]) throws(FileError) {
    try file?.write(bytes)
    try stream?.write(bytes)
  }

  /// Completes the file under its final name.
  package mutating func finish() throws(FileError) {
    try file?.synchronize()
    try file?.finish()
    let open = stream
    stream = nil
    try open?.close()
  }

  /// Writes an entire output.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    var file = try OutputFile(path)
    try file.write(bytes)
    try file.finish()
  }
}
