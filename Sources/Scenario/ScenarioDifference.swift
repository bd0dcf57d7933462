import YAML

/// A key whose value differs between two scenarios.
package struct ScenarioDifference: Equatable, Sendable {
  /// Path of the key, as for `--set`.
  package let path: String
  /// Values as YAML; `nil` where a scenario does not have the key.
  package let base: String?
  package let new: String?

  package init(path: String, base: String?, new: String?) {
    self.path = path
    self.base = base
    self.new = new
  }

  /// Returns the differences between two scenarios or sweeps in YAML, in the order of the first; empty if either text
  /// cannot be read.
  package static func between(_ base: String, _ new: String) -> [ScenarioDifference] {
    guard let base = try? Composer.compose(base), let new = try? Composer.compose(new) else { return [] }
    return between(base, new, at: "")
  }

  private static func between(_ base: Node?, _ new: Node?, at path: String) -> [ScenarioDifference] {
    let (old, now) = (base.map(parts), new.map(parts))
    guard let old = old ?? nil, let now = now ?? nil else {
      let texts = [base, new].map { $0.map(FlowYAML.text(of:)) }
      return texts[0] == texts[1] ? [] : [ScenarioDifference(path: path, base: texts[0], new: texts[1])]
    }
    let added = now.map(\.key).filter { key in !old.contains { $0.key == key } }
    return (old.map(\.key) + added).flatMap { key in
      between(
        old.first { $0.key == key }?.value, now.first { $0.key == key }?.value,
        at: path.isEmpty ? key : "\(path).\(key)")
    }
  }

  /// Returns the values in a node, keyed as in a path; `nil` for a scalar, and for a list whose elements have no ids.
  private static func parts(of node: Node) -> [(key: String, value: Node)]? {
    switch node {
    case .scalar: return nil
    case .mapping(let mapping): return mapping.elements.map { ($0.key.string ?? "", $0.value) }
    case .sequence(let sequence):
      var named: [(key: String, value: Node)] = []
      for element in sequence.elements {
        guard case .mapping(let mapping) = element, let id = mapping["id"]?.string else { return nil }
        named.append((id, element))
      }
      return named
    }
  }
}
