/// A row of a sweep's `runs.csv`.
package struct RunRecord: Equatable, Sendable {
  package let runID: String
  package let pointID: String
  /// Repetition, from 0; the same repetition has the same random draws at every point.
  package let repetition: Int
  package let seed: String
  /// `ok`, or the kind of failure.
  package let status: String
  /// Error message of a failed run; empty otherwise.
  package let error: String
  /// Sweep variables and their values, in the table's order, without the column prefix.
  package let variables: [Variable]

  package struct Variable: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  package init(
    runID: String, pointID: String, repetition: Int, seed: String, status: String, error: String,
    variables: [Variable]
  ) {
    self.runID = runID
    self.pointID = pointID
    self.repetition = repetition
    self.seed = seed
    self.status = status
    self.error = error
    self.variables = variables
  }

  package var isFinished: Bool { status == "ok" }

  /// Prefix of the columns that hold variables.
  static let variablePrefix = "p_"

  /// Reads every row of a `runs.csv`.
  static func read(_ path: String) throws(ResultReadingError) -> [RunRecord] {
    var table = try ColumnReader(path: path)
    let id = try table.index(of: "run_id")
    let point = try table.index(of: "point_id")
    let repetition = try table.index(of: "repetition")
    let seed = try table.index(of: "seed")
    let status = try table.index(of: "status")
    let error = try table.index(of: "error")
    let variables = table.header.indices.filter { table.header[$0].hasPrefix(variablePrefix) }
    var runs: [RunRecord] = []
    while try table.next() {
      var values: [Variable] = []
      for field in variables {
        let name = String(table.header[field].dropFirst(variablePrefix.count))
        values.append(Variable(name: name, value: try table.text(field)))
      }
      runs.append(
        RunRecord(
          runID: try table.text(id), pointID: try table.text(point),
          repetition: try table.integer(repetition), seed: try table.text(seed),
          status: try table.text(status), error: try table.text(error), variables: values))
    }
    return runs
  }
}
