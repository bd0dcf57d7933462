package import Quantity

/// A row of `decisions.csv`; participants and sources are indices into the recorder's names.
package struct DecisionRow {
  package var viewer: Int
  package var source: Int
  /// Position in the policy's order, from 1; `nil` for a source that is no longer subscribed.
  package var rank: Int?
  /// The type that decided; its file has the same name.
  package var rule: String
  /// `unlimited` without a limit.
  package var budget: BitRate
  package var wanted: String
  package var given: String
  package var previous: String
  package var reason: String
  package var missing: BitRate

  package init(
    viewer: Int, source: Int, rank: Int?, rule: String, budget: BitRate, wanted: String, given: String,
    previous: String, reason: String, missing: BitRate
  ) {
    self.viewer = viewer
    self.source = source
    self.rank = rank
    self.rule = rule
    self.budget = budget
    self.wanted = wanted
    self.given = given
    self.previous = previous
    self.reason = reason
    self.missing = missing
  }
}

extension DecisionRow: TableRow {
  static var table: ResultTable { .decisions }

  static var blank: DecisionRow {
    DecisionRow(
      viewer: 0, source: 0, rank: nil, rule: "", budget: .zero, wanted: "", given: "", previous: "",
      reason: "", missing: .zero)
  }

  func declareColumns(in run: RecordedRun, to columns: inout some ColumnSink) {
    run.declareID(to: &columns)
    run.declareTime("simulated time of the decision", to: &columns)
    run.declareTile(viewer: viewer, source: source, to: &columns)
    columns.column(
      "rank", .one,
      "position in the policy's allocation order, from 1; empty for a source no longer subscribed",
      rank)
    columns.column("rule", nil, "rule that decided; its file in Sources/Systems has the same name", rule)
    columns.column(
      "budget_bps", .bitsPerSecond, "video budget of the viewer; empty for unlimited",
      budget == .unlimited ? nil : budget)
    columns.column("wanted", nil, "requested quality", wanted)
    columns.column("given", nil, "allocated quality, or none", given)
    columns.column("previous", nil, "previous quality, or none", previous)
    columns.column("reason", nil, "limitation that kept the quality below the request", reason)
    columns.column(
      "missing_bps", .bitsPerSecond, "additional budget that the next quality needs", missing)
  }
}
