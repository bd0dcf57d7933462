import Parameters
import Quantity

/// Reading of parameters by their declarations.
extension Fields {
  /// Sets a model's parameters from the mapping.
  func set<Owner: Parameterized>(_ owner: inout Owner) { owner.set(settings(of: Owner.descriptions)) }

  /// Reads the mapping's values for parameters; invalid ones are reported and omitted.
  func settings(of parameters: [ParameterDescription]) -> [ParameterSetting] {
    parameters.compactMap { parameter in
      value(parameter.key, of: parameter.kind).map { ParameterSetting(parameter.key, $0) }
    }
  }

  private func value(_ key: String, of kind: ParameterKind) -> ParameterValue? {
    switch kind {
    case .rate(let unlimited):
      guard let node = take(key), let text = text(of: node, key) else { return nil }
      if let unlimited, text == unlimited { return .word(text) }
      return parse(node, key, text, BitRate.init(text:)).map(ParameterValue.rate)
    case .duration(let range):
      return duration(key, atLeast: range.lowerBound, atMost: range.upperBound).map(ParameterValue.duration)
    case .size(let range): return size(key, in: range).map(ParameterValue.size)
    case .share: return share(key).map(ParameterValue.share)
    case .number(let range): return number(key, in: range).map(ParameterValue.number)
    case .integer(let range): return integer(key, in: range).map(ParameterValue.integer)
    case .flag: return flag(key).map(ParameterValue.flag)
    case .choice(let words): return word(key, among: words).map(ParameterValue.word)
    }
  }

  private func size(_ key: String, in range: ClosedRange<ByteCount>) -> ByteCount? {
    guard let node = take(key), let text = text(of: node, key),
      let size = parse(node, key, text, ByteCount.init(text:))
    else { return nil }
    guard size <= range.upperBound else {
      report(node, "\(key): '\(text)' is too large: at most \(ParameterValue.size(range.upperBound))")
      return nil
    }
    guard size >= range.lowerBound else {
      report(node, "\(key): '\(text)' is too small: at least \(ParameterValue.size(range.lowerBound))")
      return nil
    }
    return size
  }
}
