import YAML

/// Collects the errors found while a file is read, and advice.
final class Reading {
  let file: String
  /// Directory of the file, with a trailing slash, to resolve trace paths.
  let directory: String
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var warnings: [Diagnostic] = []
  /// All of these: each is reported once.
  private var reported: Set<Diagnostic> = []

  init(file: String, directory: String) {
    self.file = file
    self.directory = directory
  }

  /// Reports an error at a node, or at the start of the file if there is none.
  func report(_ node: Node?, _ message: String) {
    report(line: node?.mark?.line ?? 1, column: node?.mark?.column ?? 1, message)
  }

  func report(line: Int = 1, column: Int = 1, _ message: String) {
    let diagnostic = Diagnostic(file: file, line: max(1, line), column: max(1, column), message: message)
    if reported.insert(diagnostic).inserted { diagnostics.append(diagnostic) }
  }

  /// Gives advice at a node on a file that can be used.
  func warn(_ node: Node?, _ message: String) {
    let warning = Diagnostic(
      file: file, line: max(1, node?.mark?.line ?? 1), column: max(1, node?.mark?.column ?? 1),
      message: message, severity: .warning)
    if reported.insert(warning).inserted { warnings.append(warning) }
  }

  /// Adds the errors of another reading of the same file.
  func report(_ others: [Diagnostic]) {
    for other in others where reported.insert(other).inserted { diagnostics.append(other) }
  }

  /// The diagnostics in file order.
  var sorted: [Diagnostic] { Self.sorted(diagnostics) }

  var sortedWarnings: [Diagnostic] { Self.sorted(warnings) }

  private static func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    diagnostics.sorted { ($0.line, $0.column, $0.message) < ($1.line, $1.column, $1.message) }
  }
}
