import Files

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Checks that a directory may be replaced.
extension ResultDirectory {
  /// Describes content of a directory that does not belong to its run's result, as the cause of an error; `nil` if
  /// there is none.
  ///
  /// Every entry must be a file that a run writes, and every table must have the hash that the manifest states.
  package static func foreignContent(of path: String) -> String? {
    let entries: [String]
    let bytes: [UInt8]
    do {
      let place = Directory.resolved(path) ?? path
      entries = try Directory.entries(of: path).filter { !isUnfinished($0, in: place) }
      guard entries.contains(manifestName) else {
        return "it has no \(manifestName), so it is not a result directory"
      }
      bytes = try FileReader.bytes(of: "\(path)/\(manifestName)", limit: 1 << 30)
    } catch {
      return error.cause
    }
    guard let manifest = try? JSONDecoder().decode(WrittenTables.self, from: Data(bytes)),
      manifest.tool == "meetsim"
    else { return "its \(manifestName) is not that of a run, so it is not a result directory" }
    for entry in entries {
      let place = "\(path)/\(entry)"
      let table = manifest.tables.first { $0.path == entry }
      guard table != nil || descriptions.contains(entry), Directory.isRegularFile(place)
      else { return Self.foreign(entry) }
      if let table, (try? table.isUnchanged(in: path)) != true { return Self.changed(entry) }
    }
    return nil
  }

  static var manifestName: String { "manifest.json" }
  private static var descriptions: [String] { [manifestName, "datapackage.json"] }

  /// Checks whether a run writes a file with this name.
  package static func isOwn(_ name: String) -> Bool {
    descriptions.contains(name)
      || ResultTable.allCases.contains {
        [$0.fileName(isCompressed: false), $0.fileName(isCompressed: true)].contains(name)
      }
  }

  /// Returns the cause of an error for an entry that meetsim did not write.
  package static func foreign(_ entry: String) -> String {
    "it contains '\(entry)', which meetsim did not write: move that elsewhere first"
  }

  /// Returns the cause of an error for a file that was edited.
  package static func changed(_ entry: String) -> String {
    "its '\(entry)' was changed after meetsim wrote it: move it elsewhere first"
  }
}

/// Tables listed in a manifest.
private struct WrittenTables: Decodable {
  var tool: String
  var tables: [TableRecord]
}
