import Files

/// Reason why results cannot be read.
package struct ResultReadingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Path of the file or directory.
  package let path: String
  /// Line from 1; `nil` if the error is about a directory.
  package let line: Int?
  package let text: String

  package init(_ path: String, line: Int? = nil, _ text: String) {
    self.path = path
    self.line = line
    self.text = text
  }

  /// Message `path:line:1: error: text`, without a position for a directory. Control characters are escaped.
  package var description: String { (path + (line.map { ":\($0):1" } ?? "") + ": error: " + text).printable }
}
