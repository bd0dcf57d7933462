import Metrics

/// A whole-run value of a tile in `scalars.csv` that an expectation can refer to.
package struct ExpectationMetric: Hashable, Sendable {
  package var metric: String
  package var stat: String
  /// Meaning, with the unit.
  package var meaning: String

  package static let all: [ExpectationMetric] = ScalarMetric.allCases.map(\.declaration)
    .filter { $0.scopes.contains(.tile) }
    .map { stated in
      let unit = "\(stated.unit)" == "1" ? "" : " [\(stated.unit)]"
      return ExpectationMetric(
        metric: "\(stated.name)", stat: "\(stated.stat)", meaning: stated.meaning + unit)
    }
}
