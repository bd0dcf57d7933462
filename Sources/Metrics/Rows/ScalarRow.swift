/// A row of `scalars.csv`.
package struct ScalarRow {
  package enum Direction: String { case bigger, smaller, neither }
  package var scope: StaticString
  package var viewer: String
  package var source: String
  package var metric: StaticString
  package var stat: StaticString
  package var unit: StaticString
  package var direction: Direction
  /// In units of 10^-`decimals`; `nil` if there was nothing to measure.
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

extension ScalarRow: TableRow {
  static var table: ResultTable { .scalars }

  static var blank: ScalarRow {
    ScalarRow(scope: "", metric: "", stat: "", unit: "", direction: .neither, value: nil, decimals: 0)
  }

  func declareColumns(in run: RecordedRun, to columns: inout some ColumnSink) {
    run.declareID(to: &columns)
    columns.column("scope", nil, "tile, participant, link or meeting", scope)
    columns.column("viewer", nil, "viewing participant", viewer.isEmpty ? nil : viewer)
    columns.column(
      "source", nil, "publishing participant, ID/screen for a screen share; or the link's name",
      source.isEmpty ? nil : source)
    columns.column("metric", nil, "name of the metric", metric)
    columns.column("stat", nil, "statistic of the metric", stat)
    columns.column("unit", nil, "unit of the value", unit)
    columns.column("direction", nil, "whether bigger, smaller or neither is better", Word(direction.rawValue))
    columns.column(
      "value", nil, "value over the whole run, in its unit",
      value.map { FixedPoint($0, decimals: decimals) })
  }
}
