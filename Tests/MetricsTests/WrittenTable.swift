import Files
import Metrics
import Quantity
import Testing

/// A column's declaration and its expected text in two rows.
struct ExpectedColumn {
  let name: String
  let type: TableColumn.ValueType
  let unit: ColumnUnit?
  /// Text in a row with a value in every field, all of them different.
  let full: String
  /// Text in a row in which every optional value is missing; empty for exactly those.
  let sparse: String

  init(
    _ name: String, _ type: TableColumn.ValueType, _ unit: ColumnUnit?, _ full: String, _ sparse: String
  ) {
    self.name = name
    self.type = type
    self.unit = unit
    self.full = full
    self.sparse = sparse
  }
}

/// A table as written.
struct WrittenTable {
  let header: [String]
  let rows: [[String]]

  /// Writes rows of a run with intervals of 2 s, whose names need quotes.
  init(_ table: ResultTable, _ record: (inout ResultRecorder) -> Void) throws {
    var recorder = ResultRecorder(
      runID: "r,1", participants: ["ann", "b\"ob", "c,em"], sources: ["ann", "b\"ob/screen", "c,em"],
      links: ["ann-down", "wi-fi, 5 GHz"], layers: ["q", "h, 2"], interval: .seconds(2))
    record(&recorder)
    var sink = MemorySink()
    try recorder.flush(into: &sink)
    var reader = CSVReader(Array(sink.text(of: table).utf8))
    var records: [[String]] = []
    while try reader.next() {
      records.append(try (0..<reader.fieldCount).map { field throws(CSVError) in try reader.text(field) })
    }
    header = try #require(records.first)
    rows = Array(records.dropFirst())
    for other in ResultTable.allCases {
      #expect(recorder.rowCount(of: other) == (other == table ? rows.count : 0), "\(other)")
    }
  }

  func value(_ column: String, row: Int = 0) throws -> String {
    rows[row][try #require(header.firstIndex(of: column), "no column \(column)")]
  }
}

/// Compares a table's header, description and two rows with the expected columns.
func check(
  _ table: ResultTable, _ expected: [ExpectedColumn], _ record: (inout ResultRecorder) -> Void
) throws {
  try #require(Set(expected.map(\.full)).count == expected.count, "the row would not show columns swapped")
  let written = try WrittenTable(table, record)
  #expect(written.header == expected.map(\.name))
  let described = table.columns
  #expect(described.map(\.name) == expected.map(\.name))
  try #require(written.rows.count == 2)
  for column in expected {
    #expect(try written.value(column.name, row: 0) == column.full, "\(column.name)")
    #expect(try written.value(column.name, row: 1) == column.sparse, "\(column.name)")
    let description = try #require(described.first { $0.name == column.name })
    #expect(description.type == column.type, "\(column.name)")
    #expect(description.unit == column.unit, "\(column.name)")
    #expect(description.isNullable == column.sparse.isEmpty, "\(column.name)")
  }
}

/// 12.345678901 s, which tables truncate to milliseconds.
let now = SimTime(nanoseconds: 12_345_678_901)
