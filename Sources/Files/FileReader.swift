#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Reads whole files.
package enum FileReader {
  /// Size limit for trace files, and for data from a pipe [byte].
  package static let traceLimit = 20_000_000

  /// Reads a regular file of at most `limit` bytes, or a pipe opened by the shell, such as `/dev/stdin`.
  ///
  /// - Throws: ``FileError`` if the file is missing, unreadable or too large, or is a directory, a device or a named
  ///   pipe.
  package static func bytes(of path: String, limit: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    try read(path, limit: limit) { bytes += $0 }
    return bytes
  }

  /// Reads a file or pipe in pieces, with the restrictions of ``bytes(of:limit:)``.
  package static func read(
    _ path: String, limit: Int, _ body: (ArraySlice<UInt8>) -> Void
  ) throws(FileError) {
    // Opening a named pipe without a writer must not block.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { throw FileError(action: "read '\(path)'") }
    defer { close(file) }
    let limit = try check(file, path, limit)
    var count = 0
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let length = buffer.withUnsafeMutableBytes { systemRead(file, $0.baseAddress, $0.count) }
      if length < 0, errno == EINTR { continue }
      guard length >= 0 else { throw FileError(action: "read '\(path)'") }
      if length == 0 { return }
      count += length
      guard count <= limit else { throw tooLarge(path, limit) }
      body(buffer[..<length])
    }
  }

  /// Rejects anything that is not a file or is too large; returns the number of bytes that may be read.
  private static func check(_ file: Int32, _ path: String, _ limit: Int) throws(FileError) -> Int {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw FileError(action: "read '\(path)'") }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      guard status.st_size <= limit else { throw tooLarge(path, limit) }
      return limit
    case S_IFIFO where ["/dev/stdin", "/dev/fd/", "/proc/self/fd/"].contains(where: path.hasPrefix):
      guard fcntl(file, F_SETFL, 0) == 0 else { throw FileError(action: "read '\(path)'") }
      return min(limit, traceLimit)
    case let type:
      let kind = [S_IFDIR: "a directory", S_IFIFO: "a named pipe", S_IFSOCK: "a socket"][type] ?? "a device"
      throw FileError(action: "read '\(path)'", cause: "it is \(kind), not a file")
    }
  }

  static func tooLarge(_ path: String, _ limit: Int) -> FileError {
    FileError(action: "read '\(path)'", cause: "it is larger than \(limit) bytes")
  }
}

#if canImport(Glibc)
  private let systemRead = Glibc.read
#else
  private let systemRead = Darwin.read
#endif

extension [UInt8] {
  /// Indicates whether the text begins with the byte order mark that some editors put in front of UTF-8.
  package var hasByteOrderMark: Bool { starts(with: [0xef, 0xbb, 0xbf]) }
}

extension [UInt8] {
  /// Position of the first byte that is not text (UTF-8 without NUL bytes); `nil` if all bytes are text.
  package var firstNonText: (line: Int, column: Int)? {
    guard contains(0) || String(validating: self, as: UTF8.self) == nil else { return nil }
    var bytes = makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    var place = (line: 1, column: 1)
    while true {
      switch parser.parseScalar(from: &bytes) {
      case .valid(let scalar) where scalar.first == 0: return place
      case .valid(let scalar) where scalar.first == 0x0a: place = (place.line + 1, 1)
      case .valid: place.column += 1
      case .error: return place
      case .emptyInput: return nil
      }
    }
  }
}
