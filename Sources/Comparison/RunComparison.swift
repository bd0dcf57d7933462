import Metrics
package import ResultReading

/// Changes between two single runs; there is no significance test, as one run gives no variance.
package struct RunComparison: Sendable {
  package enum Change: String, CaseIterable, Sendable { case worse, vanished, better, appeared, changed }

  package struct Row: Sendable {
    package let key: ScalarKey
    /// Values of both runs; `nil` if the run has no such value.
    package let base: Double?
    package let new: Double?
    package let change: Change

    /// Difference as a share of BASE's value; `nil` if that is missing or zero.
    package var relative: Double? {
      guard let base, let new, base != 0 else { return nil }
      return (new - base) / abs(base)
    }
  }

  /// Changes of at least the minimum effect: regressions first, then by decreasing share.
  package let rows: [Row]
  /// Number of values whose change is below the minimum effect.
  package let unchanged: Int

  /// - Parameter minimumEffect: smallest change to list, as a share of BASE's value.
  package init(base: Results, new: Results, minimumEffect: Double) {
    let (base, new) = (base.scalars.withoutHolders, new.scalars.withoutHolders)
    let newValues = Dictionary(zip(new.keys, new.values)) { first, _ in first }
    let baseKeys = Set(base.keys)
    var rows: [Row] = []
    var unchanged = 0
    func add(_ key: ScalarKey, _ base: Double?, _ new: Double?) {
      guard let change = Self.change(key, base, new, minimumEffect) else {
        unchanged += 1
        return
      }
      rows.append(Row(key: key, base: base, new: new, change: change))
    }
    for (key, values) in zip(base.keys, base.values) {
      add(key, Self.value(values), newValues[key].flatMap(Self.value))
    }
    for (key, values) in zip(new.keys, new.values) where !baseKeys.contains(key) {
      add(key, nil, Self.value(values))
    }
    let order = Dictionary(uniqueKeysWithValues: zip(Change.allCases, 0...))
    self.rows = rows.enumerated().sorted { a, b in
      let ranks = [a, b].map {
        (order[$0.element.change] ?? 0, -abs($0.element.relative ?? .infinity), $0.offset)
      }
      return ranks[0] < ranks[1]
    }.map(\.element)
    self.unchanged = unchanged
  }

  private static func value(_ values: [Double]) -> Double? { values.first.flatMap { $0.isNaN ? nil : $0 } }

  private static func change(
    _ key: ScalarKey, _ base: Double?, _ new: Double?, _ minimumEffect: Double
  ) -> Change? {
    guard let base else { return new == nil ? nil : .appeared }
    guard let new else { return .vanished }
    guard base != new, abs(new - base) >= minimumEffect * abs(base) else { return nil }
    switch key.direction {
    case .neither: return .changed
    case .bigger: return new > base ? .better : .worse
    case .smaller: return new < base ? .better : .worse
    }
  }
}
