/// Why results cannot be read.
package struct ResultReadingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file or directory.
  package let path: String
  /// From 1; `nil` if the error has no line.
  package let line: Int?
  package let text: String

  package init(_ path: String, line: Int? = nil, _ text: String) {
    self.path = path
    self.line = line
    self.text = text
  }

  package var description: String { path + (line.map { ":\($0)" } ?? "") + ": error: " + text }
}
