import Metrics
import Scenario
import Sweep

/// Entries on tables, their columns, and metrics.
extension Reference {
  /// All tables; the prefix is `sweep` for tables in a sweep's directory, otherwise empty.
  static var described: [(prefix: String, table: TableDescription)] {
    let ofRuns = ResultTable.allCases.map { ("", $0.description) }
    // A sweep's scalars.csv has the same columns as a run's.
    let ofSweeps = SweepDescription.tables([]).filter { table in
      !ofRuns.contains { $0.1.name == table.name }
    }
    return ofRuns + ofSweeps.map { ("sweep", $0) }
  }

  static var tables: [ReferenceEntry] {
    described.map { place, table in
      var entry = ReferenceEntry(
        .table, table.fileName, group: place.isEmpty ? "run" : place, meaning: "One row per \(table.meaning)."
      )
      entry.add("columns", table.columns.map(\.name).joined(separator: ", "))
      entry.add("key", table.primaryKey.joined(separator: ", "))
      entry.facts.append(
        ReferenceEntry.Fact(
          "refers to",
          table.foreignKeys.map { key in
            "\(key.columns.joined(separator: ", ")): \(key.targets.joined(separator: ", ")) of \(key.table).csv"
          }))
      return entry
    }
  }

  static var columns: [ReferenceEntry] {
    described.flatMap { _, table in
      table.columns.map { column in
        var entry = ReferenceEntry(
          .column, "\(table.name).\(column.name)", group: table.fileName, meaning: column.meaning.asSentence)
        entry.add("type", column.type.rawValue)
        entry.add("unit", column.unit?.rawValue ?? "")
        entry.add("empty", column.empty)
        entry.add("getStats", getStatsName(of: "\(table.name).\(column.name)"))
        entry.facts.append(
          ReferenceEntry.Fact(
            "values", column.values.map { $0.meaning.isEmpty ? $0.word : "\($0.word): \($0.meaning)" }))
        return entry
      }
    }
  }

  static var metrics: [ReferenceEntry] {
    ScalarMetric.Scope.allCases.flatMap { scope in
      ScalarMetric.allCases.map(\.declaration).filter { $0.scopes.contains(scope) }.map { metric in
        var entry = ReferenceEntry(
          .metric, "\(metric.name)", group: scope.rawValue, meaning: metric.meaning.asSentence)
        entry.add("scope", "\(scope.rawValue): \(scope.meaning)")
        entry.add("stat", "\(metric.stat)")
        entry.add("unit", "\(metric.unit)")
        entry.add("better", metric.direction.rawValue)
        entry.add("getStats", getStatsName(of: "\(metric.name)"))
        return entry
      }
    }
  }
}
