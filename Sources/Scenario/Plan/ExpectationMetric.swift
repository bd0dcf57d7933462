import Files
package import Metrics

/// A whole-run value in `scalars.csv` that an expectation can refer to.
package struct ExpectationMetric: Hashable, Sendable {
  package var scope: ScalarMetric.Scope
  package var metric: String
  package var stat: String
  package var direction: ScalarRow.Direction
  /// Meaning, including the unit.
  package var meaning: String

  package static let all: [ExpectationMetric] = ScalarMetric.allCases.map(\.declaration).flatMap { stated in
    stated.scopes.map { scope in
      let unit = "\(stated.unit)" == "1" ? "" : " [\(stated.unit)]"
      return ExpectationMetric(
        scope: scope, metric: "\(stated.name)", stat: "\(stated.stat)", direction: stated.direction,
        meaning: stated.meaning + unit)
    }
  }

  /// Returns everything that an expectation can name as its metric, without duplicates: metrics, then columns.
  package static func names(of scope: ScalarMetric.Scope? = nil) -> [String] {
    let metrics = all.filter { scope == nil || $0.scope == scope }.map(\.metric)
    let columns = ExpectationColumn.all.filter { scope == nil || $0.scope == scope }.flatMap(\.names)
    return (metrics + columns).uniqued()
  }
}

/// A column of an interval table that an expectation can refer to.
package struct ExpectationColumn: Hashable, Sendable {
  package var scope: ScalarMetric.Scope
  package var name: String
  package var unit: String

  package static let all: [ExpectationColumn] = ScalarMetric.Scope.allCases.flatMap { scope in
    (scope.intervalTable?.columns ?? []).filter { $0.type != .string && $0.name != "time_s" }.map {
      ExpectationColumn(scope: scope, name: $0.name, unit: $0.unit?.rawValue ?? "1")
    }
  }

  /// Name of the column with and without the unit.
  var names: [String] {
    let suffix = ["_px", "_bps", "_s", "_frac"].first { name.hasSuffix($0) && !name.hasSuffix("_per_s") }
    return suffix.map { [String(name.dropLast($0.count)), name] } ?? [name]
  }

  func answers(to metric: String) -> Bool { names.contains(metric) }
}
