import YAML

/// Parses and edits a scenario's YAML, and rejects YAML features that scenarios do not support.
enum YAMLSource {
  static let limits = YAMLLimits()

  /// Key that a bare value stands for, by what it is the value of; `name` for anything else.
  private static let shortForms = ["camera": "capture", "screen": "capture", "stage": "participant"]

  /// Parses the root of a single document; `nil`, with an error reported, on failure.
  ///
  /// The first value of a repeated key counts; each repetition is reported.
  static func root(of text: String, _ reading: Reading) -> Node? {
    func report(_ error: YAMLError) {
      reading.report(
        line: error.mark?.line ?? 1, column: error.mark?.column ?? 1,
        isTab(at: error, in: text) ? "a tab: indent with spaces" : sentence(for: error.cause))
    }
    do {
      var repeated: [YAMLError] = []
      let root = try Composer.compose(text, limits: limits, repeatedKeys: &repeated)
      for error in repeated.prefix(20) { report(error) }
      guard let node = root else {
        reading.report("the file is empty: a scenario starts with 'name: …'")
        return nil
      }
      guard case .mapping = node else {
        reading.report(node, "a scenario is a mapping with keys such as 'name:' and 'participants:'")
        return nil
      }
      return node
    } catch {
      report(error)
      return nil
    }
  }

  /// Checks whether a syntax error is at a tab.
  private static func isTab(at error: YAMLError, in text: String) -> Bool {
    guard case .syntax = error.cause, let mark = error.mark else { return false }
    let lines = text.split(separator: "\n", maxSplits: mark.line, omittingEmptySubsequences: false)
    guard lines.indices.contains(mark.line - 1) else { return false }
    return lines[mark.line - 1].unicodeScalars.dropFirst(mark.column - 1).first == "\t"
  }

  private static func sentence(for cause: YAMLError.Cause) -> String {
    switch cause {
    case .syntax(let problem): "the YAML cannot be read: \(problem)"
    case .noUTF8, .severalDocuments:
      "the YAML cannot be read: only one document of plain UTF-8 is accepted"
    case .alias: "anchors and aliases ('&', '*') are not supported: repeat the value"
    case .repeatedKey(let name): "duplicate key '\(name)': remove one"
    case .keyIsNoScalar: "a key must be a scalar"
    case .tooDeep: "values are nested more than \(limits.depth) levels deep"
    case .tooLarge: "the file has more than \(limits.nodes) values"
    }
  }

  // MARK: Overrides

  /// Applies `PATH=VALUE`. The path consists of keys and list indices separated by dots; elements with an `id` or
  /// `name` can be addressed by that too.
  static func apply(_ override: Override, to root: inout Node, _ reading: Reading) {
    let start = override.position
    let parts = override.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
      String.init)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      reading.report(start, "this is not PATH=VALUE, such as 'links.home.capacity=1 Mbps'")
      return
    }
    let offset = parts[0].unicodeScalars.count + 1
    let value: Node?
    do {
      value = try Composer.compose(parts[1], limits: limits)
    } catch {
      let mark = override.place(error.mark ?? Mark(line: 1, column: 1), offset: offset, source: 0)
      reading.report(
        FilePosition(file: start.file, line: mark.line, column: mark.column), sentence(for: error.cause))
      return
    }
    let path = parts[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let value, path.count <= limits.depth else {
      reading.report(start, value == nil ? "the value is missing" : "the path is too long")
      return
    }
    let placed = override.place(value, offset: offset, source: reading.add(source: start.file))
    let key = override.place(Mark(line: 1, column: 1), offset: 0, source: placed.mark?.source ?? 0)
    if let problem = problem(ofWriting: parts[0]) ?? set(placed, at: path[...], in: &root, keyMark: key) {
      reading.report(start, "'\(parts[0])': \(problem)")
    }
  }

  /// Returns a path with its list indices after dots instead of in brackets, as in `timeline.1.at`.
  static func dotted(_ path: String) -> String {
    String(path.replacing("[", with: ".").filter { !"]'\"".contains($0) }.drop { $0 == "." })
  }

  /// Explains how to write a path with indices in brackets; `nil` for any other.
  static func problem(ofWriting path: String) -> String? {
    path.contains("[")
      ? "elements of a list follow a dot, by number from 0 or by id: write '\(dotted(path))'" : nil
  }

  /// Explains why a key leads nowhere.
  ///
  /// - Parameter names: those of the elements; `nil` for an element without one.
  private static func absence(of path: ArraySlice<String>, below walked: [String], among names: [String?])
    -> String
  {
    let key = path.first ?? ""
    guard let first = names.first else { return "there is no element '\(key)': the list is empty" }
    if key == "*" {
      let one = (walked + [first ?? "0"] + path.dropFirst()).joined(separator: ".")
      return "there is no element '*': set each by itself, such as '\(one)'"
    }
    let known = names.compactMap { $0 }
    return "there is no element '\(key)': "
      + (known.isEmpty
        ? "they are numbered from 0 to \(names.count - 1)" : Suggestion.text(for: key, among: known))
  }

  /// Sets a value; returns the problem with the path, if any.
  ///
  /// Mappings that a scenario may have but this one lacks are added along the path.
  ///
  /// - Parameter keyMark: position attributed to added keys.
  static func set(
    _ value: Node, at path: ArraySlice<String>, in node: inout Node, below walked: [String] = [],
    keyMark: Mark? = nil
  ) -> String? {
    guard let key = path.first else {
      node = value
      return nil
    }
    switch node {
    case .mapping(var mapping):
      guard let index = mapping.firstIndex(where: { $0.key.string == key }) else {
        if key == "*" { return absence(of: path, below: walked, among: mapping.map(\.key.string)) }
        var child = value
        if path.count > 1 {
          let allowed = SchemaPath.keys(at: walked)
          guard allowed.contains(key), !SchemaPath.keys(at: walked + [key]).isEmpty else {
            let known = mapping.compactMap { $0.key.string }
            if allowed.contains(key) {
              return "there is no '\(key)' in the file: set it as a whole, or what is there: "
                + known.joined(separator: ", ")
            }
            return
              "there is no '\(key)': \(Suggestion.text(forKey: key, among: allowed.isEmpty ? known : allowed))"
          }
          child = Node(emptyMappingAt: keyMark)
          if let problem = set(
            value, at: path.dropFirst(), in: &child, below: walked + [key], keyMark: keyMark)
          {
            return problem
          }
        }
        mapping.elements.append((Node(key, mark: keyMark), child))
        node = .mapping(mapping)
        return nil
      }
      var child = mapping[index].value
      let problem = set(value, at: path.dropFirst(), in: &child, below: walked + [key], keyMark: keyMark)
      mapping[index].value = child
      node = .mapping(mapping)
      return problem
    case .sequence(var sequence):
      let names = sequence.map { element -> String? in
        guard case .mapping(let mapping) = element else { return nil }
        return mapping.first { $0.key.string == "id" || $0.key.string == "name" }?.value.string
      }
      let index = Int(key) ?? names.firstIndex(of: key) ?? -1
      guard sequence.indices.contains(index) else {
        return absence(of: path, below: walked, among: names)
      }
      var child = sequence[index]
      let problem = set(value, at: path.dropFirst(), in: &child, below: walked + [key], keyMark: keyMark)
      sequence[index] = child
      node = .sequence(sequence)
      return problem
    case .scalar(let scalar):
      // A bare value can have further keys: `policy: x` is `policy: {name: x}`.
      let short = shortForms[walked.last ?? ""] ?? "name"
      guard SchemaPath.keys(at: walked).contains(short) else {
        let place = walked.last ?? ""
        let isLink = ["up", "down", "shared"].contains(place)
        let hint = isLink ? "set 'links.\(scalar.string).\(key)', or all of '\(place)'" : "set it as a whole"
        return "'\(place)' is '\(scalar.string)', which has no '\(key)': \(hint)"
      }
      let own = node
      node = Node(emptyMappingAt: scalar.mark)
      _ = set(own, at: [short], in: &node, below: walked, keyMark: scalar.mark)
      return set(value, at: path, in: &node, below: walked, keyMark: keyMark)
    }
  }
}
