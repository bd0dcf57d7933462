import JSON
package import Metrics

/// `datapackage.json` of a sweep: the Frictionless description of its tables.
package enum SweepDescription {
  static func dataPackage(_ settings: SweepSettings) -> JSONValue {
    let parameters = settings.columns.map {
      TableColumn(
        name: $0.name, type: TableColumn.ValueType(rawValue: $0.type) ?? .string,
        meaning: "value of variable '\($0.variable)'")
    }
    return .object([
      ("profile", .text("tabular-data-package")), ("name", .text(settings.name.lowercased())),
      ("resources", .list(tables(parameters).map { $0.resource() })),
    ])
  }

  /// Describes the tables of a sweep's directory.
  ///
  /// - Parameter parameters: a column for each variable.
  package static func tables(_ parameters: [TableColumn]) -> [TableDescription] {
    [
      TableDescription(
        name: "plan", meaning: "run that the sweep plans",
        columns: runs.filter { !["status", "error"].contains($0.name) } + [problem] + parameters,
        primaryKey: ["run_index"]),
      TableDescription(
        name: "runs", meaning: "run with its outcome", columns: runs + parameters, primaryKey: ["run_index"],
        foreignKeys: [ForeignKey(["run_id"], table: "plan", ["run_id"])]),
      TableDescription(
        name: "scalars", meaning: "whole-run value of a run", columns: ResultTable.scalars.columns,
        foreignKeys: [ForeignKey(["run_id"], table: "runs", ["run_id"])]),
      TableDescription(
        name: "summary", meaning: "point and metric, over the point's runs",
        columns: [point] + summary + parameters,
        foreignKeys: [ForeignKey(["point_id"], table: "runs", ["point_id"])]),
    ]
  }

  private static func columns(_ rows: [(String, TableColumn.ValueType, String)]) -> [TableColumn] {
    rows.map { TableColumn(name: $0.0, type: $0.1, meaning: $0.2) }
  }

  private static let point = TableColumn(name: "point_id", type: .string, meaning: "id of the point")

  private static let problem = TableColumn(
    name: "problem", type: .string, meaning: "why the point's scenario cannot be run",
    empty: "it can be run")

  private static let runs =
    columns([
      ("run_id", .string, "id of the run: a hash of version, scenario, traces, seed and repetition"),
      ("run_index", .integer, "index in the sweep, from 0"), ("point_id", .string, "id of the point"),
      ("repetition", .integer, "from 0"), ("seed", .integer, "seed of all random streams"),
    ]) + [
      TableColumn(
        name: "status", type: .string, meaning: "outcome of the run",
        values: RunStatus.allCases.map { ColumnValue($0.rawValue, $0.meaning) }),
      TableColumn(
        name: "error", type: .string, meaning: "why the run has no result", empty: "it has one"),
    ]

  /// Columns that `summary.csv` shares with `scalars.csv`, and statistics over the runs of a point.
  private static let summary =
    ResultTable.scalars.columns.filter { !["run_id", "value"].contains($0.name) }
    + columns([
      ("n", .integer, "runs with a value")
    ])
    + [
      ("mean", "mean over runs"), ("sd", "sample standard deviation over runs (n - 1)"),
      ("ci_lo", "lower bound of the Student-t interval of the mean"),
      ("ci_hi", "upper bound of the Student-t interval of the mean"),
      ("ci_level", "confidence level of the interval"), ("min", "smallest value"),
      ("p05", "5 % quantile over runs"), ("p50", "median over runs"), ("p95", "95 % quantile over runs"),
      ("max", "largest value"),
    ].map {
      TableColumn(
        name: $0.0, type: .number, meaning: $0.1, empty: "there are too few runs with a value")
    } + columns([("failed", .integer, "runs of the point without a result")])
}
