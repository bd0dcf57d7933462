/// A row of `scalars.csv`.
package struct ScalarRow {
  package enum Direction: String, Codable, Sendable, CaseIterable { case bigger, smaller, neither }
  package var scope: StaticString
  package var viewer: String
  package var source: String
  package var metric: StaticString
  package var stat: StaticString
  package var unit: StaticString
  package var direction: Direction
  /// Value in units of 10^-`decimals`; `nil` if there was nothing to measure.
  package var value: Int64?
  package var decimals: Int

  package init(
    scope: StaticString, viewer: String = "", source: String = "", metric: StaticString, stat: StaticString,
    unit: StaticString, direction: Direction, value: Int64?, decimals: Int
  ) {
    self.scope = scope
    self.viewer = viewer
    self.source = source
    self.metric = metric
    self.stat = stat
    self.unit = unit
    self.direction = direction
    self.value = value
    self.decimals = decimals
  }
}

extension ScalarRow {
  /// Creates a row for a declared metric, with its value in units of the last decimal.
  package init(
    _ metric: ScalarMetric, _ value: Int64?, scope: ScalarMetric.Scope, viewer: String = "",
    source: String = ""
  ) {
    let stated = metric.declaration
    precondition(stated.scopes.contains(scope), "\(metric) is no metric of a \(scope)")
    self.init(
      scope: scope.name, viewer: viewer, source: source, metric: stated.name, stat: stated.stat,
      unit: stated.unit, direction: stated.direction, value: value, decimals: stated.decimals)
  }
}

extension ScalarRow: TableRow {
  static var table: ResultTable { .scalars }
  static var meaning: String { "whole-run value of a tile, a voice, a participant, a link or the meeting" }
  static var primaryKey: [String] { ["run_id", "scope", "viewer", "source", "metric", "stat"] }
  static var foreignKeys: [ForeignKey] { [.participant("viewer")] }

  static var blank: ScalarRow {
    ScalarRow(scope: "", metric: "", stat: "", unit: "", direction: .neither, value: nil, decimals: 0)
  }

  func declareColumns(in run: RecordedRun, to columns: inout some ColumnSink & ~Copyable) {
    run.declareID(to: &columns)
    columns.column(
      "scope", nil, "what the value is of",
      values: ScalarMetric.Scope.allCases.map { ColumnValue($0.rawValue, $0.meaning) }, scope)
    columns.column(
      "viewer", nil, "viewing participant", empty: "the value is of a link or of the meeting",
      viewer.isEmpty ? nil : viewer)
    columns.column(
      "source", nil, "publishing participant, ID/screen for a screen share; or the link's name",
      empty: "the value is of a participant or of the meeting",
      source.isEmpty ? nil : source)
    columns.column("metric", nil, "name of the metric: see 'meetsim list metrics'", metric)
    columns.column("stat", nil, "statistic of the metric", stat)
    columns.column("unit", nil, "unit of the value", unit)
    columns.column(
      "direction", nil, "whether bigger, smaller or neither is better",
      values: ScalarRow.Direction.allCases.map { ColumnValue($0.rawValue) }, Word(direction.rawValue))
    columns.column(
      "value", nil, "value over the whole run, in its unit", empty: "there was nothing to measure",
      value.map { FixedPoint($0, decimals: decimals) })
  }
}
