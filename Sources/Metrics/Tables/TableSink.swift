/// Receives the bytes of result tables.
package protocol TableSink: ~Copyable {
  /// Appends to a table.
  ///
  /// - Throws: ``ResultError`` if the bytes cannot be stored.
  mutating func write(_ bytes: [UInt8], to table: ResultTable) throws(ResultError)
}

/// Discards all tables, for runs of which only the end counts.
package struct DiscardingSink: TableSink {
  package init() {}

  package mutating func write(_ bytes: [UInt8], to table: ResultTable) throws(ResultError) {}
}

/// Keeps tables in memory, for tests and in-process callers.
package struct MemorySink: TableSink, Sendable {
  private var tables = [[UInt8]](repeating: [], count: ResultTable.allCases.count)

  package init() {}

  package mutating func write(_ bytes: [UInt8], to table: ResultTable) throws(ResultError) {
    tables[table.rawValue] += bytes
  }

  /// Returns the contents of a table.
  package func bytes(of table: ResultTable) -> [UInt8] { tables[table.rawValue] }

  /// Returns the contents of a table as text.
  package func text(of table: ResultTable) -> String {
    String(decoding: bytes(of: table), as: UTF8.self)
  }
}
