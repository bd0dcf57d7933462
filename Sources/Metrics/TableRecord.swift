package import Files

/// A manifest's record of a table: its file, its number of rows and the hash of its bytes before compression.
package struct TableRecord: Codable, Equatable, Sendable {
  package var path: String
  package var rows: Int
  package var hash: String

  package init(path: String, rows: Int, hash: ContentHash) {
    self.path = path
    self.rows = rows
    self.hash = hash.text
  }

  /// Returns the records of a run's tables, given the rows and hashes of all tables in the order of ``ResultTable``.
  ///
  /// - Parameters:
  ///   - tables: tables in the directory.
  ///   - isCompressed: `true` if all but `scalars.csv` are compressed.
  package static func all(
    rowCounts: [Int], hashes: [ContentHash], tables: [ResultTable] = ResultTable.allCases,
    isCompressed: Bool = false
  ) -> [TableRecord] {
    tables.map { table in
      TableRecord(
        path: table.fileName(isCompressed: isCompressed), rows: rowCounts[table.rawValue],
        hash: hashes[table.rawValue])
    }
  }

  /// Checks whether the table in a directory is byte for byte the recorded one; a compressed table is compared by
  /// content.
  ///
  /// - Throws: ``Files/FileError`` when it cannot be read.
  package func isUnchanged(in directory: String) throws(FileError) -> Bool {
    guard !path.contains("/") else { return false }
    var hash = ContentHash()
    try StoredTable.read("\(directory)/\(path)", limit: .max) { hash.update($0) }
    return hash.text == self.hash
  }
}
