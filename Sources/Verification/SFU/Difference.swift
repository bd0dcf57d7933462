/// Difference of a measure between two recordings that differ in one respect, such as the estimator, and between their
/// simulations.
package struct Difference: Sendable {
  package enum Verdict: String, Sendable {
    /// The simulations differ in the same direction.
    case pass
    case fail
    /// Repetitions of one recording differ by as much.
    case undecided
  }

  /// Names of the two recordings.
  package let first: String
  package let second: String
  package let measure: Measure
  /// Differences of the second from the first.
  package let recorded: Double
  package let simulated: Double
  /// Largest difference between two repetitions.
  package let noise: Double

  package var verdict: Verdict {
    guard abs(recorded) > noise else { return .undecided }
    return recorded * simulated > 0 ? .pass : .fail
  }

  /// Measures to compare: settled rate, height and frame rate, and time until all tiles are shown.
  package static let measures: [Measure] = [.kbps, .height, .fps, .allShown]

  /// Finds pairs of names that differ only in the estimator (`remb`, `send`) or in the requested size (`n4`, `n4hd`).
  package static func pairs(of names: [String]) -> [(first: String, second: String)] {
    var pairs: [(String, String)] = []
    for name in names where name.hasPrefix("remb-") {
      let other = "send-" + name.dropFirst("remb-".count)
      if names.contains(other) { pairs.append((name, other)) }
    }
    for name in names {
      var parts = name.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      guard let place = parts.firstIndex(where: isCount) else { continue }
      parts[place] += "hd"
      let other = parts.joined(separator: "-")
      if names.contains(other) { pairs.append((name, other)) }
    }
    return pairs
  }

  /// Recognizes a number of publishers in a name, such as `n4`.
  private static func isCount(_ part: String) -> Bool {
    part.first == "n" && part.count > 1 && part.dropFirst().allSatisfy { "0"..."9" ~= $0 }
  }

  /// Returns the differences of all pairs.
  ///
  /// - Parameters:
  ///   - simulated: recordings by name, with their simulations.
  ///   - repetitions: comparisons of recordings with their repetitions; without these, no difference can be judged.
  package static func all(
    of simulated: [(name: String, comparison: CourseComparison)], repetitions: [CourseComparison]
  ) -> [Difference] {
    guard !repetitions.isEmpty else { return [] }
    var differences: [Difference] = []
    for pair in pairs(of: simulated.map(\.name)) {
      for measure in measures {
        guard let first = simulated.first(where: { $0.name == pair.first })?.comparison.settled(measure),
          let second = simulated.first(where: { $0.name == pair.second })?.comparison.settled(measure)
        else { continue }
        differences.append(
          Difference(
            first: pair.first, second: pair.second, measure: measure,
            recorded: second.recorded - first.recorded, simulated: second.other - first.other,
            noise: repetitions.compactMap { $0.settled(measure) }.map { abs($0.other - $0.recorded) }.max()
              ?? 0))
      }
    }
    return differences
  }
}
