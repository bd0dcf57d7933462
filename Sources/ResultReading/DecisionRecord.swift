/// Fields of a row of `decisions.csv` for comparing two runs of a meeting.
package struct DecisionRecord: Equatable, Sendable {
  /// Budget [bit/s]; empty for unlimited.
  package let budget: String
  package let given: String

  /// Times in the table are rounded to milliseconds.
  private static let rounding = 0.001

  /// Returns the rows of a tile at the time of its last decision [s] before a moment [s]; empty if the table has a
  /// later decision before that moment.
  package static func rows(
    in directory: String, viewer: String, source: String, at decision: Double, lastUpTo moment: Double
  ) throws(ResultReadingError) -> [DecisionRecord] {
    var table = try ColumnReader(path: directory + "/decisions.csv")
    let time = try table.index(of: "time_s")
    let (own, other) = (try table.index(of: "viewer"), try table.index(of: "source"))
    let (budget, given) = (try table.index(of: "budget_bps"), try table.index(of: "given"))
    var rows: [DecisionRecord] = []
    while try table.next() {
      guard try table.text(own) == viewer, try table.text(other) == source,
        let at = try table.number(time), at >= decision - rounding, at <= moment + rounding
      else { continue }
      if at > decision + rounding, at < moment { return [] }
      guard at <= decision + rounding else { continue }
      rows.append(DecisionRecord(budget: try table.text(budget), given: try table.text(given)))
    }
    return rows
  }
}
