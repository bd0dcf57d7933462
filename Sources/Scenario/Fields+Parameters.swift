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
    guard let field = take(key) else { return nil }
    return switch kind {
    case .rate(let unlimited?) where field.node.string == unlimited: .word(unlimited)
    case .rate: ValueType<BitRate>.rate.read(field).map(ParameterValue.rate)
    case .duration(let range):
      ValueType<SimDuration>.duration(atLeast: range.lowerBound, atMost: range.upperBound)
        .read(field).map(ParameterValue.duration)
    case .size(let range): ValueType<ByteCount>.size(range).read(field).map(ParameterValue.size)
    case .share: ValueType<Fraction>.share.read(field).map(ParameterValue.share)
    case .number(let range): field.number(in: range).map(ParameterValue.number)
    case .integer(let range): field.integer(in: range).map(ParameterValue.integer)
    case .flag: field.flag.map(ParameterValue.flag)
    case .choice(let words): field.word(among: words).map(ParameterValue.word)
    }
  }
}
