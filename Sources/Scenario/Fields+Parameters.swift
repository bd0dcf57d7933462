import Parameters
import Quantity
import YAML

/// Reading of parameters by their declarations.
extension Fields {
  /// Reads the mapping's values for parameters; invalid ones are reported and omitted.
  func settings(of parameters: [ParameterDescription]) -> [ParameterSetting] {
    parameters.compactMap { parameter in
      value(parameter.key, of: parameter.kind).map { ParameterSetting(parameter.key, $0) }
    }
  }

  private func value(_ key: String, of kind: ParameterKind) -> ParameterValue? {
    guard let node = take(key) else { return nil }
    return switch kind {
    case .rate(let unlimited?) where node.string == unlimited: .word(unlimited)
    case .rate: ValueType<BitRate>.rate.read(node, key, self).map(ParameterValue.rate)
    case .duration(let range):
      ValueType<SimDuration>.duration(atLeast: range.lowerBound, atMost: range.upperBound)
        .read(node, key, self).map(ParameterValue.duration)
    case .size(let range): ValueType<ByteCount>.size(range).read(node, key, self).map(ParameterValue.size)
    case .share: ValueType<Fraction>.share.read(node, key, self).map(ParameterValue.share)
    case .number(let range): number(of: node, key, in: range).map(ParameterValue.number)
    case .integer(let range): integer(of: node, key, in: range).map(ParameterValue.integer)
    case .flag: flag(of: node, key).map(ParameterValue.flag)
    case .choice(let words): ValueType.word(words).read(node, key, self).map(ParameterValue.word)
    }
  }
}
