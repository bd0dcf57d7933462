import Files

/// Whole-run values of a result directory, of one run or of a sweep.
package struct Results: Sendable {
  package enum Kind: Sendable { case run, sweep }

  package let directory: String
  package let kind: Kind
  /// Runs of a sweep in the order of `runs.csv`, or a single run without variables.
  package let runs: [RunRecord]
  package let scalars: ScalarTable

  package init(directory: String, kind: Kind, runs: [RunRecord], scalars: ScalarTable) {
    self.directory = directory
    self.kind = kind
    self.runs = runs
    self.scalars = scalars
  }

  /// Creates the results of a single run from values in memory.
  package init(run scalars: ScalarTable) {
    let run = RunRecord(
      runID: "", pointID: "", repetition: 0, seed: "", status: "ok", error: "", variables: [])
    self.init(directory: "", kind: .run, runs: [run], scalars: scalars)
  }

  /// Throws an error for a regular file, such as a scenario.
  package static func refuseFile(_ path: String) throws(ResultReadingError) {
    guard Directory.leadsToFile(path) else { return }
    let hint = [".yaml", ".yml"].contains(where: path.hasSuffix) ? ": run it first" : ""
    throw ResultReadingError(path, "this is a file, not a result directory\(hint)")
  }

  /// Reads a directory.
  ///
  /// - Throws: ``ResultReadingError`` if it is missing, is not a result directory, or has a malformed table.
  package static func read(_ directory: String) throws(ResultReadingError) -> Results {
    var path = directory
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    guard Directory.exists(path) else { throw ResultReadingError(path, "there is no such directory") }
    try refuseFile(path)
    guard Directory.exists(path + "/scalars.csv") else {
      throw ResultReadingError(path, "not a result directory: it has no scalars.csv")
    }
    guard Directory.exists(path + "/runs.csv") else {
      let one = Results(run: try ScalarTable.read(path + "/scalars.csv", runs: nil))
      return Results(directory: path, kind: .run, runs: one.runs, scalars: one.scalars)
    }
    let runs = try RunRecord.read(path + "/runs.csv")
    var numbers: [String: Int] = [:]
    for (number, run) in runs.enumerated() where numbers.updateValue(number, forKey: run.runID) != nil {
      throw ResultReadingError(path + "/runs.csv", line: number + 2, "duplicate run '\(run.runID)'")
    }
    return Results(
      directory: path, kind: .sweep, runs: runs,
      scalars: try ScalarTable.read(path + "/scalars.csv", runs: numbers))
  }
}
