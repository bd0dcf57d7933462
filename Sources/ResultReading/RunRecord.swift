/// A row of a sweep's `runs.csv`.
package struct RunRecord: Equatable, Sendable {
  package let runID: String
  package let pointID: String
  /// From 0; the same repetition has the same draws at every point.
  package let repetition: Int
  package let seed: String
  /// `ok`, or how the run failed.
  package let status: String
  /// What the run said when it failed; empty otherwise.
  package let error: String
  /// What was varied and to which value, in the table's order, without the columns' prefix.
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

  /// Every row of a `runs.csv`.
  static func read(_ path: String) throws(ResultReadingError) -> [RunRecord] {
    var table = try ColumnReader(path: path)
    let id = try table.place(of: "run_id")
    let point = try table.place(of: "point_id")
    let repetition = try table.place(of: "repetition")
    let seed = try table.place(of: "seed")
    let status = try table.place(of: "status")
    let error = try table.place(of: "error")
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
