import YAML

/// A mapping of a scenario or sweep file as a value: plain properties, and one declaration per key.
///
/// The declarations are the only source of keys, types, ranges, defaults and meanings: the reader takes them from here,
/// as do the JSON schema and, through it, the reference, completion and the paths of settings.
///
/// ```swift
/// struct Shaper: Section {
///   var rate: BitRate?
///   var burst = 4
///
///   static let keys: [Key<Self>] = [
///     Key("rate", \.rate, .rate, "Rate of the shaper.", required: "1 Mbps", examples: ["1 Mbps"]),
///     Key("burst", default: \.burst, .integer(1...100), "Largest burst [packets]."),
///   ]
/// }
/// ```
protocol Section: SendableMetatype {
  /// Creates the values of an empty mapping.
  init()

  /// Declarations, in the order of the schema.
  static var keys: [Key<Self>] { get }

  /// Constraints across keys, for the schema; the reader has its own messages for them.
  static var rules: [Rule] { get }

  /// Entries added beside each key in examples.
  static var companions: String? { get }
}

extension Section {
  static var rules: [Rule] { [] }
  static var companions: String? { nil }

  /// Schema of the mapping.
  static var shape: Shape { shape(rules: rules) }

  /// Builds the schema of one form of the mapping.
  ///
  /// - Parameters:
  ///   - names: keys of the form; `nil` for all.
  ///   - required: keys that the form requires; `nil` for those declared as required.
  ///   - more: keys in addition to the section's.
  static func shape(
    only names: [String]? = nil, required: [String]? = nil, rules: [Rule] = [],
    beside more: [(String, Shape)] = []
  ) -> Shape {
    shape(of: keys(named: names), required: required, rules: rules, beside: more)
  }

  /// Builds the schema of a mapping with these keys.
  static func shape(
    of keys: [Key<Self>], required: [String]? = nil, rules: [Rule] = [], beside more: [(String, Shape)] = []
  ) -> Shape {
    let shape = Shape.mapping(
      keys.map { ($0.name, $0.shape()) } + more,
      required: required ?? keys.filter(\.isRequired).map(\.name), rules: rules)
    return companions.map { shape.with($0) } ?? shape
  }

  /// Returns the declarations of the named keys, in this order; `nil` for all.
  static func keys(named names: [String]?) -> [Key<Self>] {
    names?.compactMap { name in keys.first { $0.name == name } } ?? keys
  }
}

/// A section's values, with the mapping that they were read from for messages.
@dynamicMemberLookup
struct Entry<Values> {
  var values: Values
  let fields: Fields

  subscript<Value>(dynamicMember path: KeyPath<Values, Value>) -> Value { values[keyPath: path] }

  /// Checks whether the mapping has a key, even if its value is invalid.
  func states(_ key: String) -> Bool { fields[key] != nil }

  /// Reports an error at a key's value, or at the mapping if it has none.
  func report(at key: String? = nil, _ message: String) {
    fields.report(key.flatMap { fields[$0] }, message)
  }

  /// Reports an error at a key itself.
  func report(atKey key: String, _ message: String) { fields.report(fields.key(key), message) }
}

extension Entry where Values: Section {
  /// Reads a mapping; unknown keys are reported. `nil`, with an error reported, for another kind of node.
  ///
  /// - Parameter names: keys of the form in which the mapping is written; `nil` for all.
  init?(_ node: Node?, _ subject: String, _ reading: Reading, only names: [String]? = nil) {
    guard
      let fields = Fields(
        node, subject, reading, example: Values.companions,
        keys: Values.keys(named: names).prefix(3).map(\.name))
    else { return nil }
    self.init(fields, only: names)
  }

  /// Reads the value of a key.
  init?(_ field: Field, _ subject: String) { self.init(field.node, subject, field.reading) }

  /// Reads an opened mapping; unknown keys are reported.
  init(_ fields: Fields, only names: [String]? = nil) {
    self.fields = fields
    values = fields.read(Values.self, only: names)
    fields.finish()
  }
}

extension Fields {
  /// Reads the values of a section's keys, which count as known from then on.
  func read<Values: Section>(_ section: Values.Type, only names: [String]? = nil) -> Values {
    var values = section.init()
    read(into: &values, only: names)
    return values
  }

  /// Reads additional keys of a section.
  func read<Values: Section>(into values: inout Values, only names: [String]? = nil) {
    let keys = Values.keys(named: names)
    know(keys.map(\.name))
    for key in keys { key.read(self, &values) }
  }
}
