/// A row of a table.
///
/// ``declareColumns(in:to:)`` is the single definition of the columns; the header, the description and the rows are
/// derived from it.
protocol TableRow {
  static var table: ResultTable { get }

  /// An arbitrary row, used to list the columns without values.
  static var blank: Self { get }

  /// Declares every column, with its value in this row, in the table's order.
  func declareColumns(in run: RecordedRun, to columns: inout some ColumnSink)
}

extension TableRow {
  static var columns: [TableColumn] {
    var list = ColumnList()
    blank.declareColumns(in: RecordedRun(), to: &list)
    return list.columns
  }
}

/// Receives the columns of a row in order.
protocol ColumnSink {
  /// Receives a column; the type of its value determines the column's type and whether it may be empty.
  ///
  /// - Parameters:
  ///   - name: a W3C webrtc-stats identifier in snake_case where one exists, with the unit as suffix.
  ///   - unit: `nil` for text.
  ///   - meaning: a phrase without the unit.
  ///   - value: the row's value; not evaluated when only the columns are listed.
  mutating func column<Value: CellValue>(
    _ name: StaticString, _ unit: ColumnUnit?, _ meaning: StaticString, _ value: @autoclosure () -> Value)
}

/// Collects columns without their values.
private struct ColumnList: ColumnSink {
  var columns: [TableColumn] = []

  mutating func column<Value: CellValue>(
    _ name: StaticString, _ unit: ColumnUnit?, _ meaning: StaticString, _ value: @autoclosure () -> Value
  ) {
    columns.append(
      TableColumn(
        name: "\(name)", type: Value.type, unit: unit, isNullable: Value.isNullable, meaning: "\(meaning)"))
  }
}

/// Writes values without their columns: a row ends with `endRow`.
extension ByteWriter: ColumnSink {
  @inline(__always)
  mutating func column<Value: CellValue>(
    _ name: StaticString, _ unit: ColumnUnit?, _ meaning: StaticString, _ value: @autoclosure () -> Value
  ) {
    value().write(to: &self)
    comma()
  }
}
