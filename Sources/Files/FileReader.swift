#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Reads whole files.
package enum FileReader {
  /// Size limit for trace files [byte].
  package static let traceLimit = 20_000_000

  /// The bytes of a regular file of at most `limit` bytes.
  ///
  /// - Throws: ``FileError`` if the file is missing, unreadable or too large, or is a directory.
  package static func bytes(of path: String, limit: Int) throws(FileError) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw FileError(action: "read '\(path)'")
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else {
      throw FileError(action: "read '\(path)'")
    }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw FileError(action: "read '\(path)'", cause: "it is a directory, not a file")
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw FileError(action: "read '\(path)'")
      }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= limit else {
        throw FileError(action: "read '\(path)'", cause: "it is larger than \(limit) bytes")
      }
    }
  }
}
