import Files

/// A position in a file.
package struct FilePosition: Hashable, Sendable, CustomStringConvertible {
  /// Path of the file as the user gave it.
  package var file: String
  /// Line, from 1.
  package var line: Int
  /// Column, from 1.
  package var column: Int

  package init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// Position as `file:line:column`.
  package var description: String { "\(file):\(line):\(column)" }
}

/// An error in a user's file, or advice on it, with its position and a remedy.
package struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
  package enum Severity: String, Hashable, Sendable {
    /// The file cannot be used.
    case error
    /// The file can be used, but probably does not do what its author expects.
    case warning
    /// The file does what it says, but readers of its results should know about it.
    case note
  }

  /// Path of the file as the user gave it.
  package var file: String
  /// Line, from 1.
  package var line: Int
  /// Column, from 1.
  package var column: Int
  package var message: String
  package var severity: Severity

  package init(file: String, line: Int, column: Int, message: String, severity: Severity = .error) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
    self.severity = severity
  }

  /// Text as `file:line:column: error: message`, the form that editors and CI annotations read; `warning` and `note` for
  /// advice.
  ///
  /// Control characters are escaped.
  package var description: String { "\(position): \(severity.rawValue): \(message)".printable }

  package var position: FilePosition { FilePosition(file: file, line: line, column: column) }
}

/// All errors of a file, ordered by line.
package struct ScenarioError: Error, Sendable {
  package var diagnostics: [Diagnostic]
  /// Advice on the same file, ordered by line.
  package var warnings: [Diagnostic]

  package init(diagnostics: [Diagnostic], warnings: [Diagnostic] = []) {
    self.diagnostics = diagnostics
    self.warnings = warnings
  }
}
