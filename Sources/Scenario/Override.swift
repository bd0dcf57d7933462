import YAML

/// A `PATH=VALUE` setting that replaces a value of a scenario, with its origin.
package struct Override: Hashable, Sendable {
  /// Origin of a setting, which messages about its value point to.
  package enum Origin: Hashable, Sendable {
    /// An option on the command line, by its name, which messages quote: `--set duration=soon:1:10`.
    case option(_ name: String = "--set")
    case file(FilePosition)
  }

  /// Setting as text: keys and list indices separated by dots, `=`, and the value as YAML.
  package var text: String
  package var origin: Origin

  package init(_ text: String, origin: Origin = .option()) {
    self.text = text
    self.origin = origin
  }

  /// Position for messages: start of the value in a file, or of the option's text.
  var position: FilePosition {
    switch origin {
    case .file(let position): position
    case .option(let name): FilePosition(file: "\(name) \(text)", line: 1, column: 1)
    }
  }

  /// Moves the marks of a value that was parsed separately.
  ///
  /// - Parameters:
  ///   - offset: number of characters before the value in ``text``.
  ///   - source: number of the override within its reading.
  func place(_ node: Node, offset: Int, source: Int) -> Node {
    node.moved { place($0, offset: offset, source: source) }
  }

  /// Moves a mark in a value that was parsed separately.
  func place(_ mark: Mark, offset: Int, source: Int) -> Mark {
    switch origin {
    case .file(let position): Mark(line: position.line, column: position.column, source: source)
    case .option: Mark(line: mark.line, column: mark.column + (mark.line == 1 ? offset : 0), source: source)
    }
  }
}
