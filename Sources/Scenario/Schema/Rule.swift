package import Metrics

/// A constraint across the keys of a mapping.
package struct Rule: Sendable {
  package var json: JSONValue

  package init(_ json: JSONValue) { self.json = json }

  /// Exactly one of these keys.
  package static func exactlyOne(of keys: [String]) -> Rule {
    Rule(.object([("oneOf", .list(keys.map { has($0).json }))]))
  }

  /// At least one of these keys.
  package static func some(of keys: [String]) -> Rule {
    Rule(.object([("anyOf", .list(keys.map { has($0).json }))]))
  }

  /// All of these keys are present.
  package static func has(_ keys: String...) -> Rule { Rule(.object([("required", .words(keys))])) }

  /// The key has one of these values.
  package static func value(of key: String, isOneOf values: [String]) -> Rule {
    Rule(
      .object([
        ("properties", .object([(key, .object([("enum", .words(values))]))])), ("required", .words([key])),
      ]))
  }

  /// No other keys than these.
  package static func only(_ keys: [String]) -> Rule {
    Rule(.object([("propertyNames", .object([("enum", .words(keys))]))]))
  }

  package static func not(_ rule: Rule) -> Rule { Rule(.object([("not", rule.json)])) }

  package static func all(_ rules: [Rule]) -> Rule { Rule(.object([("allOf", .list(rules.map(\.json)))])) }

  package static func any(of rules: [Rule]) -> Rule { Rule(.object([("anyOf", .list(rules.map(\.json)))])) }

  /// If a mapping satisfies one rule it must satisfy another, else an optional third.
  package static func when(_ condition: Rule, _ consequence: Rule, else alternative: Rule? = nil) -> Rule {
    Rule(
      .object(
        [("if", condition.json), ("then", consequence.json)] + (alternative.map { [("else", $0.json)] } ?? [])
      ))
  }
}
