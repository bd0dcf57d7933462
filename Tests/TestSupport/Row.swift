import Files
package import Metrics
package import Testing

/// A row of a result table, with its fields by column and type.
///
/// The test fails if the table doesn't have a requested column or declares it with another type, or if a value is
/// requested of an empty field.
package struct Row: CustomStringConvertible, Sendable {
  /// The columns of a table, with their positions.
  fileprivate struct Header: Sendable {
    let table: ResultTable
    let columns: [TableColumn]
    let places: [String: Int]

    init(_ table: ResultTable) {
      self.table = table
      columns = table.columns
      places = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($0.element.name, $0.offset) })
    }
  }

  fileprivate let header: Header
  fileprivate let fields: [String]

  /// The text of a field, empty if it is missing.
  package subscript(column: String, at location: SourceLocation = #_sourceLocation) -> String {
    text(column, location) ?? ""
  }

  /// Indicates whether a field has a text.
  func has(_ text: String, in column: String) -> Bool {
    header.places[column].map { fields[$0] == text } ?? false
  }

  package func integer(_ column: String, at location: SourceLocation = #_sourceLocation) -> Int {
    required(integerIfPresent(column, at: location), column, location) ?? 0
  }

  package func number(_ column: String, at location: SourceLocation = #_sourceLocation) -> Double {
    required(numberIfPresent(column, at: location), column, location) ?? 0
  }

  /// Returns the value, or a substitute if the field is empty, which this column allows.
  package func integer(
    _ column: String, ifEmpty value: Int, at location: SourceLocation = #_sourceLocation
  ) -> Int {
    integerIfPresent(column, at: location) ?? value
  }

  package func number(
    _ column: String, ifEmpty value: Double, at location: SourceLocation = #_sourceLocation
  ) -> Double {
    numberIfPresent(column, at: location) ?? value
  }

  /// Returns the value as an integer; `nil` for an empty field.
  package func integerIfPresent(_ column: String, at location: SourceLocation = #_sourceLocation) -> Int? {
    value(column, of: [.integer], location) { Int($0) }
  }

  /// Returns the value as a number; `nil` for an empty field.
  package func numberIfPresent(_ column: String, at location: SourceLocation = #_sourceLocation) -> Double? {
    value(column, of: [.integer, .number], location) { Double($0) }
  }

  package var description: String {
    zip(header.columns, fields).map { "\($0.name) \($1)" }.joined(separator: ", ")
  }

  // MARK: Failures

  private func text(_ column: String, _ location: SourceLocation) -> String? {
    guard let place = header.places[column], fields.indices.contains(place) else {
      Issue.record("\(header.table.fileName) has no column '\(column)'", sourceLocation: location)
      return nil
    }
    return fields[place]
  }

  private func value<Value>(
    _ column: String, of types: [TableColumn.ValueType], _ location: SourceLocation,
    _ read: (String) -> Value?
  ) -> Value? {
    guard let text = text(column, location), let place = header.places[column], !text.isEmpty else {
      return nil
    }
    let value = types.contains(header.columns[place].type) ? read(text) : nil
    if value == nil {
      let wanted = types.map(\.rawValue).joined(separator: " or ")
      Issue.record("\(column) has '\(text)', which is no \(wanted): \(self)", sourceLocation: location)
    }
    return value
  }

  private func required<Value>(_ value: Value?, _ column: String, _ location: SourceLocation) -> Value? {
    if value == nil, header.places[column] != nil {
      Issue.record("\(column) has no value: \(self)", sourceLocation: location)
    }
    return value
  }
}

extension MemorySink {
  /// Returns a table's rows, without the header.
  package func rows(of table: ResultTable) -> [Row] {
    let header = Row.Header(table)
    do {
      return try CSVReader.records(of: Array(text(of: table).utf8)).dropFirst().map {
        Row(header: header, fields: $0)
      }
    } catch {
      Issue.record("\(table.fileName), line \(error.line): \(error)")
      return []
    }
  }
}
