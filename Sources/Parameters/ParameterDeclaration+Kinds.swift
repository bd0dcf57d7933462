package import Quantity

/// Declarations of parameters that are stored properties of their owner.
extension ParameterDeclaration {
  /// Declares a bit rate.
  package static func rate(
    _ key: String, _ path: any WritableKeyPath<Owner, BitRate> & Sendable, _ effect: String, source: String,
    example: String? = nil
  ) -> Self {
    Self(key, .rate(unlimited: nil), effect, source: source, example: example) {
      .rate($0[keyPath: path])
    } set: {
      guard case .rate(let rate) = $0 else { mismatch(key, $0) }
      $1[keyPath: path] = rate
    }
  }

  /// Declares a limit on a bit rate.
  ///
  /// - Parameter word: keyword for ``Quantity/RateLimit/unlimited``, such as `none`; `nil` if omitting the limit means
  ///   that.
  package static func limit(
    _ key: String, _ path: any WritableKeyPath<Owner, RateLimit> & Sendable, unlimited word: String? = nil,
    _ effect: String, source: String, example: String? = nil
  ) -> Self {
    Self(key, .rate(unlimited: word), effect, source: source, example: example) {
      $0[keyPath: path].rate.map(ParameterValue.rate) ?? word.map(ParameterValue.word) ?? .unlimited
    } set: {
      switch $0 {
      case .rate(let rate): $1[keyPath: path] = RateLimit(rate)
      case .word(let other) where other == word: $1[keyPath: path] = .unlimited
      case .unlimited where word == nil: $1[keyPath: path] = .unlimited
      default: mismatch(key, $0)
      }
    }
  }

  /// Declares a duration, at most one day unless a range is given.
  package static func duration(
    _ key: String, _ path: any WritableKeyPath<Owner, SimDuration> & Sendable,
    in range: ClosedRange<SimDuration> = .zero ... .seconds(86_400), _ effect: String, source: String,
    example: String? = nil
  ) -> Self {
    Self(key, .duration(range), effect, source: source, example: example) {
      .duration($0[keyPath: path])
    } set: {
      guard case .duration(let value) = $0 else { mismatch(key, $0) }
      $1[keyPath: path] = value
    }
  }

  /// Declares an amount of data.
  package static func size(
    _ key: String, _ path: any WritableKeyPath<Owner, ByteCount> & Sendable, in range: ClosedRange<ByteCount>,
    _ effect: String, source: String, example: String? = nil
  ) -> Self {
    Self(key, .size(range), effect, source: source, example: example) {
      .size($0[keyPath: path])
    } set: {
      guard case .size(let value) = $0 else { mismatch(key, $0) }
      $1[keyPath: path] = value
    }
  }

  /// Declares a fraction, written in percent.
  package static func share(
    _ key: String, _ path: any WritableKeyPath<Owner, Fraction> & Sendable, _ effect: String, source: String
  ) -> Self {
    Self(key, .share, effect, source: source) {
      .share($0[keyPath: path])
    } set: {
      guard case .share(let value) = $0 else { mismatch(key, $0) }
      $1[keyPath: path] = value
    }
  }

  /// Declares a dimensionless number.
  package static func number(
    _ key: String, _ path: any WritableKeyPath<Owner, Double> & Sendable, in range: ClosedRange<Double>,
    _ effect: String, source: String
  ) -> Self {
    Self(key, .number(range), effect, source: source) {
      .number($0[keyPath: path])
    } set: {
      guard case .number(let value) = $0 else { mismatch(key, $0) }
      $1[keyPath: path] = value
    }
  }

  /// Declares a whole number.
  package static func integer(
    _ key: String, _ path: any WritableKeyPath<Owner, Int> & Sendable, in range: ClosedRange<Int>,
    _ effect: String, source: String
  ) -> Self {
    Self(key, .integer(range), effect, source: source) {
      .integer($0[keyPath: path])
    } set: {
      guard case .integer(let value) = $0 else { mismatch(key, $0) }
      $1[keyPath: path] = value
    }
  }

  /// Declares a Boolean.
  package static func flag(
    _ key: String, _ path: any WritableKeyPath<Owner, Bool> & Sendable, _ effect: String, source: String
  ) -> Self {
    Self(key, .flag, effect, source: source) {
      .flag($0[keyPath: path])
    } set: {
      guard case .flag(let value) = $0 else { mismatch(key, $0) }
      $1[keyPath: path] = value
    }
  }

  /// Declares a choice among the cases of an enumeration, by raw value.
  package static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ key: String, _ path: any WritableKeyPath<Owner, Choice> & Sendable, _ effect: String, source: String
  ) -> Self {
    Self(key, .choice(Choice.allCases.map(\.rawValue)), effect, source: source) {
      .word($0[keyPath: path].rawValue)
    } set: {
      guard case .word(let word) = $0, let value = Choice(rawValue: word) else { mismatch(key, $0) }
      $1[keyPath: path] = value
    }
  }

  /// Declares a choice among keywords, each with a value.
  package static func choice<Value: Equatable & Sendable>(
    _ key: String, _ path: any WritableKeyPath<Owner, Value> & Sendable,
    of words: [(word: String, value: Value)],
    _ effect: String, source: String
  ) -> Self {
    Self(key, .choice(words.map(\.word)), effect, source: source) { owner in
      guard let entry = words.first(where: { $0.value == owner[keyPath: path] }) else {
        preconditionFailure("\(key) has no word for \(owner[keyPath: path])")
      }
      return .word(entry.word)
    } set: { value, owner in
      guard let entry = words.first(where: { .word($0.word) == value }) else { mismatch(key, value) }
      owner[keyPath: path] = entry.value
    }
  }

  /// Exposes a parameter of a nested struct as one of its owner's.
  package static func part<Part: Parameterized>(
    _ path: any WritableKeyPath<Owner, Part> & Sendable, _ own: ParameterDeclaration<Part>
  ) -> Self {
    let description = own.description
    return Self(
      description.key, description.kind, description.effect, source: description.source,
      example: description.example
    ) {
      own.get($0[keyPath: path])
    } set: {
      own.set($0, &$1[keyPath: path])
    }
  }

  private static func mismatch(_ key: String, _ value: ParameterValue) -> Never {
    preconditionFailure("\(Owner.self).\(key) cannot be \(value)")
  }
}
