import Metrics
import Vendors

/// Declaration of a key: its type with unit and range, its default, meaning and examples, and where its value goes.
///
/// Its initializers are not inlined: their code at each of the many keys would take a megabyte of memory, and they are
/// called only once.
struct Key<Values>: Sendable {
  let name: String
  /// Set if the reader reports a mapping without this key.
  let isRequired: Bool
  /// Shape of the value, with meaning, default and notes.
  let shape: @Sendable () -> Shape
  /// Reads the value of the key into a section.
  let read: @Sendable (Fields, inout Values) -> Void

  /// Declares a key whose value is `nil` if the key is absent or invalid.
  ///
  /// - Parameters:
  ///   - meaning: meaning, in one or more sentences; `nil` for the type's.
  ///   - example: value in the message about a missing key; `nil` for a key that may be omitted.
  ///   - standard: meaning of the key's absence, as written in a file.
  ///   - examples: examples of values, as written in a file.
  @inline(never)
  init<Value>(
    _ name: String, _ path: any WritableKeyPath<Values, Value?> & Sendable, _ type: ValueType<Value>,
    _ meaning: @autoclosure @escaping @Sendable () -> String? = nil, required example: String? = nil,
    default standard: @autoclosure @escaping @Sendable () -> String? = nil, examples: [String] = []
  ) {
    self.name = name
    isRequired = example != nil
    shape = { type.shape(meaning(), examples, standard()) }
    read = { fields, values in
      let field = example.map { fields.require(name, example: $0) } ?? fields.field(name)
      if let field { values[keyPath: path] = type.read(field) }
    }
  }

  /// Declares a key whose property keeps its value if the key is absent or invalid.
  @inline(never)
  init<Value>(
    _ name: String, into path: any WritableKeyPath<Values, Value> & Sendable, _ type: ValueType<Value>,
    _ meaning: @autoclosure @escaping @Sendable () -> String? = nil, examples: [String] = []
  ) {
    self.init(name, path, type) { type.shape(meaning(), examples, nil) }
  }

  /// Declares a key whose property initially holds the default.
  ///
  /// - Parameter standard: default as written in a file; `nil` for the property's value as text.
  @inline(never)
  init<Value>(
    _ name: String, default path: any WritableKeyPath<Values, Value> & Sendable, _ type: ValueType<Value>,
    _ meaning: @autoclosure @escaping @Sendable () -> String? = nil, as standard: String? = nil,
    examples: [String] = []
  ) where Values: Section {
    self.init(name, path, type) {
      type.shape(meaning(), examples, standard ?? type.text(Values()[keyPath: path]))
    }
  }

  @inline(never)
  private init<Value>(
    _ name: String, _ path: any WritableKeyPath<Values, Value> & Sendable, _ type: ValueType<Value>,
    shape: @escaping @Sendable () -> Shape
  ) {
    self.name = name
    isRequired = false
    self.shape = shape
    read = { fields, values in
      guard let field = fields.field(name), let value = type.read(field) else { return }
      values[keyPath: path] = value
    }
  }

  private init(_ other: Key, shape: @escaping @Sendable () -> Shape) {
    name = other.name
    isRequired = other.isRequired
    read = other.read
    self.shape = shape
  }
}

/// Notes for the reference and its examples.
extension Key {
  private func noted(_ note: @escaping @Sendable (Shape) -> Shape) -> Key {
    Key(self) { [shape] in note(shape()) }
  }

  /// Sets the example of this key.
  func shown(_ value: @autoclosure @escaping @Sendable () -> String) -> Key { noted { $0.shown(value()) } }

  /// Sets the entries needed beside this key in examples, instead of its section's.
  func beside(_ entries: String) -> Key { noted { $0.beside(entries) } }

  /// Sets the entries that examples of this key need in the scenario.
  func amid(_ entries: @autoclosure @escaping @Sendable () -> String) -> Key { noted { $0.amid(entries()) } }

  /// Sets the elements of this list that come before an example's.
  func after(_ elements: String) -> Key { noted { $0.after(elements) } }

  /// Describes the type in words.
  func ofType(_ words: String) -> Key { noted { $0.ofType(words) } }

  /// Sets the name used in examples of this mapping.
  func named(_ name: String) -> Key { noted { $0.named(name) } }

  /// Limits this key to some systems.
  func ofPolicies(_ names: @autoclosure @escaping @Sendable () -> [String]) -> Key {
    noted { $0.ofPolicies(names()) }
  }

  /// Limits this key to the systems that declare a call, if any do; all systems have the others.
  func ofSystems(calling name: String) -> Key { ofPolicies(Catalogue.standard.systems.names(calling: name)) }
}
