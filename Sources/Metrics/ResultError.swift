package import Files

/// Reason why results could not be written.
package struct ResultError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The operation that failed, with the path.
  package var action: String
  package var cause: String

  /// Set when the given path is unsuitable, as opposed to an I/O failure.
  package var isUsage: Bool

  package init(action: String, cause: String, isUsage: Bool = false) {
    self.action = action
    self.cause = cause
    self.isUsage = isUsage
  }

  /// Converts a failure of the file system.
  package init(_ error: FileError) {
    self.init(action: error.action, cause: error.cause, isUsage: error.isUsage)
  }

  package var description: String { "cannot \(action): \(cause); no results were written" }

  /// Runs an operation on files and converts its errors.
  package static func wrapping<Value>(
    _ work: () throws(FileError) -> Value
  ) throws(ResultError) -> Value {
    do {
      return try work()
    } catch {
      throw ResultError(error)
    }
  }
}
