import Metrics

/// `datapackage.json` of a sweep: the Frictionless description of its tables.
enum SweepDescription {
  static func dataPackage(_ settings: SweepSettings) -> JSONValue {
    let parameters = settings.columns.map {
      TableColumn(
        name: $0.name, type: TableColumn.ValueType(rawValue: $0.type) ?? .string,
        meaning: "value of variable '\($0.variable)'")
    }
    return .object([
      ("profile", .text("tabular-data-package")), ("name", .text(settings.name.lowercased())),
      (
        "resources",
        .list([
          resource(
            "plan", runs.filter { !["status", "error"].contains($0.name) } + [problem] + parameters,
            key: "run_index"),
          resource("runs", runs + parameters, key: "run_index"),
          resource("scalars", ResultTable.scalars.columns, key: nil),
          resource("summary", [point] + summary + parameters, key: nil),
        ])
      ),
    ])
  }

  private static func resource(_ name: String, _ columns: [TableColumn], key: String?) -> JSONValue {
    var schema: [(String, JSONValue)] = [
      ("fields", .list(columns.map(\.field))),
      ("missingValues", .list([.text("")])),
    ]
    if let key { schema.append(("primaryKey", .text(key))) }
    return .object([
      ("profile", .text("tabular-data-resource")), ("name", .text(name)), ("path", .text(name + ".csv")),
      ("format", .text("csv")), ("encoding", .text("utf-8")), ("schema", .object(schema)),
    ])
  }

  private static func columns(_ rows: [(String, TableColumn.ValueType, String)]) -> [TableColumn] {
    rows.map { TableColumn(name: $0.0, type: $0.1, meaning: $0.2) }
  }

  private static let point = TableColumn(name: "point_id", type: .string, meaning: "id of the point")

  private static let problem = TableColumn(
    name: "problem", type: .string, meaning: "why the point's scenario cannot be run")

  private static let runs = columns([
    ("run_id", .string, "id of the run: a hash of version, scenario, traces, seed and repetition"),
    ("run_index", .integer, "index in the sweep, from 0"), ("point_id", .string, "id of the point"),
    ("repetition", .integer, "from 0"), ("seed", .integer, "seed of all random streams"),
    ("status", .string, "ok, failed, timeout, invalid or missing"),
    ("error", .string, "why the run has no result"),
  ])

  private static let summary = columns([
    ("scope", .string, "tile, participant, link or meeting"),
    ("viewer", .string, "viewing participant"),
    ("source", .string, "publishing participant, or the link"),
    ("metric", .string, "name of the metric"), ("stat", .string, "statistic of the metric within a run"),
    ("unit", .string, "unit of the values"),
    ("direction", .string, "whether bigger, smaller or neither is better"),
    ("n", .integer, "runs with a value"), ("mean", .number, "mean over runs"),
    ("sd", .number, "sample standard deviation over runs (n - 1)"),
    ("ci_lo", .number, "lower bound of the Student-t interval of the mean"),
    ("ci_hi", .number, "upper bound of the Student-t interval of the mean"),
    ("ci_level", .number, "confidence level of the interval"), ("min", .number, "smallest value"),
    ("p05", .number, "5 % quantile over runs"), ("p50", .number, "median over runs"),
    ("p95", .number, "95 % quantile over runs"), ("max", .number, "largest value"),
    ("failed", .integer, "runs of the point without a result"),
  ])
}
