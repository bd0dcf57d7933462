package import Quantity

/// Type and range of a parameter's value.
package enum ParameterKind: Hashable, Sendable {
  /// A bit rate, with an optional keyword for ``Quantity/RateLimit/unlimited``.
  case rate(unlimited: String?)
  /// A duration within these bounds.
  case duration(ClosedRange<SimDuration>)
  /// An amount of data within these bounds.
  case size(ClosedRange<ByteCount>)
  /// A fraction, written in percent.
  case share
  case number(ClosedRange<Double>)
  case integer(ClosedRange<Int>)
  case flag
  /// One of these keywords.
  case choice([String])
}

extension ParameterKind: CustomStringConvertible {
  /// Type and range for display, such as `number from 1.0 to 5.0`.
  package var description: String {
    switch self {
    case .rate(nil): "bit rate"
    case .rate(let word?): "bit rate or \(word)"
    case .duration(let range): "time from \(range.lowerBound) to \(range.upperBound)"
    case .size(let range):
      "size from \(ParameterValue.size(range.lowerBound)) to \(ParameterValue.size(range.upperBound))"
    case .share: "share in percent"
    case .number(let range): "number from \(range.lowerBound) to \(range.upperBound)"
    case .integer(let range): "whole number from \(range.lowerBound) to \(range.upperBound)"
    case .flag: "true or false"
    case .choice(let words): words.joined(separator: ", ")
    }
  }
}

/// A parameter's value.
package enum ParameterValue: Hashable, Sendable {
  case rate(BitRate)
  /// No limit on a rate, if no keyword stands for it.
  case unlimited
  case duration(SimDuration)
  case size(ByteCount)
  case share(Fraction)
  case number(Double)
  case integer(Int)
  case flag(Bool)
  case word(String)
}

extension ParameterValue: CustomStringConvertible {
  /// Value as written in a scenario.
  package var description: String {
    switch self {
    case .rate(let rate): rate.description
    case .unlimited: RateLimit.unlimited.description
    case .duration(let duration): duration.description
    case .size(let size):
      size.bytes > 0 && size.bytes % 1000 == 0 ? "\(size.bytes / 1000) kB" : "\(size.bytes) B"
    case .share(let share): "\((share.value * 1e8).rounded() / 1e6) %"
    case .number(let number): "\(number)"
    case .integer(let integer): "\(integer)"
    case .flag(let flag): "\(flag)"
    case .word(let word): word
    }
  }
}

/// A parameter's key with a value.
package struct ParameterSetting: Hashable, Sendable {
  package var key: String
  package var value: ParameterValue

  package init(_ key: String, _ value: ParameterValue) {
    self.key = key
    self.value = value
  }
}
