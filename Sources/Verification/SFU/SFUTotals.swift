/// Number of checks that hold, by measure.
package struct SFUTotals: Equatable, Sendable {
  private var held: [Int] = Measure.allCases.map { _ in 0 }
  private var all: [Int] = Measure.allCases.map { _ in 0 }

  package init(of comparisons: [CourseComparison]) {
    for check in comparisons.flatMap(\.checks) {
      guard let place = Measure.allCases.firstIndex(of: check.measure) else { continue }
      held[place] += check.holds ? 1 : 0
      all[place] += 1
    }
  }

  package var heldCount: Int { held.reduce(0, +) }
  package var count: Int { all.reduce(0, +) }

  /// Checks whether a measure was compared.
  package func has(_ measure: Measure) -> Bool {
    Measure.allCases.firstIndex(of: measure).map { all[$0] > 0 } ?? false
  }

  /// Total, such as `130 of 169`.
  package var text: String { "\(heldCount) of \(count)" }

  /// Formats the count of a measure, such as `20 of 26`.
  package func text(of measure: Measure) -> String {
    guard let place = Measure.allCases.firstIndex(of: measure) else { return "-" }
    return "\(held[place]) of \(all[place])"
  }
}
