/// A row of a table.
///
/// ``declareColumns(in:to:)`` is the single definition of the columns; the header, the description and the rows are
/// derived from it.
protocol TableRow {
  static var table: ResultTable { get }

  /// An arbitrary row, used to list the columns without values.
  static var blank: Self { get }

  /// Meaning of a row, as a phrase.
  static var meaning: String { get }

  /// Columns that together identify a row; empty if rows can be equal.
  static var primaryKey: [String] { get }

  /// Columns whose values refer to another table.
  static var foreignKeys: [ForeignKey] { get }

  /// Declares every column, with its value in this row, in the table's order.
  func declareColumns(in run: RecordedRun, to columns: inout some ColumnSink & ~Copyable)
}

extension TableRow {
  static var primaryKey: [String] { [] }
  static var foreignKeys: [ForeignKey] { [] }

  static var columns: [TableColumn] {
    var list = ColumnList()
    blank.declareColumns(in: RecordedRun(), to: &list)
    return list.columns
  }
}

/// Receives the columns of a row in order.
protocol ColumnSink: ~Copyable {
  /// Receives a column; the type of its value determines the column's type and whether it may be empty.
  ///
  /// - Parameters:
  ///   - description: name and metadata; not evaluated when only the value is needed.
  ///   - value: value in the row; not evaluated when only the columns are listed.
  mutating func add<Value: CellValue>(
    _ description: @autoclosure () -> ColumnDescription, _ value: @autoclosure () -> Value)
}

/// Declared properties of a column besides its type.
struct ColumnDescription {
  var name: StaticString
  var unit: ColumnUnit?
  var meaning: StaticString
  var empty: StaticString
  var values: [ColumnValue]
}

extension ColumnSink where Self: ~Copyable {
  /// Declares a column.
  ///
  /// - Parameters:
  ///   - name: a W3C webrtc-stats identifier in snake_case if there is one, with the unit as suffix.
  ///   - unit: unit of numbers; `nil` for text.
  ///   - meaning: meaning of the column, as a phrase without the unit.
  ///   - empty: meaning of an empty field, if the value can be missing.
  ///   - values: complete list of the words that the column can hold, if they are few.
  ///   - value: value in the row.
  @inline(__always)
  mutating func column<Value: CellValue>(
    _ name: StaticString, _ unit: ColumnUnit?, _ meaning: StaticString, empty: StaticString = "",
    values: @autoclosure () -> [ColumnValue] = [], _ value: @autoclosure () -> Value
  ) {
    add(
      ColumnDescription(name: name, unit: unit, meaning: meaning, empty: empty, values: values()), value())
  }
}

/// Collects columns without their values.
private struct ColumnList: ColumnSink {
  var columns: [TableColumn] = []

  mutating func add<Value: CellValue>(
    _ description: @autoclosure () -> ColumnDescription, _ value: @autoclosure () -> Value
  ) {
    let stated = description()
    columns.append(
      TableColumn(
        name: "\(stated.name)", type: Value.type, unit: stated.unit, isNullable: Value.isNullable,
        meaning: "\(stated.meaning)", empty: "\(stated.empty)", values: stated.values))
  }
}

/// Writes values without their columns; a row ends with `endRow`.
extension ByteWriter: ColumnSink {
  @inline(__always)
  mutating func add<Value: CellValue>(
    _ description: @autoclosure () -> ColumnDescription, _ value: @autoclosure () -> Value
  ) {
    value().write(to: &self)
    comma()
  }
}
