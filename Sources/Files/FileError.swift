#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Why something can't be done with a file or a directory.
package struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What was tried, with the path.
  package var action: String
  package var cause: String

  package init(action: String, cause: String) {
    self.action = action
    self.cause = cause
  }

  /// The system's words for its last failure are the cause.
  package init(action: String) {
    self.init(action: action, cause: String(cString: strerror(errno)).lowercased())
  }

  package var description: String { "cannot \(action): \(cause)" }
}
