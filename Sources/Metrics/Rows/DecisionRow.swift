package import Quantity

/// A row of `decisions.csv`; names are indices into the recorder's names.
package struct DecisionRow {
  package var viewer: Int
  package var source: Int
  /// Place in the policy's order, from 1; `nil` for a source that is not wanted any more.
  package var rank: Int?
  /// The type that decided, after which its file is named.
  package var rule: String
  /// `unlimited` if there is no limit.
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
      "place in the order in which the policy serves, from 1; empty for a source not wanted any more",
      rank)
    columns.column("rule", nil, "the rule that decided; its file in Sources/Systems has its name", rule)
    columns.column(
      "budget_bps", .bitsPerSecond, "video budget of the viewer; empty for unlimited",
      budget == .unlimited ? nil : budget)
    columns.column("wanted", nil, "quality asked for", wanted)
    columns.column("given", nil, "quality decided on, or none", given)
    columns.column("previous", nil, "quality before, or none", previous)
    columns.column("reason", nil, "the limitation that decided", reason)
    columns.column(
      "missing_bps", .bitsPerSecond, "how much more budget the next quality takes", missing)
  }
}
