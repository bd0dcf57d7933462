import Metrics
import Parameters
import Quantity
import YAML

extension ParameterKind {
  /// Type of a parameter's values.
  ///
  /// - Parameter examples: examples of values with a unit.
  func type(examples: [String] = []) -> ValueType<ParameterValue> {
    switch self {
    case .rate(let word):
      let rate = ValueType.rate.mapped(ParameterValue.rate).showing(examples)
      guard let word else { return rate }
      return ValueType(.any(of: .word([word]), rate.shape)) {
        $0.node.string == word ? .word(word) : rate.read($0)
      }
    case .duration(let range):
      return ValueType.duration(atLeast: range.lowerBound, atMost: range.upperBound)
        .mapped(ParameterValue.duration).showing(examples)
    case .size(let range): return ValueType.size(range).mapped(ParameterValue.size).showing(examples)
    case .share: return ValueType.share.mapped(ParameterValue.share).showing(examples)
    case .number(let range): return ValueType.number(range).mapped(ParameterValue.number)
    case .integer(let range): return ValueType.integer(range).mapped(ParameterValue.integer)
    case .flag: return ValueType.flag.mapped(ParameterValue.flag)
    case .choice(let words): return ValueType.word(words).mapped(ParameterValue.word)
    }
  }
}

extension ValueType {
  /// Adds examples to the schema of the value itself.
  fileprivate func showing(_ examples: [String]) -> Self {
    Self(shape.adding("examples", .words(examples)), text: text, read: read)
  }
}

extension Fields {
  /// Reads the mapping's parameter values; invalid ones are reported and omitted.
  func settings(of parameters: [ParameterDescription]) -> [ParameterSetting] {
    parameters.compactMap { parameter in
      take(parameter.key).flatMap(parameter.kind.type().read).map { ParameterSetting(parameter.key, $0) }
    }
  }
}
