package import Files

/// Result of comparing the tables of two result directories, compressed or not, byte by byte.
package enum TableIdentity: Equatable, Sendable {
  /// All tables are identical.
  case identical(tables: Int)
  /// Names of the tables that differ or exist in one directory only.
  case different([String])

  /// Compares the tables of two directories.
  ///
  /// - Throws: ``FileError`` if a directory or a table cannot be read.
  package static func of(_ base: String, _ new: String) throws(FileError) -> TableIdentity {
    let names = try [tables(in: base), tables(in: new)]
    var different = Set(names[0]).symmetricDifference(names[1])
    for name in names[0] where !different.contains(name) {
      if try content(of: name, in: base) != content(of: name, in: new) { different.insert(name) }
    }
    return different.isEmpty ? .identical(tables: names[0].count) : .different(different.sorted())
  }

  private static func tables(in directory: String) throws(FileError) -> [String] {
    try Directory.entries(of: directory).compactMap(StoredTable.name)
  }

  private static func content(of table: String, in directory: String) throws(FileError) -> [UInt8] {
    try StoredTable.bytes(of: StoredTable.path(of: "\(directory)/\(table)"), limit: .max)
  }
}
