package import JSON

/// Shape of a value, as JSON Schema (draft-07, which the YAML language server supports).
///
/// Tests check that the schema and the reader accept the same files.
package struct Shape: Sendable {
  /// Keywords of the schema, in order.
  package var keywords: [(String, JSONValue)]

  package init(_ keywords: [(String, JSONValue)]) { self.keywords = keywords }

  package var json: JSONValue { .object(keywords) }

  /// Returns the shape with a description.
  package func described(_ sentence: String) -> Shape { adding("description", .text(sentence)) }

  /// Returns the shape with example values.
  package func examples(_ examples: JSONValue...) -> Shape { adding("examples", .list(examples)) }

  /// Returns the shape with a default value.
  package func withDefault(_ value: JSONValue) -> Shape { adding("default", value) }

  /// Returns the shape with a keyword added or replaced.
  package func adding(_ keyword: String, _ value: JSONValue) -> Shape {
    // Draft-07 ignores keywords next to a reference.
    guard keywords.first?.0 != "$ref" else {
      return Shape([("allOf", .list([json])), (keyword, value)])
    }
    return Shape(keywords.filter { $0.0 != keyword } + [(keyword, value)])
  }
}

extension Shape {
  /// Refers to a shape by its name in `definitions`.
  package static func reference(_ name: String) -> Shape { Shape([("$ref", .text("#/definitions/\(name)"))]) }

  /// Shape of a text that matches a pattern.
  package static func text(_ pattern: String) -> Shape {
    Shape([("type", .text("string")), ("pattern", .text(pattern))])
  }

  /// Shape of any scalar: the reader accepts `2024` and `true` as text.
  package static let anyText = Shape([("type", .words(["string", "number", "boolean"]))])

  /// Regular expression for a participant's id.
  static let idPattern = "[A-Za-z0-9_.][A-Za-z0-9_.-]{0,63}"

  /// Shape of a name: up to 64 letters, digits, `_`, `-` and `.`.
  package static let identifier = Shape(
    // The pattern applies to strings; numbers are valid ids too.
    anyText.keywords + [("pattern", .text("^\(idPattern)$")), ("minimum", .integer(0))]
  ).ofType("name")

  /// Shape of one of several keywords.
  package static func word(_ words: [String]) -> Shape {
    Shape([("type", .text("string")), ("enum", .words(words))])
  }

  /// Shape of a case of an enumeration.
  package static func word<T: RawRepresentable & CaseIterable>(_ type: T.Type) -> Shape
  where T.RawValue == String {
    word(type.allCases.map(\.rawValue))
  }

  package static let flag = Shape([("type", .text("boolean"))])

  package static func integer(_ range: ClosedRange<Int>) -> Shape {
    Shape([
      ("type", .text("integer")), ("minimum", .integer(Int64(range.lowerBound))),
      ("maximum", .integer(Int64(range.upperBound))),
    ])
  }

  package static func number(_ range: ClosedRange<Double>) -> Shape {
    Shape([
      ("type", .text("number")), ("minimum", .real(range.lowerBound)), ("maximum", .real(range.upperBound)),
    ])
  }

  package static func list(of element: Shape, atLeast minimum: Int64 = 0) -> Shape {
    Shape(
      [("type", .text("array")), ("items", element.json)]
        + (minimum > 0 ? [("minItems", .integer(minimum))] : []))
  }

  /// Shape of a value with one of several shapes.
  package static func any(of shapes: Shape...) -> Shape { any(of: shapes) }

  package static func any(of shapes: [Shape]) -> Shape { Shape([("anyOf", .list(shapes.map(\.json)))]) }

  /// Shape of a mapping from user-defined names.
  package static func names(to value: Shape) -> Shape {
    Shape([
      ("type", .text("object")),
      ("propertyNames", .object([("pattern", .text("^\(idPattern)$"))])),
      ("additionalProperties", value.json),
    ])
  }

  /// Shape of a mapping with only these keys.
  package static func mapping(_ properties: [(String, Shape)], required: [String] = [], rules: [Rule] = [])
    -> Shape
  {
    var keywords: [(String, JSONValue)] = [
      ("type", .text("object")), ("properties", .object(properties.map { ($0.0, $0.1.json) })),
      ("additionalProperties", .flag(false)),
    ]
    if !required.isEmpty { keywords.append(("required", .words(required))) }
    if !rules.isEmpty { keywords.append(("allOf", .list(rules.map(\.json)))) }
    return Shape(keywords)
  }
}

extension JSONValue {
  /// Creates a list of texts.
  package static func words(_ words: [String]) -> JSONValue { .list(words.map(JSONValue.text)) }
}
