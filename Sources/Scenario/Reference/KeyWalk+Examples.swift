import JSON
import Parameters
import Systems
import Vendors

/// Generation of examples: a value of a shape, and a file around it.
extension KeyWalk {
  /// Returns a value of this shape: the first stated example, or else a value that the shape's keywords allow.
  func example(of shape: JSONValue) -> JSONValue {
    if let stated = shape[.example] ?? shape["examples"]?.elements.first ?? shape["const"] { return stated }
    if let words = shape["enum"]?.elements, let first = words.first {
      return words.first { $0.text != shape["default"]?.text } ?? first
    }
    if let target = definition(of: shape) { return example(of: target) }
    if let first = shape["anyOf"]?.elements.first { return example(of: first) }
    switch shape["type"]?.text {
    case "boolean":
      guard case .flag(true)? = shape["default"] else { return .flag(true) }
      return .flag(false)
    case "integer", "number":
      guard case .integer(let least)? = shape["minimum"] else { return shape["minimum"] ?? .integer(1) }
      return .integer(max(least, 1))
    case "array": return .list([example(of: shape["items"] ?? .object([]))])
    case "object":
      let value = shape["additionalProperties"]
      guard shape["properties"] == nil, let value, !value.entries.isEmpty else {
        return .object(companions(of: "", .object([]), in: shape))
      }
      return .object([(shape[.name]?.text ?? "home", example(of: value))])
    default: return .text("example")
    }
  }

  /// Builds a complete file with a value at a place.
  func file(with value: JSONValue, at place: Place) -> String {
    var value = value
    for step in place.steps.dropFirst().reversed() {
      switch step {
      case .key(let key, let beside): value = .object(beside + [(key, value)])
      case .element(let others):
        value = .list(
          others.filter { $0["id"]?.text == nil || $0["id"]?.text != value["id"]?.text } + [value])
      case .name(let name): value = .object([(name, value)])
      }
    }
    guard case .key(let key, let beside)? = place.steps.first else { return "" }
    var entries = beside.filter { one in !place.amid.contains { $0.0 == one.0 } }
    for (other, stated) in place.amid where other != key { entries.append((other, stated)) }
    if let stated = place.amid.first(where: { $0.0 == key })?.1 { value = stated.joined(with: value) }
    entries.append((key, value))
    let standard = Catalogue.standard.systems.standard.name
    if let first = place.policies.first, !place.policies.contains(standard),
      !entries.contains(where: { $0.0 == "policy" })
    {
      entries.append(("policy", .text(first)))
    }
    let order = (root["properties"]?.entries ?? []).map(\.0)
    entries.sort { order.firstIndex(of: $0.0) ?? 0 < order.firstIndex(of: $1.0) ?? 0 }
    return FlowText.document(entries)
  }
}

extension JSONValue {
  /// Merges two lists or mappings; elements of the other one replace those with the same id or key.
  fileprivate func joined(with other: JSONValue) -> JSONValue {
    switch (self, other) {
    case (.list(let own), .list(let more)):
      let ids = more.compactMap { $0["id"]?.text }
      return .list(own.filter { !ids.contains($0["id"]?.text ?? "") } + more)
    case (.object(let own), .object(let more)):
      return .object(own.filter { entry in !more.contains { $0.0 == entry.0 } } + more)
    default: return other
    }
  }
}
