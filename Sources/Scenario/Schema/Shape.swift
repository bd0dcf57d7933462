package import Metrics

/// What a value of a file may look like, written out as JSON Schema (draft-07, which YAML's language server reads).
///
/// The shapes of scenario files stand in this folder, beside the reader; tests hold both against each other.
package struct Shape: Sendable {
  /// Keywords of the schema, in order.
  package var keywords: [(String, JSONValue)]

  package init(_ keywords: [(String, JSONValue)]) { self.keywords = keywords }

  package var json: JSONValue { .object(keywords) }

  /// The shape with a sentence for whoever edits the file.
  package func described(_ sentence: String) -> Shape { adding("description", .text(sentence)) }

  /// The shape with values that may stand there.
  package func such(_ examples: JSONValue...) -> Shape { adding("examples", .list(examples)) }

  /// The shape with what holds when the key is left out.
  package func usually(_ value: JSONValue) -> Shape { adding("default", value) }

  package func adding(_ keyword: String, _ value: JSONValue) -> Shape {
    // Draft-07 ignores what stands beside a reference.
    guard keywords.first?.0 != "$ref" else {
      return Shape([("allOf", .list([json])), (keyword, value)])
    }
    return Shape(keywords + [(keyword, value)])
  }
}

extension Shape {
  /// A shape by its name in `definitions`.
  package static func reference(_ name: String) -> Shape { Shape([("$ref", .text("#/definitions/\(name)"))]) }

  /// A text of a given form.
  package static func text(_ pattern: String) -> Shape {
    Shape([("type", .text("string")), ("pattern", .text(pattern))])
  }

  /// Any single value: the reader takes `2024` and `true` as texts where a text is wanted.
  package static let anyText = Shape([("type", .words(["string", "number", "boolean"]))])

  /// A name: letters, digits and `_`, `-`, `.`, 64 at most.
  package static let identifier = Shape(anyText.keywords + [("pattern", .text("^[A-Za-z0-9_.-]{1,64}$"))])

  /// One of some words.
  package static func word(_ words: [String]) -> Shape {
    Shape([("type", .text("string")), ("enum", .words(words))])
  }

  /// One of the cases of an enumeration.
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

  /// One of several shapes.
  package static func any(of shapes: Shape...) -> Shape { Shape([("anyOf", .list(shapes.map(\.json)))]) }

  /// A mapping from names that the author chooses.
  package static func names(to value: Shape) -> Shape {
    Shape([
      ("type", .text("object")), ("propertyNames", .object([("pattern", .text("^[A-Za-z0-9_.-]{1,64}$"))])),
      ("additionalProperties", value.json),
    ])
  }

  /// A mapping with these keys and no others.
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
  /// A list of texts.
  package static func words(_ words: [String]) -> JSONValue { .list(words.map(JSONValue.text)) }
}
