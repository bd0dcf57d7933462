package import JSON

/// A constraint across the keys of a mapping.
package struct Rule: Sendable {
  package var json: JSONValue

  package init(_ json: JSONValue) { self.json = json }

  /// Requires exactly one of these keys.
  package static func exactlyOne(of keys: [String]) -> Rule {
    Rule(.object([("oneOf", .list(keys.map { has($0).json }))]))
  }

  /// Requires at least one of these keys.
  package static func some(of keys: [String]) -> Rule {
    Rule(.object([("anyOf", .list(keys.map { has($0).json }))]))
  }

  /// Requires all of these keys.
  package static func has(_ keys: String...) -> Rule { Rule(.object([("required", .words(keys))])) }

  /// Requires a key with one of these values.
  package static func value(of key: String, isOneOf values: [String]) -> Rule {
    Rule(
      .object([
        ("properties", .object([(key, .object([("enum", .words(values))]))])), ("required", .words([key])),
      ]))
  }

  /// Permits no keys other than these.
  package static func only(_ keys: [String]) -> Rule {
    Rule(.object([("propertyNames", .object([("enum", .words(keys))]))]))
  }

  package static func not(_ rule: Rule) -> Rule { Rule(.object([("not", rule.json)])) }

  package static func all(_ rules: [Rule]) -> Rule { Rule(.object([("allOf", .list(rules.map(\.json)))])) }

  package static func any(of rules: [Rule]) -> Rule { Rule(.object([("anyOf", .list(rules.map(\.json)))])) }

  /// Applies a rule to mappings that satisfy a condition, and an alternative, if any, to all others.
  package static func when(_ condition: Rule, _ consequence: Rule, else alternative: Rule? = nil) -> Rule {
    Rule(
      .object(
        [("if", condition.json), ("then", consequence.json)] + (alternative.map { [("else", $0.json)] } ?? [])
      ))
  }
}
