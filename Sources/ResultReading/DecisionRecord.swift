/// A row of a run's `decisions.csv`, as far as another run of the same meeting can be told by it.
package struct DecisionRecord: Equatable, Sendable {
  /// [s]
  package let time: Double
  /// Empty for a source that is no longer subscribed to.
  package let rank: String
  /// [bit/s]; empty for unlimited.
  package let budget: String
  package let given: String

  /// The last row of a tile up to a moment [s]; `nil` if there is none.
  package static func last(
    in directory: String, viewer: String, source: String, upTo moment: Double
  ) throws(ResultReadingError) -> DecisionRecord? {
    var table = try ColumnReader(path: directory + "/decisions.csv")
    let (time, rank, budget) = (
      try table.index(of: "time_s"), try table.index(of: "rank"), try table.index(of: "budget_bps")
    )
    let (given, own, other) = (
      try table.index(of: "given"), try table.index(of: "viewer"), try table.index(of: "source")
    )
    var last: DecisionRecord?
    while try table.next() {
      guard try table.text(own) == viewer, try table.text(other) == source,
        let at = try table.number(time), at <= moment
      else { continue }
      last = DecisionRecord(
        time: at, rank: try table.text(rank), budget: try table.text(budget), given: try table.text(given))
    }
    return last
  }
}
