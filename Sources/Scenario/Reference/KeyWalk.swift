import JSON

/// Visits every key of a schema once; a definition is visited where it is first referenced.
struct KeyWalk {
  /// One step from the root of a file towards a key.
  enum Step {
    /// A key, and the entries beside it in an example.
    case key(String, beside: [(String, JSONValue)])
    /// An element of a list, placed after others.
    case element(others: [JSONValue])
    /// A name chosen in the file.
    case name(String)
  }

  /// Position of the walk.
  struct Place {
    var path = ""
    var steps: [Step] = []
    var amid: [(String, JSONValue)] = []
    var policies: [String] = []
  }

  let root: JSONValue
  let definitions: JSONValue
  private var seen: Set<String> = []
  private var keys: [KeyReference] = []
  private var indexOfPath: [String: Int] = [:]

  static func keys(of root: Shape, _ definitions: JSONValue) -> [KeyReference] {
    var walk = KeyWalk(root: root.json, definitions: definitions)
    walk.visit(root.json, Place())
    return walk.keys
  }

  init(root: JSONValue = .object([]), definitions: JSONValue) {
    self.root = root
    self.definitions = definitions
  }

  private mutating func visit(_ shape: JSONValue, _ outer: Place) {
    for once in [shape["$ref"]?.text, shape[.described]?.text].compactMap({ $0 }) {
      guard seen.insert(once).inserted else { return }
    }
    if let name = definitionName(of: shape) { return visit(definitions[name] ?? .object([]), outer) }
    let place = outer.inside(shape)
    for part in shape["anyOf"]?.elements ?? [] { visit(part, place) }
    for part in shape["allOf"]?.elements ?? [] where part["$ref"] != nil { visit(part, place) }
    for (key, value) in shape["properties"]?.entries ?? [] {
      var inner = place.inside(value)
      inner.path += place.path.isEmpty ? key : ".\(key)"
      inner.steps.append(.key(key, beside: companions(of: key, value, in: shape)))
      record(key, value, in: shape, inner)
      visit(value, inner)
    }
    if let element = shape["items"] {
      var inner = place
      inner.path += "[]"
      inner.steps.append(.element(others: shape[.others]?.elements ?? []))
      visit(element, inner)
    }
    if let value = shape["additionalProperties"], !value.entries.isEmpty {
      var inner = place
      inner.path += ".NAME"
      inner.steps.append(.name(shape[.name]?.text ?? "home"))
      visit(value, inner)
    }
  }

  /// Returns the entries that a key needs beside it: those stated by the key or else by its mapping, and the required
  /// ones.
  func companions(of key: String, _ value: JSONValue, in mapping: JSONValue) -> [(String, JSONValue)] {
    let stated = (value[.beside] ?? mapping[.with])?.entries.filter { $0.0 != key } ?? []
    let missing = (mapping["required"]?.elements ?? []).compactMap(\.text).filter { name in
      name != key && !stated.contains { $0.0 == name }
    }
    return missing.map { ($0, example(of: mapping["properties"]?[$0] ?? .object([]))) } + stated
  }

  private mutating func record(_ key: String, _ value: JSONValue, in mapping: JSONValue, _ place: Place) {
    let parameters = value[.parameter]?.elements ?? []
    let names = (mapping["required"]?.elements ?? []).compactMap(\.text)
    let policies =
      mapping[.described]?.text == Self.policies ? parameters.compactMap { $0["name"]?.text } : place.policies
    if let known = indexOfPath[place.path] {
      let both = keys[known].policies + policies.filter { !keys[known].policies.contains($0) }
      keys[known].policies = keys[known].policies.isEmpty || policies.isEmpty ? [] : both
      return
    }
    func merged(_ field: String) -> String {
      var lines: [(text: String, names: [String])] = []
      for one in parameters {
        guard let text = one[field]?.text, let name = one["name"]?.text else { continue }
        if let line = lines.firstIndex(where: { $0.text == text }) {
          lines[line].names.append(name)
        } else {
          lines.append((text, [name]))
        }
      }
      guard lines.count > 1 else { return lines.first?.text ?? "" }
      return lines.map { "\($0.names.joined(separator: ", ")): \($0.text)" }.joined(separator: "; ")
    }
    indexOfPath[place.path] = keys.count
    keys.append(
      KeyReference(
        path: place.path,
        meaning: parameters.isEmpty ? meaning(of: value) : sentence(merged("effect"), of: parameters),
        type: parameters.isEmpty ? type(of: value) : merged("type"), isRequired: names.contains(key),
        standard: parameters.isEmpty ? standard(of: value) : merged("default"), policies: policies,
        source: merged("source"),
        example: file(with: value[.example] ?? example(of: value), at: place)))
  }

  /// Turns a text into a sentence, without a capital if it begins with a parameter's name.
  private func sentence(_ text: String, of parameters: [JSONValue]) -> String {
    let names = parameters.compactMap { $0["name"]?.text }
    return names.contains { text.hasPrefix($0) } ? text + "." : text.asSentence
  }

  /// Name under which systems' parameters are described.
  static let policies = "policies"

  // MARK: Facts

  private func meaning(of shape: JSONValue) -> String {
    let text = shape["description"]?.text ?? definition(of: shape)?["description"]?.text ?? ""
    return text.firstRange(of: " Units: ").map { String(text[..<$0.lowerBound]) } ?? text
  }

  private func standard(of shape: JSONValue) -> String {
    guard let value = shape["default"] ?? definition(of: shape)?["default"] else { return "" }
    return FlowText.text(of: value)
  }

  func definitionName(of shape: JSONValue) -> String? {
    shape["$ref"]?.text.flatMap { $0.split(separator: "/").last }.map { String($0) }
  }

  /// Returns the definition that a shape refers to; `nil` for an inline shape.
  func definition(of shape: JSONValue) -> JSONValue? {
    let target = shape["$ref"] != nil ? shape : shape["allOf"]?.elements.first { $0["$ref"] != nil }
    return target.flatMap { definitionName(of: $0) }.flatMap { definitions[$0] }
  }
}

extension KeyWalk.Place {
  /// Returns the place with a shape's notes added.
  fileprivate func inside(_ shape: JSONValue) -> KeyWalk.Place {
    var place = self
    let own = shape[.amid]?.entries ?? []
    place.amid = amid.filter { entry in !own.contains { $0.0 == entry.0 } } + own
    if let names = shape[.policies]?.elements.compactMap(\.text) { place.policies = names }
    return place
  }
}

extension JSONValue {
  subscript(_ note: Shape.Note) -> JSONValue? { self[note.rawValue] }
}
