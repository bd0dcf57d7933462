/// Entries of the reference as text for a terminal.
enum ReferenceText {
  /// Formats everything about an entry except its name.
  static func body(of entry: ReferenceEntry) -> String {
    var text = "  \(entry.kind.rawValue)\n" + wrapped(entry.meaning, indent: 2)
    let facts = entry.facts.filter { !$0.values.isEmpty }
    let label = (facts.map(\.label.count).max() ?? 0) + 2
    for fact in facts {
      for (number, value) in fact.values.enumerated() {
        let head = "  " + (number == 0 ? fact.label : "").padded(to: label)
        text += head + String(wrapped(value, indent: 2 + label).dropFirst(2 + label))
      }
    }
    guard !entry.example.isEmpty else { return text }
    let lines = entry.example.split(separator: "\n").map { "    \($0)\n" }
    return text + "  example\n" + lines.joined()
  }

  /// Emits a line for each entry, aligned, with a heading for each group.
  static func list(_ entries: [ReferenceEntry], _ emit: (_ text: String, _ heading: String) -> Void) {
    let names = entries.map { $0.title }
    let column = min(48, Terminal.listWidth / 2, (names.map(\.count).max() ?? 0) + 2)
    var group = ""
    for (entry, name) in zip(entries, names) {
      if entry.group != group {
        emit("\n", entry.group)
        group = entry.group
      }
      let head = "\(entry.group.isEmpty ? "" : "  ")\(name.padded(to: column)) "
      emit(hanging(entry.summary, behind: head, at: column + 3), "")
    }
  }

  /// Formats a paragraph behind its name, wrapped to the terminal's width with a hanging indent.
  ///
  /// - Parameter column: indent of the paragraph if it starts on the line below a longer name.
  static func hanging(_ text: String, behind head: String, at column: Int) -> String {
    let width = max(Terminal.listWidth, column + 20)
    guard head.count > column, Terminal.listWidth != .max else {
      return head + wrapped(text, indent: head.count, width: width).dropFirst(head.count)
    }
    return head.trimmedAtEnd + "\n" + wrapped(text, indent: column, width: width)
  }

  /// Wraps a paragraph to a width, with an indent.
  static func wrapped(_ text: String, indent: Int, width: Int = Terminal.width) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(line)
    return lines.map { margin + $0 + "\n" }.joined()
  }
}

extension ReferenceEntry {
  /// The name; for a metric, with its statistic.
  var title: String {
    guard kind == .metric, let stat = facts.first(where: { $0.label == "stat" })?.values.first else {
      return name
    }
    return "\(name) (\(stat))"
  }
}

extension String {
  func padded(to count: Int) -> String {
    self + String(repeating: " ", count: max(0, count - self.count))
  }

  fileprivate var trimmedAtEnd: String {
    String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)])
  }
}
