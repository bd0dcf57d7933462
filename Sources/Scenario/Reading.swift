import YAML

/// Collects the errors and advice that arise while a file is read.
final class Reading {
  let file: String
  /// Directory of the file, with a trailing slash, that trace paths are relative to.
  let directory: String
  /// Registries of the names that the file can refer to.
  let catalogue: Catalogue
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var warnings: [Diagnostic] = []
  /// All diagnostics and warnings, so that each is reported once.
  private var reported: Set<Diagnostic> = []

  /// Names of other sources of values, such as options; they are numbered from 1.
  private var otherSources: [String] = []

  init(file: String, directory: String, catalogue: Catalogue = .standard) {
    self.file = file
    self.directory = directory
    self.catalogue = catalogue
  }

  /// Reports an error at a node, or at the start of the file if there is none.
  func report(_ node: Node?, _ message: String) {
    report(position(of: node), message)
  }

  func report(line: Int = 1, column: Int = 1, _ message: String) {
    report(FilePosition(file: file, line: max(1, line), column: max(1, column)), message)
  }

  func report(_ position: FilePosition, _ message: String) {
    let diagnostic = Diagnostic(
      file: position.file, line: position.line, column: position.column, message: message)
    if reported.insert(diagnostic).inserted { diagnostics.append(diagnostic) }
  }

  /// Returns the path of a file that is named relative to this file's directory.
  func path(of name: String) -> String { name.hasPrefix("/") ? name : directory + name }

  /// Registers a source of values other than the file.
  ///
  /// - Returns: its number in marks.
  func add(source name: String) -> Int {
    otherSources.append(name)
    return otherSources.count
  }

  /// Returns the position of a node; the start of the file if there is none.
  func position(of node: Node?) -> FilePosition {
    let mark = node?.mark ?? Mark(line: 1, column: 1)
    let isOther = otherSources.indices.contains(mark.source - 1)
    return FilePosition(
      file: isOther ? otherSources[mark.source - 1] : file, line: max(1, mark.line),
      column: max(1, mark.column))
  }

  /// Adds advice on a valid file at a node.
  func warn(_ node: Node?, _ message: String) {
    let position = position(of: node)
    let warning = Diagnostic(
      file: position.file, line: position.line, column: position.column, message: message,
      severity: .warning)
    if reported.insert(warning).inserted { warnings.append(warning) }
  }

  /// Adds the errors of another pass over the same file.
  func report(_ others: [Diagnostic]) {
    for other in others where reported.insert(other).inserted { diagnostics.append(other) }
  }

  /// Errors in file order.
  var sorted: [Diagnostic] { Self.sorted(diagnostics) }

  var sortedWarnings: [Diagnostic] { Self.sorted(warnings) }

  private static func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    diagnostics.sorted { ($0.line, $0.column, $0.message) < ($1.line, $1.column, $1.message) }
  }
}
