import Scenario
import Statistics

/// The points of a sweep, before constraints.
enum SweepDesign {
  /// A value per variable for each point; the last variable changes fastest.
  static func points(of file: SweepFile) -> [[SweepValue]] {
    switch file.design {
    case .points(let points): return points
    case .grid(let groups): return grid(file.variables, groups)
    case .sample: return []
    }
  }

  /// Every combination, where the variables of a group take their values together.
  private static func grid(_ variables: [SweepVariable], _ groups: [[Int]]) -> [[SweepValue]] {
    var points: [[SweepValue]] = [variables.map { $0.values.first ?? SweepValue(text: "") }]
    var done: Set<Int> = []
    for index in variables.indices where !done.contains(index) {
      let members = groups.first { $0.contains(index) } ?? [index]
      done.formUnion(members)
      points = points.flatMap { point in
        variables[index].values.indices.map { place in
          var next = point
          for member in members { next[member] = variables[member].values[place] }
          return next
        }
      }
    }
    return points
  }
}
