#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Destination of an output named by the user.
package enum OutputPlace: Equatable, Sendable {
  /// A regular file, which is replaced as a whole; the permissions are `nil` if it does not exist yet.
  case file(String, permissions: UInt32?)
  /// A device, a pipe or a terminal, which is written to but never replaced.
  case stream(String)
  /// An open file descriptor of this process, such as `/dev/stdout`.
  case descriptor(Int32)

  /// Finds the destination, following symbolic links.
  ///
  /// - Throws: ``FileError`` for an empty name, a directory, a link that leads nowhere, or a file that must not be
  ///   written.
  package init(_ path: String) throws(FileError) {
    try Self.checkName(path)
    if let number = Self.descriptor(named: path) {
      self = .descriptor(number)
      return
    }
    var status = stat()
    guard stat(path, &status) == 0 else {
      try Self.checkMissing(path)
      self = .file(path, permissions: nil)
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      throw FileError(action: "write '\(path)'", cause: "it is a directory, not a file", isUsage: true)
    case S_IFREG:
      // Replacing the file behind standard output would lose everything else written to it.
      if let number = [STDOUT_FILENO, STDERR_FILENO].first(where: { Self.isOpen($0, status) }) {
        self = .descriptor(number)
        return
      }
      guard access(path, W_OK) == 0 else { throw FileError(action: "write '\(path)'") }
      self = .file(Directory.resolved(path) ?? path, permissions: UInt32(status.st_mode) & 0o7777)
    default: self = .stream(path)
    }
  }

  /// Returns the final path of an output directory, following symbolic links.
  ///
  /// - Throws: ``FileError`` for an empty name, a link that leads nowhere, or anything that is not a directory.
  package static func directory(_ path: String) throws(FileError) -> String {
    try checkName(path)
    let path = Directory.withoutTrailingSlashes(path)
    var status = stat()
    guard stat(path, &status) == 0 else {
      try checkMissing(path)
      return path
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw FileError(action: "write to '\(path)'", cause: "it is a file, not a directory", isUsage: true)
    }
    return Directory.resolved(path) ?? path
  }

  private static func checkName(_ path: String) throws(FileError) {
    guard !path.isEmpty else {
      throw FileError(action: "write to ''", cause: "the name of the output is empty", isUsage: true)
    }
  }

  /// Distinguishes a free path from one that cannot be created; `errno` must be that of the failed lookup.
  private static func checkMissing(_ path: String) throws(FileError) {
    let reason = errno
    var status = stat()
    if reason == ENOENT, lstat(path, &status) == 0 {
      throw FileError(
        action: "write to '\(path)'", cause: "it is a symbolic link to nothing", isUsage: true)
    }
    guard reason != ENOENT else { return }
    errno = reason
    var error = FileError(action: "write to '\(path)'")
    error.isUsage = reason == ELOOP || reason == ENOTDIR || reason == ENAMETOOLONG
    throw error
  }

  private static func descriptor(named path: String) -> Int32? {
    switch path {
    case "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default:
      for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
        return Int32(path.dropFirst(folder.count))
      }
      return nil
    }
  }

  /// Checks whether a descriptor refers to the file with this status.
  private static func isOpen(_ number: Int32, _ status: stat) -> Bool {
    var own = stat()
    return fstat(number, &own) == 0 && own.st_dev == status.st_dev && own.st_ino == status.st_ino
  }
}
