/// A row of a table.
///
/// ``declareColumns(in:to:)`` is the only place that knows the columns: header, description and written rows all come
/// from it.
protocol TableRow {
  static var table: ResultTable { get }

  /// Any row: something to ask for the columns when there are no values yet.
  static var blank: Self { get }

  /// Gives every column, with its value in this row, in the table's order.
  func declareColumns(in run: RecordedRun, to columns: inout some ColumnSink)
}

extension TableRow {
  static var columns: [TableColumn] {
    var list = ColumnList()
    blank.declareColumns(in: RecordedRun(), to: &list)
    return list.columns
  }
}

/// Takes the columns of a row, one after the other.
protocol ColumnSink {
  /// Takes a column; the type of its value decides the column's type and whether it may be empty.
  ///
  /// - Parameters:
  ///   - name: a W3C webrtc-stats identifier in snake_case where one exists, with the unit as suffix.
  ///   - unit: `nil` for text.
  ///   - meaning: a phrase without the unit.
  ///   - value: what the row has there; not evaluated where only the columns are asked for.
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
