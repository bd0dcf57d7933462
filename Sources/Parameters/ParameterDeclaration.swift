/// Parameters of a model: a struct with default values and one declaration per parameter.
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
///     .duration("target", \.target, in: .milliseconds(1) ... .seconds(10), "target queuing delay",
///       source: "RFC 8033"),
///     .number("gain", \.gain, in: 0...10, "weight of the deviation from the target", source: "our model"),
///     .choice("mode", \.mode, "treatment of excess packets", source: "our model"),
///   ]
/// }
/// ```
///
/// The declarations are the only source of keys, ranges, defaults, effects and sources: the scenario reader, the JSON
/// schema and `meetsim list` take them from ``descriptions``.
package protocol Parameterized: Hashable, Sendable {
  /// Creates the default values.
  init()

  /// Declarations, in the order in which parameters are listed and set.
  static var parameters: [ParameterDeclaration<Self>] { get }
}

extension Parameterized {
  /// Descriptions of the parameters.
  package static var descriptions: [ParameterDescription] { parameters.map(\.description) }

  /// Descriptions of the parameters, with these values as defaults.
  package var descriptions: [ParameterDescription] {
    Self.parameters.map { $0.description.withDefault("\($0.get(self))") }
  }

  /// Creates the defaults with some values set.
  package init(_ settings: [ParameterSetting]) {
    self.init()
    set(settings)
  }

  /// Creates the defaults with some values set, ignoring keys of other structs.
  package init(among settings: [ParameterSetting]) { self = Self().with(settings) }

  /// Returns a copy with some values set, ignoring keys of other structs.
  package func with(_ settings: [ParameterSetting]) -> Self {
    let keys = Set(Self.descriptions.map(\.key))
    var result = self
    result.set(settings.filter { keys.contains($0.key) })
    return result
  }

  /// Sets values in the order of ``parameters``, regardless of the order of `settings`.
  ///
  /// - Precondition: each key exists, and its value is within the parameter's ``ParameterDescription/kind``.
  package mutating func set(_ settings: [ParameterSetting]) {
    for setting in settings {
      precondition(
        Self.parameters.contains { $0.description.key == setting.key },
        "\(Self.self) has no parameter '\(setting.key)'"
      )
    }
    for parameter in Self.parameters {
      for setting in settings where setting.key == parameter.description.key {
        parameter.set(setting.value, &self)
      }
    }
  }

  /// Values of all parameters.
  package var settings: [ParameterSetting] {
    Self.parameters.map { ParameterSetting($0.description.key, $0.get(self)) }
  }
}

/// Description of a parameter, for the scenario reader and the documentation.
package struct ParameterDescription: Hashable, Sendable {
  /// Key in a scenario.
  package let key: String
  package let kind: ParameterKind
  /// Default, as written in a scenario.
  package private(set) var standard: String
  /// Example of a valid value, as written in a scenario.
  package private(set) var example: String
  /// Effect of the parameter: a phrase without a capital or a full stop.
  package private(set) var effect: String
  /// Source of the default and the range.
  package let source: String

  /// Returns the description with a note on the effect.
  package func noting(_ note: String) -> Self {
    var copy = self
    copy.effect += " (\(note))"
    return copy
  }

  fileprivate func withDefault(_ other: String) -> Self {
    var copy = self
    if example == standard { copy.example = other }
    copy.standard = other
    return copy
  }
}

/// One parameter of a parameters struct: its description, getter and setter.
package struct ParameterDeclaration<Owner: Parameterized>: Sendable {
  package let description: ParameterDescription
  package let get: @Sendable (Owner) -> ParameterValue
  package let set: @Sendable (ParameterValue, inout Owner) -> Void

  /// Declares a parameter with a custom getter and setter; stored properties use the factory methods.
  ///
  /// - Parameters:
  ///   - example: value shown instead of the default.
  ///   - set: sets the owner's value; may also change parameters later in the list.
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
