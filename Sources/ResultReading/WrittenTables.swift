import Files
import Metrics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Tables of a result directory as recorded in its `manifest.json`.
package enum WrittenTables {
  /// Checks that the tables are those written with the manifest; each is read once.
  ///
  /// - Parameters:
  ///   - names: tables to check if they exist, such as `streams.csv`; `nil` for all tables that a manifest must record,
  ///     none of which may be missing.
  ///   - needsManifest: `true` if a manifest is required; tables assembled by other means have none.
  /// - Throws: ``ResultReadingError`` if a table is not recorded, cannot be read or was changed.
  package static func check(
    in directory: String, _ names: [String]? = nil, needsManifest: Bool = false
  ) throws(ResultReadingError) {
    let path = directory + "/manifest.json"
    guard needsManifest || Directory.exists(path) else { return }
    let bytes: [UInt8]
    do {
      bytes = try FileReader.bytes(of: path, limit: 1 << 30)
    } catch {
      throw ResultReadingError(path, line: 1, error.description)
    }
    guard let manifest = try? JSONDecoder().decode(Manifest.self, from: Data(bytes)) else {
      throw ResultReadingError(path, line: 1, "this is not a manifest of this version of meetsim")
    }
    let needed = Directory.exists(directory + "/runs.csv") ? ["runs.csv", "scalars.csv"] : ["scalars.csv"]
    let wanted = names?.filter { Directory.exists(StoredTable.path(of: "\(directory)/\($0)")) }
    for name in wanted ?? needed
    where !manifest.tables.contains(where: { StoredTable.name(of: $0.path) == name }) {
      throw ResultReadingError("\(directory)/\(name)", "manifest.json does not record this table")
    }
    for table in manifest.tables {
      if let wanted, !wanted.contains(StoredTable.name(of: table.path) ?? "") { continue }
      try check(table, in: directory)
    }
  }

  private static func check(_ table: TableRecord, in directory: String) throws(ResultReadingError) {
    let path = "\(directory)/\(table.path)"
    let isUnchanged: Bool
    do {
      isUnchanged = try table.isUnchanged(in: directory)
    } catch {
      throw ResultReadingError(path, error.description)
    }
    guard isUnchanged else {
      throw ResultReadingError(
        path, "this is not the table that was written: its hash is not the one in manifest.json")
    }
  }

  private struct Manifest: Decodable {
    var tables: [TableRecord]
  }
}
