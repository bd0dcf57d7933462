import Ladder
import Metrics
import Parameters
import Quantity
import YAML

/// Type of a value: its shape in the schema, and how a node is read.
struct ValueType<Value>: Sendable {
  private let base: @Sendable () -> Shape
  /// End of every description, such as a list of units.
  private let suffix: String
  /// Examples of keys that state none.
  private let examples: [String]
  /// Writes a value as in a file.
  let text: @Sendable (Value) -> String
  /// Reads the value of a key; `nil`, with an error reported, for an invalid one.
  let read: @Sendable (Node, String, Fields) -> Value?

  init(
    _ shape: @autoclosure @escaping @Sendable () -> Shape, suffix: String = "", examples: [String] = [],
    text: @escaping @Sendable (Value) -> String = { "\($0)" },
    read: @escaping @Sendable (Node, String, Fields) -> Value?
  ) {
    base = shape
    self.suffix = suffix
    self.examples = examples
    self.text = text
    self.read = read
  }

  /// Shape of a value by itself.
  var shape: Shape { base() }

  /// Shape of the value of a key.
  func shape(_ meaning: String?, _ examples: [String], _ standard: String?) -> Shape {
    var shape = base()
    if let meaning { shape = shape.described(meaning + suffix) }
    let shown = examples.isEmpty ? self.examples : examples
    if !shown.isEmpty { shape = shape.adding("examples", .list(shown.map { JSONValue(yaml: $0) })) }
    return standard.map { shape.withDefault(JSONValue(yaml: $0)) } ?? shape
  }

  /// Type of what is made of this type's values.
  func mapped<Other>(_ make: @escaping @Sendable (Value) -> Other) -> ValueType<Other> {
    ValueType<Other>(base(), suffix: suffix, examples: examples) { [read] node, key, fields in
      read(node, key, fields).map(make)
    }
  }

  /// Refers to a definition of the schema, which has this type.
  static func defined(_ name: String, _ type: ValueType) -> ValueType {
    ValueType(.reference(name), text: type.text, read: type.read)
  }
}

// MARK: Plain values

extension ValueType where Value == String {
  static var text: Self { Self(.anyText) { $2.text(of: $0, $1) } }

  /// One of several keywords.
  static func word(_ words: @autoclosure @escaping @Sendable () -> [String]) -> Self {
    .word { _ in words() }
  }

  /// One of several keywords that depend on the registered models.
  static func word(_ words: @escaping @Sendable (Catalogue) -> [String]) -> Self {
    Self(.word(words(.standard))) { node, key, fields in
      fields.text(of: node, key).flatMap {
        fields.word(node, key, $0, among: words(fields.reading.catalogue))
      }
    }
  }
}

extension ValueType where Value: RawRepresentable<String> & CaseIterable {
  /// A case of an enumeration.
  static var choice: Self {
    Self(.word(Value.self), text: { $0.rawValue }) { node, key, fields in
      fields.text(of: node, key).flatMap { fields.choice(node, key, $0, Value.self) }
    }
  }
}

extension ValueType {
  /// One of two words, for the message on a third; each has a value.
  static func either(_ first: (String, Value), or second: (String, Value)) -> Self where Value: Sendable {
    Self(.word([first.0, second.0])) { node, key, fields in
      guard let text = fields.text(of: node, key) else { return nil }
      if text == first.0 { return first.1 }
      if text == second.0 { return second.1 }
      fields.report(node, "\(key): '\(text)' is neither \(first.0) nor \(second.0)")
      return nil
    }
  }
}

extension ValueType where Value == Bool {
  static var flag: Self { Self(.flag) { $2.flag(of: $0, $1) } }

  /// `true`; the message on `false` proposes to remove the entry.
  static var yes: Self {
    Self(Shape([("const", .flag(true))])) { node, key, fields in
      guard let flag = fields.flag(of: node, key) else { return nil }
      if !flag { fields.report(node, "\(key): write true, or remove the entry") }
      return flag ? true : nil
    }
  }
}

extension ValueType where Value == Int {
  static func integer(_ range: ClosedRange<Int>) -> Self {
    Self(.integer(range)) { $2.integer(of: $0, $1, in: range) }
  }
}

extension ValueType where Value == Double {
  static func number(_ range: ClosedRange<Double>) -> Self {
    Self(.number(range)) { $2.number(of: $0, $1, in: range) }
  }
}

// MARK: Values with a unit

extension ValueType {
  /// A value with a unit.
  ///
  /// - Parameter check: returns the problem with a value; `nil` for a valid one.
  static func quantity<E: Error & CustomStringConvertible>(
    _ kind: QuantityKind, _ parse: @escaping @Sendable (String) throws(E) -> Value,
    _ check: @escaping @Sendable (Value, String) -> String? = { _, _ in nil }
  ) -> Self {
    Self(.quantity(kind), suffix: " Units: \(kind.unitList).") { node, key, fields in
      guard let text = fields.text(of: node, key), let value = fields.parse(node, key, text, parse) else {
        return nil
      }
      guard let problem = check(value, text) else { return value }
      fields.report(node, "\(key): '\(text)' is \(problem)")
      return nil
    }
  }
}

extension ValueType where Value == SimDuration {
  static var duration: Self { duration() }

  static func duration(
    atLeast least: SimDuration = .zero, atMost limit: SimDuration = .seconds(86_400)
  ) -> Self {
    quantity(.duration, SimDuration.init(text:)) { value, _ in
      value > limit
        ? "too long: at most \(limit)" : value < least ? "too short: at least \(least)" : nil
    }
  }
}

extension ValueType where Value == BitRate {
  static var rate: Self { quantity(.bitRate, BitRate.init(text:)) }
}

extension ValueType where Value == Fraction {
  static var share: Self { quantity(.fraction, Fraction.init(text:)) }
}

extension ValueType where Value == ByteCount {
  static func size(_ range: ClosedRange<ByteCount>) -> Self {
    quantity(.byteCount, ByteCount.init(text:)) { value, _ in
      if value > range.upperBound { return "too large: at most \(ParameterValue.size(range.upperBound))" }
      return value < range.lowerBound
        ? "too small: at least \(ParameterValue.size(range.lowerBound))" : nil
    }
  }
}

extension ValueType where Value == Resolution {
  /// A size in pixels, or the name of one.
  static var pixels: Self { Self(.size) { $2.size(of: $0, $1) } }
  /// A size in points, or the name of one.
  static var points: Self { Self(.points) { $2.size(of: $0, $1) } }
}

// MARK: Names and structure

/// A name that refers to something else in the file, with its position for messages.
struct Name {
  let text: String
  let node: Node
  let key: String
  let fields: Fields

  func report(_ message: String) { fields.report(node, "\(key): \(message)") }
}

extension ValueType where Value == Name {
  /// A participant's id.
  static var participant: Self {
    Self(Shape.anyText.ofType("participant's id").shown("ann"), examples: ["student-1"], read: Self.named)
  }

  /// Another participant's id.
  static var another: Self {
    Self(
      Shape.anyText.described("Another participant.").examples(.text("student-1")).ofType("participant's id")
        .shown("ann"), read: Self.named)
  }

  /// A name of something else.
  static var name: Self { Self(.anyText, read: Self.named) }

  /// A new name of up to 64 letters, digits, `_`, `-` and `.`, which the reader checks.
  static var identifier: Self { Self(.identifier, read: Self.named) }

  @Sendable private static func named(_ node: Node, _ key: String, _ fields: Fields) -> Name? {
    fields.text(of: node, key).map { Name(text: $0, node: node, key: key, fields: fields) }
  }
}

extension ValueType where Value == Node {
  /// A value of this shape that is read later, when what it depends on is known.
  static func later(_ shape: @autoclosure @escaping @Sendable () -> Shape) -> Self {
    Self(shape()) { node, _, _ in node }
  }
}

extension ValueType where Value == [Node] {
  /// A list of values of this shape that are read later, when what they depend on is known.
  static func later(of shape: @autoclosure @escaping @Sendable () -> Shape, atLeast minimum: Int64 = 0)
    -> Self
  {
    Self(.list(of: shape(), atLeast: minimum)) { $2.elements(of: $0, $1) }
  }
}

extension ValueType {
  /// A list; elements that cannot be read are reported and omitted.
  static func list<Element>(of type: ValueType<Element>, atLeast minimum: Int64 = 0) -> Self
  where Value == [Element] {
    Self(.list(of: type.shape, atLeast: minimum)) { node, key, fields in
      fields.elements(of: node, key).compactMap { type.read($0, key, fields) }
    }
  }

  /// One value, or a list of them.
  static func oneOrMore<Element>(_ type: ValueType<Element>) -> Self where Value == [Element] {
    Self(.any(of: type.shape, .list(of: type.shape))) { node, key, fields in
      let nodes = if case .sequence(let sequence) = node { Array(sequence) } else { [node] }
      return nodes.compactMap { type.read($0, key, fields) }
    }
  }

  /// A mapping with keys of its own.
  ///
  /// - Parameter subject: its name in messages, from that of the mapping around it.
  static func section<Values: Section>(
    _ section: Values.Type, _ subject: @escaping @Sendable (String) -> String
  ) -> Self where Value == Entry<Values> {
    Self(section.shape) { node, _, fields in Entry(node, subject(fields.subject), fields.reading) }
  }

  static func section<Values: Section>(_ section: Values.Type, _ subject: String) -> Self
  where Value == Entry<Values> {
    .section(section) { _ in subject }
  }
}
