import Files
package import ResultReading

/// Pairs of runs of two sweeps with the same variable values and the same repetition.
package struct RunPairing: Sendable {
  /// Indices of a run of BASE and of its counterpart of NEW in their sweeps.
  package struct Pair: Sendable {
    package let base: Int
    package let new: Int
    /// Index of the point in ``points``.
    package let point: Int
  }

  /// Values of the variables at each point, in order of first appearance in BASE.
  package private(set) var points: [[RunRecord.Variable]] = []
  /// Runs that finished in both sweeps.
  package private(set) var pairs: [Pair] = []
  /// Number of runs that finished in BASE and failed in NEW.
  package private(set) var failed = 0
  /// Number of runs that finished in BASE and are missing in NEW.
  package private(set) var missing = 0
  /// Number of runs that finished in NEW but not in BASE.
  package private(set) var added = 0
  /// `true` if the runs of every pair have the same seed (common random numbers).
  package private(set) var sharesSeeds = true

  /// Variables with values that only one of the sweeps has; such runs have no counterpart.
  package let unmatched: [UnmatchedVariable]

  /// Values of a variable that only one of two sweeps has.
  package struct UnmatchedVariable: Equatable, Sendable {
    package let name: String
    package let base: [String]
    package let new: [String]

    package init(name: String, base: [String], new: [String]) {
      self.name = name
      self.base = base
      self.new = new
    }
  }

  private struct Key: Hashable {
    let variables: [RunRecord.Variable]
    let repetition: Int

    init(_ run: RunRecord) {
      variables = run.variables.sorted { $0.name < $1.name }
      repetition = run.repetition
    }
  }

  /// - Throws: ``ComparisonError`` if the sweeps have different variables or no run in common.
  package init(base: Results, new: Results) throws(ComparisonError) {
    let names = [base, new].map { Set($0.runs.first?.variables.map(\.name) ?? []).sorted() }
    guard names[0] == names[1] else {
      let texts = names.map { $0.isEmpty ? "nothing" : $0.joined(separator: ", ") }
      throw ComparisonError(
        description: "the sweeps vary different things: BASE \(texts[0]), NEW \(texts[1])")
    }
    unmatched = names[0].compactMap { UnmatchedVariable($0, base: base, new: new) }
    // If a point occurs twice, its runs are paired in order.
    var waiting: [Key: [Int]] = [:]
    for (number, run) in new.runs.enumerated().reversed() { waiting[Key(run), default: []].append(number) }
    var pointNumbers: [[RunRecord.Variable]: Int] = [:]
    for (number, run) in base.runs.enumerated() {
      let other = waiting[Key(run)]?.popLast()
      guard run.isFinished else {
        if let other, new.runs[other].isFinished { added += 1 }
        continue
      }
      guard let other else {
        missing += 1
        continue
      }
      guard new.runs[other].isFinished else {
        failed += 1
        continue
      }
      if pointNumbers[run.variables] == nil {
        pointNumbers[run.variables] = points.count
        points.append(run.variables)
      }
      if run.seed != new.runs[other].seed { sharesSeeds = false }
      pairs.append(Pair(base: number, new: other, point: pointNumbers[run.variables, default: 0]))
    }
    added += waiting.values.reduce(0) { $0 + $1.filter { new.runs[$0].isFinished }.count }
    guard !pairs.isEmpty || failed > 0 else {
      throw ComparisonError(
        description: "no run of NEW has the variables and the repetition of a run of BASE that finished"
          + unmatchedText)
    }
  }

  /// ``unmatched`` in words, to follow a message on runs without a counterpart; empty if there is none.
  package var unmatchedText: String {
    unmatched.isEmpty ? "" : ": " + unmatched.map(\.description).joined(separator: "; ")
  }
}

extension RunPairing.UnmatchedVariable: CustomStringConvertible {
  /// `nil` if both sweeps have the same values, or one of them has all those of the other.
  fileprivate init?(_ name: String, base: Results, new: Results) {
    func values(_ results: Results) -> [String] {
      results.runs.flatMap { $0.variables.filter { $0.name == name }.map(\.value) }.uniqued()
    }
    let (ofBase, ofNew) = (values(base), values(new))
    self.init(
      name: name, base: ofBase.filter { !ofNew.contains($0) }, new: ofNew.filter { !ofBase.contains($0) })
    guard !self.base.isEmpty, !self.new.isEmpty else { return nil }
  }

  package var description: String {
    func list(_ values: [String]) -> String { values.map { "'\($0)'" }.joined(separator: ", ") }
    return "only BASE has \(name) \(list(base)), only NEW \(list(new)) (values with one label are paired: "
      + "{label: NAME, value: …} in both sweeps)"
  }
}
