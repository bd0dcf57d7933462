import JSON

/// Descriptions of types in words.
extension KeyWalk {
  func type(of shape: JSONValue) -> String {
    if let stated = shape[.type]?.text { return stated }
    if case .flag(let value)? = shape["const"] { return "\(value)" }
    if let words = shape["enum"]?.elements {
      return "one of " + words.map { FlowText.text(of: $0) }.joined(separator: ", ")
    }
    if let target = definition(of: shape) { return type(of: target) }
    if let parts = shape["anyOf"]?.elements {
      var types: [String] = []
      for part in parts.map({ type(of: $0) }) where !types.contains(part) { types.append(part) }
      return types.joined(separator: ", or ")
    }
    switch shape["type"]?.text {
    case "boolean": return "true or false"
    case "integer": return "whole number" + range(of: shape)
    case "number": return "number" + range(of: shape)
    case "array": return "list of " + type(of: shape["items"] ?? .object([])).asPlural
    case "object": return shape["properties"] == nil ? "mapping from names" : "mapping"
    case "string": return "text"
    default: return shape["type"] == nil ? "any value" : "text"
    }
  }

  private func range(of shape: JSONValue) -> String {
    guard let least = shape["minimum"] else { return "" }
    if case .integer(Int64(Int.max))? = shape["maximum"] { return ", at least \(FlowText.text(of: least))" }
    guard let most = shape["maximum"] else { return ", at least \(FlowText.text(of: least))" }
    return " from \(FlowText.text(of: least)) to \(FlowText.text(of: most))"
  }
}

extension String {
  /// Type in the plural.
  fileprivate var asPlural: String {
    switch self {
    case "mapping": "mappings"
    case "text": "texts"
    case "any value": "values"
    default: self
    }
  }

  /// Text as a sentence: capitalized, and with a full stop.
  package var asSentence: String {
    prefix(1).uppercased() + dropFirst() + (isEmpty || hasSuffix(".") ? "" : ".")
  }
}
