package import Scenario
package import Statistics

/// Design points of a sweep, before constraints.
package enum SweepDesign {
  /// Counts the points.
  static func count(of file: SweepFile) -> Int {
    switch file.design {
    case .points(let points): return points.count
    case .grid(let groups):
      let followers = Set(groups.flatMap { $0.dropFirst() })
      return product(
        file.variables.enumerated().filter { !followers.contains($0.offset) }.map(\.element.values.count))
    case .sample(_, let count, _):
      return product([count] + file.variables.map { max(1, $0.values.count) })
    }
  }

  private static func product(_ counts: [Int]) -> Int {
    counts.reduce(1) { $0.multipliedReportingOverflow(by: $1).overflow ? .max : $0 * $1 }
  }

  /// Generates the points, each with one value per variable; the last variable varies fastest.
  package static func points(of file: SweepFile) throws(DesignError) -> [[SweepValue]] {
    switch file.design {
    case .points(let points): return points
    case .grid(let groups):
      return grid(
        file.variables, groups, from: [file.variables.map { $0.values.first ?? SweepValue(text: "") }])
    case .sample(let method, let count, let seed):
      let sampled = file.variables.indices.filter { file.variables[$0].values.isEmpty }
      let shares: [[Double]]
      switch method {
      case .latinHypercube:
        shares = try LatinHypercube.points(count: count, dimensions: sampled.count, seed: seed)
      case .sobol: shares = try ScrambledSobol.points(count: count, dimensions: sampled.count, seed: seed)
      }
      let samples = shares.map { shares in
        var point = file.variables.map { $0.values.first ?? SweepValue(text: "") }
        for (index, share) in zip(sampled, shares) {
          if let range = file.variables[index].range { point[index] = range.value(at: share) }
        }
        return point
      }
      return grid(file.variables, [], from: samples)
    }
  }

  /// Generates all combinations; the variables of a zipped group advance together.
  private static func grid(
    _ variables: [SweepVariable], _ groups: [[Int]], from points: [[SweepValue]]
  ) -> [[SweepValue]] {
    var points = points
    var done: Set<Int> = []
    for index in variables.indices where !done.contains(index) && !variables[index].values.isEmpty {
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
