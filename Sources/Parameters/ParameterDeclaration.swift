/// A model's parameters: a struct whose default values stand in its `init()`, with one declaration per parameter.
///
/// ```swift
/// package struct ShaperParameters: Parameterized {
///   package var target = SimDuration.milliseconds(5)
///   package var gain = 0.25
///   package var mode = Mode.strict
///
///   package init() {}
///
///   package static let parameters: [ParameterDeclaration<Self>] = [
///     .duration("target", \.target, in: .milliseconds(1) ... .seconds(10), "queuing delay aimed at", source: "RFC 8033"),
///     .number("gain", \.gain, in: 0...10, "weight of the distance from the target", source: "our model"),
///     .choice("mode", \.mode, "what happens to excess packets", source: "our model"),
///   ]
/// }
/// ```
///
/// Key, range, default, effect and source stand nowhere else: the scenario reader, the JSON schema and `meetsim list`
/// take them from ``descriptions``.
package protocol Parameterized: Hashable, Sendable {
  /// The defaults.
  init()

  /// The parameters in the order in which they are listed and set.
  static var parameters: [ParameterDeclaration<Self>] { get }
}

extension Parameterized {
  /// The parameters without their owner's type.
  package static var descriptions: [ParameterDescription] { parameters.map(\.description) }

  /// The defaults with some values set.
  package init(_ settings: [ParameterSetting]) {
    self.init()
    set(settings)
  }

  /// Sets values in the order of ``parameters``, whatever their own; a value that ``description`` of its parameter does
  /// not allow is a programmer's mistake.
  package mutating func set(_ settings: [ParameterSetting]) {
    for setting in settings {
      precondition(
        Self.parameters.contains { $0.description.key == setting.key }, "\(Self.self) has no '\(setting.key)'"
      )
    }
    for parameter in Self.parameters {
      for setting in settings where setting.key == parameter.description.key {
        parameter.set(setting.value, &self)
      }
    }
  }

  /// The values of all parameters.
  package var settings: [ParameterSetting] {
    Self.parameters.map { ParameterSetting($0.description.key, $0.get(self)) }
  }
}

/// What a person and a reader need to know of a parameter.
package struct ParameterDescription: Hashable, Sendable {
  /// The key in a scenario.
  package let key: String
  package let kind: ParameterKind
  /// The default as a scenario would state it.
  package let standard: String
  /// A value that may stand there, as text.
  package let example: String
  /// What the parameter does: a clause without a capital or a full stop.
  package let effect: String
  /// Where the default and the range come from.
  package let source: String
}

/// One parameter of a parameters struct: its description, and how it is read and set.
package struct ParameterDeclaration<Owner: Parameterized>: Sendable {
  package let description: ParameterDescription
  package let get: @Sendable (Owner) -> ParameterValue
  package let set: @Sendable (ParameterValue, inout Owner) -> Void

  /// Declares a parameter with its own way of being read and set; most have a factory below.
  ///
  /// - Parameters:
  ///   - example: a value to show in place of the default.
  ///   - set: sets the owner's value; may change others that follow from it, which come later in the list.
  package init(
    _ key: String, _ kind: ParameterKind, _ effect: String, source: String, example: String? = nil,
    get: @escaping @Sendable (Owner) -> ParameterValue,
    set: @escaping @Sendable (ParameterValue, inout Owner) -> Void
  ) {
    let standard = "\(get(Owner()))"
    description = ParameterDescription(
      key: key, kind: kind, standard: standard, example: example ?? standard, effect: effect, source: source)
    self.get = get
    self.set = set
  }
}
