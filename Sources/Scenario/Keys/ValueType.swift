import JSON
import Ladder
import Parameters
import Quantity
import YAML

/// Type of a value: its shape in the schema, and how a node is read.
struct ValueType<Value>: Sendable {
  private let base: @Sendable () -> Shape
  /// Text at the end of every description, such as a list of units.
  private let suffix: String
  /// Examples for keys that state none.
  private let examples: [String]
  /// Writes a value as it appears in a file.
  let text: @Sendable (Value) -> String
  /// Reads the value of a key; `nil`, with an error reported, for an invalid one.
  let read: @Sendable (Field) -> Value?

  init(
    _ shape: @autoclosure @escaping @Sendable () -> Shape, suffix: String = "", examples: [String] = [],
    text: @escaping @Sendable (Value) -> String = { "\($0)" },
    read: @escaping @Sendable (Field) -> Value?
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

  /// Returns the type of values made from this type's.
  func mapped<Other>(_ make: @escaping @Sendable (Value) -> Other) -> ValueType<Other> {
    ValueType<Other>(base(), suffix: suffix, examples: examples) { [read] field in
      read(field).map(make)
    }
  }

  /// Refers to a definition of this type in the schema.
  static func defined(_ name: String, _ type: ValueType) -> ValueType {
    ValueType(.reference(name), text: type.text, read: type.read)
  }
}

// MARK: Plain values

extension ValueType where Value == String {
  static var text: Self { Self(.anyText) { $0.text } }

  /// One of several keywords.
  static func word(_ words: @autoclosure @escaping @Sendable () -> [String]) -> Self {
    .word { _ in words() }
  }

  /// One of several keywords that depend on the registered models.
  static func word(_ words: @escaping @Sendable (Catalogue) -> [String]) -> Self {
    Self(.word(words(.standard))) { $0.word(among: words($0.reading.catalogue)) }
  }
}

extension ValueType where Value: RawRepresentable<String> & CaseIterable & SendableMetatype {
  /// A case of an enumeration.
  static var choice: Self {
    let words = Value.allCases.map(\.rawValue)
    return Self(.word(Value.self), text: { $0.rawValue }) {
      $0.word(among: words).flatMap { Value(rawValue: $0) }
    }
  }
}

extension ValueType {
  /// One of two words, each with a value; both are named in the message on any other.
  static func either(_ first: (String, Value), or second: (String, Value)) -> Self where Value: Sendable {
    Self(.word([first.0, second.0])) { field in
      guard let text = field.text else { return nil }
      if text == first.0 { return first.1 }
      if text == second.0 { return second.1 }
      field.report("'\(text)' is neither \(first.0) nor \(second.0)")
      return nil
    }
  }
}

extension ValueType where Value == Bool {
  /// A word for on or for off, or a flag.
  static func turned(on: [String], off: [String]) -> Self {
    Self(.any(of: .word(on + off), .flag)) { field in
      guard let text = field.text else { return nil }
      if on.contains(text) { return true }
      if off.contains(text) { return false }
      let isTrue = ["true", "True", "TRUE"].contains(text)
      if isTrue || ["false", "False", "FALSE"].contains(text) { return field.plainText.map { _ in isTrue } }
      let words = (on + off).joined(separator: ", ")
      let meant = ["yes": on, "on": on, "no": off, "off": off][text.lowercased()]?.first
      field.report(
        "'\(text)' is not one of \(words), true or false\(meant.map { ": write '\($0)'" } ?? "")")
      return nil
    }
  }

  static var flag: Self { Self(.flag) { $0.flag } }

  /// `true`; the message on `false` proposes to remove the entry.
  static var yes: Self {
    Self(Shape([("const", .flag(true))])) { field in
      guard let flag = field.flag else { return nil }
      if !flag { field.report("write true, or remove the entry") }
      return flag ? true : nil
    }
  }
}

extension ValueType where Value == Int {
  static func integer(_ range: ClosedRange<Int>) -> Self {
    Self(.integer(range)) { $0.integer(in: range) }
  }
}

extension ValueType where Value == Double {
  static func number(_ range: ClosedRange<Double>) -> Self {
    Self(.number(range)) { $0.number(in: range) }
  }
}

// MARK: Values with a unit

extension ValueType {
  /// A value with a unit.
  ///
  /// - Parameter check: returns what is wrong with a value; `nil` for a valid one.
  static func quantity<E: Error & CustomStringConvertible>(
    _ kind: QuantityKind, _ parse: @escaping @Sendable (String) throws(E) -> Value,
    _ check: @escaping @Sendable (Value, String) -> String? = { _, _ in nil }
  ) -> Self {
    Self(.quantity(kind), suffix: " Units: \(kind.unitList).") { field in
      guard let text = field.text, let value = field.parse(text, parse) else {
        return nil
      }
      guard let problem = check(value, text) else { return value }
      field.report("'\(text)' is \(problem)")
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
  static var pixels: Self { Self(.size) { $0.size() } }
  /// A size in points, or the name of one.
  static var points: Self { Self(.points) { $0.size() } }
}

// MARK: Names and structure

extension ValueType where Value == Name {
  /// A participant's id.
  static var participant: Self {
    Self(Shape.anyText.ofType("participant's id").shown("ann"), examples: ["student-1"]) { $0.name }
  }

  /// Another participant's id.
  static var another: Self {
    Self(
      Shape.anyText.described("Another participant.").examples(.text("student-1")).ofType("participant's id")
        .shown("ann")
    ) { $0.name }
  }

  /// A name of something other than a participant.
  static var name: Self { Self(.anyText) { $0.name } }

  /// A new name of up to 64 letters, digits, `_`, `-` and `.`, which the reader checks.
  static var identifier: Self { Self(.identifier) { $0.name } }
}

extension ValueType where Value == Field {
  /// A value of this shape that is read later, once what it depends on is known.
  static func later(_ shape: @autoclosure @escaping @Sendable () -> Shape) -> Self {
    Self(shape()) { $0 }
  }
}

extension ValueType where Value == [Field] {
  /// A list of values of this shape that are read later, once what they depend on is known.
  static func later(of shape: @autoclosure @escaping @Sendable () -> Shape, atLeast minimum: Int64 = 0)
    -> Self
  {
    Self(.list(of: shape(), atLeast: minimum)) { $0.elements }
  }
}

extension ValueType {
  /// A list; elements that cannot be read are reported and omitted.
  static func list<Element>(of type: ValueType<Element>, atLeast minimum: Int64 = 0) -> Self
  where Value == [Element] {
    Self(.list(of: type.shape, atLeast: minimum)) { $0.elements.compactMap(type.read) }
  }

  /// One value, or a list of them.
  static func oneOrMore<Element>(_ type: ValueType<Element>) -> Self where Value == [Element] {
    Self(.any(of: type.shape, .list(of: type.shape))) { field in
      let isList = if case .sequence = field.node { true } else { false }
      return (isList ? field.elements : [field]).compactMap(type.read)
    }
  }

  /// A mapping with its own section of keys.
  ///
  /// - Parameter subject: its name in messages, given that of the enclosing mapping.
  static func section<Values: Section>(
    _ section: Values.Type, _ subject: @escaping @Sendable (String) -> String
  ) -> Self where Value == Entry<Values> {
    Self(section.shape) { Entry($0, subject($0.mapping.subject)) }
  }

  static func section<Values: Section>(_ section: Values.Type, _ subject: String) -> Self
  where Value == Entry<Values> {
    .section(section) { _ in subject }
  }
}
