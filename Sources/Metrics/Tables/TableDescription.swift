import Files
package import JSON

/// Columns and keys of a result table, for `datapackage.json` and the reference.
package struct TableDescription: Sendable {
  package var name: String
  /// Meaning of a row, as a phrase.
  package var meaning: String
  package var columns: [TableColumn]
  /// Columns that together identify a row; empty if rows can be equal.
  package var primaryKey: [String]
  package var foreignKeys: [ForeignKey]

  package init(
    name: String, meaning: String, columns: [TableColumn], primaryKey: [String] = [],
    foreignKeys: [ForeignKey] = []
  ) {
    self.name = name
    self.meaning = meaning
    self.columns = columns
    self.primaryKey = primaryKey
    self.foreignKeys = foreignKeys
  }

  package var fileName: String { name + ".csv" }

  /// Builds the Frictionless data resource (version 1).
  ///
  /// - Parameters:
  ///   - tables: names of the package's resources to which foreign keys may refer; `nil` for any.
  ///   - isCompressed: `true` if the file is compressed.
  package func resource(among tables: [String]? = nil, isCompressed: Bool = false) -> JSONValue {
    let foreignKeys = foreignKeys.filter { tables?.contains($0.table) ?? true }
    var schema: [(String, JSONValue)] = [
      ("fields", .list(columns.map(\.field))), ("missingValues", .list([.text("")])),
    ]
    if !primaryKey.isEmpty { schema.append(("primaryKey", .list(primaryKey.map(JSONValue.text)))) }
    if !foreignKeys.isEmpty { schema.append(("foreignKeys", .list(foreignKeys.map(\.json)))) }
    let path = isCompressed ? fileName + StoredTable.compressedSuffix : fileName
    var resource: [(String, JSONValue)] = [
      ("profile", .text("tabular-data-resource")), ("name", .text(name)),
      ("description", .text("One row per \(meaning).")), ("path", .text(path)), ("format", .text("csv")),
      ("encoding", .text("utf-8")), ("schema", .object(schema)),
    ]
    if isCompressed { resource.append(("compression", .text("gz"))) }
    return .object(resource)
  }
}

/// Columns of a table that refer to columns of another, in the same order.
package struct ForeignKey: Sendable, Equatable {
  package var columns: [String]
  /// Name of the other table.
  package var table: String
  package var targets: [String]

  package init(_ columns: [String], table: String, _ targets: [String]) {
    self.columns = columns
    self.table = table
    self.targets = targets
  }

  /// Key from a row's viewer to the same interval in `participants.csv`.
  static let viewerInInterval = ForeignKey(
    ["run_id", "time_s", "viewer"], table: "participants", ["run_id", "time_s", "participant"])

  /// Creates the foreign key for a column with a participant's id.
  static func participant(_ column: String) -> ForeignKey {
    ForeignKey([column], table: "participants", ["participant"])
  }

  fileprivate var json: JSONValue {
    .object([
      ("fields", .list(columns.map(JSONValue.text))),
      (
        "reference",
        .object([("resource", .text(table)), ("fields", .list(targets.map(JSONValue.text)))])
      ),
    ])
  }
}
