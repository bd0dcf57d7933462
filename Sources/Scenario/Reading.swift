import YAML

/// One reading of one file: what has been found wrong so far.
final class Reading {
  let file: String
  /// Folder of the file, with a slash at its end, for the traces that it names.
  let directory: String
  private(set) var diagnostics: [Diagnostic] = []

  init(file: String, directory: String) {
    self.file = file
    self.directory = directory
  }

  /// Reports what is wrong at a node; without one, at the file's beginning.
  func report(_ node: Node?, _ message: String) {
    report(line: node?.mark?.line ?? 1, column: node?.mark?.column ?? 1, message)
  }

  func report(line: Int = 1, column: Int = 1, _ message: String) {
    let diagnostic = Diagnostic(file: file, line: max(1, line), column: max(1, column), message: message)
    if !diagnostics.contains(diagnostic) { diagnostics.append(diagnostic) }
  }

  /// Takes over what another reading of the same file found.
  func report(_ others: [Diagnostic]) {
    for other in others where !diagnostics.contains(other) { diagnostics.append(other) }
  }

  /// The diagnostics in the order of the file.
  var sorted: [Diagnostic] {
    diagnostics.sorted { ($0.line, $0.column, $0.message) < ($1.line, $1.column, $1.message) }
  }
}
