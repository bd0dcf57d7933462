package import Files

/// Whether two result directories hold the same tables.
package enum TableIdentity: Equatable, Sendable {
  /// As many tables, byte for byte.
  case identical(tables: Int)
  /// The tables that differ or are in one directory alone, by name.
  case different([String])

  /// - Throws: ``FileError`` when a directory or a table can't be read.
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
