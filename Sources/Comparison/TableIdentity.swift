package import Files

/// Whether the tables of two result directories are identical.
package enum TableIdentity: Equatable, Sendable {
  /// This many tables are identical byte for byte.
  case identical(tables: Int)
  /// The names of the tables that differ or are in one directory only.
  case different([String])

  /// - Throws: ``FileError`` when a directory or a table cannot be read.
  package static func of(_ base: String, _ new: String) throws(FileError) -> TableIdentity {
    let names = try [tables(in: base), tables(in: new)]
    var different = Set(names[0]).symmetricDifference(names[1])
    for name in names[0] where !different.contains(name) {
      let contents = [
        try FileReader.bytes(of: "\(base)/\(name)", limit: .max),
        try FileReader.bytes(of: "\(new)/\(name)", limit: .max),
      ]
      if contents[0] != contents[1] { different.insert(name) }
    }
    return different.isEmpty ? .identical(tables: names[0].count) : .different(different.sorted())
  }

  private static func tables(in directory: String) throws(FileError) -> [String] {
    try Directory.entries(of: directory).filter { $0.hasSuffix(".csv") }
  }
}
