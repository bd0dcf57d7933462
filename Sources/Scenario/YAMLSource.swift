import Yams

/// The YAML underneath a scenario: what YAML allows and a scenario does not is refused here.
enum YAMLSource {
  private static let depthLimit = 40

  /// The root of the only document; `nil` after a report.
  static func root(of text: String, _ reading: Reading) -> Node? {
    guard isShallow(text) else {
      reading.report("brackets are nested more than \(depthLimit) deep")
      return nil
    }
    if let alias = firstAlias(in: text) {
      reading.report(
        line: alias.line, column: alias.column,
        "anchors and aliases ('&', '*') are not part of scenarios: write the value out")
      return nil
    }
    do {
      guard let node = try Yams.compose(yaml: text) else {
        reading.report("the file is empty: a scenario begins with 'name: …'")
        return nil
      }
      guard case .mapping = node else {
        reading.report(node, "a scenario is a mapping with keys such as 'name:' and 'participants:'")
        return nil
      }
      guard refuseAliases(node, reading, depth: 0) else { return nil }
      return node
    } catch {
      report(error, text, reading)
      return nil
    }
  }

  /// Deep nesting would exhaust the parser's stack: counted before it is parsed.
  private static func isShallow(_ text: String) -> Bool {
    var depth = 0
    for byte in text.utf8 {
      if byte == 0x5b || byte == 0x7b { depth += 1 }
      if byte == 0x5d || byte == 0x7d { depth = max(0, depth - 1) }
      if depth > depthLimit { return false }
    }
    for line in text.split(separator: "\n") {
      var dashes = 0
      for character in line.prefix(400) where character != " " {
        guard character == "-" || character == "?" || character == ":" else { break }
        dashes += 1
      }
      if dashes > depthLimit && !line.hasPrefix("---") { return false }
      if line.prefix(while: { $0 == " " }).count > 20 * depthLimit { return false }
    }
    return true
  }

  /// A `&name` or `*name` at the beginning of a value: aliases can make a small file enormous.
  private static func firstAlias(in text: String) -> (line: Int, column: Int)? {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      var previous: Character = " "
      var quote: Character?
      for (column, character) in line.enumerated() {
        if let open = quote {
          if character == open { quote = nil }
        } else if character == "\"" || character == "'" {
          if previous == " " || "[{,:-".contains(previous) { quote = character }
        } else if character == "#", previous == " " {
          break
        } else if character == "&" || character == "*", " [{,".contains(previous) {
          let next = line.dropFirst(column + 1).first
          if let next, next.isLetter || next.isNumber || next == "_" { return (index + 1, column + 1) }
        }
        previous = character
      }
    }
    return nil
  }

  private static func refuseAliases(_ node: Node, _ reading: Reading, depth: Int) -> Bool {
    guard depth <= depthLimit else {
      reading.report(node, "values are nested more than \(depthLimit) deep")
      return false
    }
    switch node {
    case .scalar: return true
    case .alias:
      reading.report(node, "anchors and aliases ('&', '*') are not part of scenarios: write the value out")
      return false
    case .sequence(let sequence): return sequence.allSatisfy { refuseAliases($0, reading, depth: depth + 1) }
    case .mapping(let mapping):
      return mapping.allSatisfy { key, value in
        guard key.string != nil, key.string != "<<" else {
          reading.report(key, "a key must be a plain word")
          return false
        }
        return refuseAliases(value, reading, depth: depth + 1)
      }
    }
  }

  private static func report(_ error: any Error, _ text: String, _ reading: Reading) {
    guard let error = error as? YamlError else {
      reading.report("the YAML cannot be read: \(error)")
      return
    }
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      reading.report(line: mark.line, column: mark.column, "the YAML cannot be read: \(problem)")
    case .duplicatedKeysInMapping(let duplicates, let context):
      let name = duplicates.first ?? "?"
      let place = place(ofRepeated: name, in: text, after: context.mark.line)
      reading.report(
        line: place.line, column: place.column, "key '\(name)' is there twice: keep one of the two")
    default: reading.report("the YAML cannot be read: only one document of plain UTF-8 is accepted")
    }
  }

  /// The parser marks the whole mapping; the second of the equal keys is what to look at.
  private static func place(ofRepeated name: String, in text: String, after line: Int) -> (
    line: Int, column: Int
  ) {
    var seen = 0
    for (index, content) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where index + 1 >= line {
      var rest = content[...]
      while let range = rest.firstRange(of: name + ":") {
        seen += 1
        if seen == 2 {
          return (index + 1, content.distance(from: content.startIndex, to: range.lowerBound) + 1)
        }
        rest = rest[range.upperBound...]
      }
    }
    return (max(1, line), 1)
  }

  // MARK: Overrides

  /// Applies `PATH=VALUE`: keys and list places joined by points; an element with an `id` or `name` goes by that, too.
  static func apply(_ override: String, to root: inout Node, _ reading: Reading) {
    let parts = override.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, !parts[0].isEmpty else {
      reading.report("--set '\(override)' is not PATH=VALUE, such as 'links.home.capacity=1 Mbps'")
      return
    }
    guard let value = try? Yams.compose(yaml: parts[1]) else {
      reading.report("--set '\(override)': the value is not YAML")
      return
    }
    let path = parts[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard path.count <= depthLimit else {
      reading.report("--set '\(override)': the path is too long")
      return
    }
    if let problem = set(value, at: path[...], in: &root) {
      reading.report("--set '\(parts[0])': \(problem)")
    }
  }

  /// Sets a value; gives what is wrong with the path, if anything.
  static func set(_ value: Node, at path: ArraySlice<String>, in node: inout Node) -> String? {
    guard let key = path.first else {
      node = value
      return nil
    }
    switch node {
    case .mapping(var mapping):
      guard let index = mapping.firstIndex(where: { $0.key.string == key }) else {
        guard path.count == 1 else {
          let known = mapping.compactMap { $0.key.string }
          return "there is no '\(key)': \(Suggestion.text(for: key, among: known))"
        }
        mapping[Node(key)] = value
        node = .mapping(mapping)
        return nil
      }
      var child = mapping[index].value
      let problem = set(value, at: path.dropFirst(), in: &child)
      mapping[mapping[index].key] = child
      node = .mapping(mapping)
      return problem
    case .sequence(var sequence):
      let names = sequence.map { element -> String? in
        guard case .mapping(let mapping) = element else { return nil }
        return mapping.first { $0.key.string == "id" || $0.key.string == "name" }?.value.string
      }
      let index = Int(key) ?? names.firstIndex(of: key) ?? -1
      guard sequence.indices.contains(index) else {
        return "there is no element '\(key)': \(Suggestion.text(for: key, among: names.compactMap { $0 }))"
      }
      var child = sequence[index]
      let problem = set(value, at: path.dropFirst(), in: &child)
      sequence[index] = child
      node = .sequence(sequence)
      return problem
    default: return "'\(key)' is below a single value"
    }
  }
}
