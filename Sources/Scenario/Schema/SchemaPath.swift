import Files
import JSON

/// Keys that the schema permits at a path of a scenario.
enum SchemaPath {
  /// Returns the keys that a mapping may have; empty if names are free or there is no mapping.
  ///
  /// - Parameter path: path from the root, of keys, and indices or names of elements.
  static func keys(at path: [String]) -> [String] {
    var shapes = alternatives(of: document)
    for key in path {
      shapes = shapes.flatMap { shape -> [JSONValue] in
        let names = shape["additionalProperties"].flatMap { $0.entries.isEmpty ? nil : $0 }
        let next = shape["properties"]?[key] ?? shape["items"] ?? names
        return next.map(alternatives) ?? []
      }
    }
    return shapes.flatMap { ($0["properties"]?.entries ?? []).map(\.0) }.uniqued()
  }

  /// Resolves a shape to all the shapes that a value may have.
  private static func alternatives(of shape: JSONValue) -> [JSONValue] {
    if let name = shape["$ref"]?.text?.split(separator: "/").last {
      return document["definitions"]?[String(name)].map(alternatives) ?? []
    }
    let choices =
      (shape["anyOf"]?.elements ?? []) + (shape["allOf"]?.elements ?? []).filter { $0["$ref"] != nil }
    return [shape] + choices.flatMap(alternatives)
  }

  private static let document = ScenarioSchema.document
}
