/// An error in a user's file, with its position and how to fix it.
package struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
  /// Path of the file as the user gave it.
  package var file: String
  /// Line and column, from 1.
  package var line: Int
  package var column: Int
  package var message: String

  package init(file: String, line: Int, column: Int, message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }

  /// `file:line:column: error: message`, as editors and CI annotations read it.
  package var description: String { "\(file):\(line):\(column): error: \(message)" }
}

/// All errors in a file, in the order of its lines.
package struct ScenarioError: Error, Sendable {
  package var diagnostics: [Diagnostic]
}
