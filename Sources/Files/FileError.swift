#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A failed operation on a file or directory.
package struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The operation that failed, with the path.
  package var action: String
  package var cause: String
  /// Set when the path itself is unsuitable, as opposed to an I/O failure.
  package var isUsage = false
  /// Set if the reader has closed the pipe, having seen enough.
  package private(set) var isClosedPipe = false

  package init(action: String, cause: String, isUsage: Bool = false) {
    self.action = action
    self.cause = cause
    self.isUsage = isUsage
  }

  /// Takes the cause from `errno`.
  package init(action: String) {
    let number = errno
    self.init(action: action, cause: String(cString: strerror(number)).lowercased())
    isClosedPipe = number == EPIPE
  }

  package var description: String { "cannot \(action): \(cause)" }
}
