import Files

/// A result directory written atomically: under a hidden temporary name, then renamed.
///
/// An existing empty directory, the working directory and a mount point are not replaced: the files are written to a
/// hidden directory inside and then moved out of it, the manifest last.
package struct ResultDirectory: ~Copyable, TableSink {
  private let path: String
  private let partial: String
  /// Set if the final directory exists and is not replaced.
  private let isInPlace: Bool
  private var files: [OpenFile]
  /// File of each table, in the order of ``ResultTable``; `nil` for a table that is not requested.
  private let tableFiles: [CompressedFile?]
  private var isOpen = true
  /// Hash of each table's content, for the manifest.
  package private(set) var hashes: [ContentHash]
  private let replaces: Bool

  /// Opens a directory for writing.
  ///
  /// - Parameters:
  ///   - path: the final path of the results.
  ///   - replaces: permits the replacement of an existing, non-empty directory.
  ///   - tables: tables to write; others are discarded.
  ///   - compresses: compresses all tables but `scalars.csv`.
  /// - Throws: ``ResultError`` when the path is taken or cannot be written.
  package init(
    path: String, replaces: Bool, tables: [ResultTable] = ResultTable.allCases, compresses: Bool = false
  ) throws(ResultError) {
    let place = try ResultError.wrapping { () throws(FileError) in try OutputPlace.directory(path) }
    let path = Directory.withoutTrailingSlashes(path)
    try Self.checkFree(path, replaces: replaces)
    let isInPlace = Directory.exists(place) && Self.stays(place)
    let partial = Directory.partial(of: isInPlace ? Self.inner(of: place) : place)
    // In a noncopyable type, everything that can fail must come before the first stored property is set.
    let files = try ResultError.wrapping { () throws(FileError) in
      try Self.createTables(tables.map { $0.fileName(isCompressed: compresses) }, in: partial, of: path)
    }
    self.files = files
    tableFiles = ResultTable.allCases.map { table in
      tables.firstIndex(of: table).map {
        CompressedFile(files[$0], isCompressed: compresses && table.isCompressible)
      }
    }
    hashes = [ContentHash](repeating: ContentHash(), count: ResultTable.allCases.count)
    self.path = path
    self.partial = partial
    self.isInPlace = isInPlace
    self.replaces = replaces
  }

  /// Removes the leftovers of killed runs beside the directory's final path and inside it.
  package static func removeLeftovers(of path: String) {
    guard let place = try? OutputPlace.directory(path) else { return }
    for target in [place, inner(of: place)] { Directory.removeLeftovers(ofDirectory: target, where: isOwn) }
  }

  private static func stays(_ place: String) -> Bool {
    let isEmpty = (try? Directory.entries(of: place))?.allSatisfy { isUnfinished($0, in: place) } ?? false
    return isEmpty || Directory.isMountPoint(place) || Directory.isSame(place, ".")
  }

  /// Returns the path inside a directory that its temporary directory is named after.
  private static func inner(of place: String) -> String {
    place + "/" + (place.split(separator: "/").last ?? "out")
  }

  /// Checks whether an entry of the final directory is the unfinished output of this or another run.
  static func isUnfinished(_ entry: String, in place: String) -> Bool {
    let name = inner(of: place).split(separator: "/").last ?? ""
    return entry.hasPrefix(".") && Directory.isPartial(entry, of: String(name))
      && Directory.isDirectory("\(place)/\(entry)")
  }

  /// Creates the temporary directory with one file per table; leaves nothing behind on failure.
  private static func createTables(
    _ tables: [String], in partial: String, of path: String
  ) throws(FileError) -> [OpenFile] {
    var files: [OpenFile] = []
    Directory.remove(partial)
    try Directory.make(partial)
    do throws(FileError) {
      for table in tables { files.append(try create(table, in: partial, path)) }
    } catch {
      abandon(files, partial)
      throw error
    }
    return files
  }

  /// Rejects a path whose contents must not be replaced.
  private static func checkFree(_ path: String, replaces: Bool) throws(ResultError) {
    guard Directory.exists(path) else { return }
    let entries: [String]
    do {
      let place = place(of: path)
      entries = try Directory.entries(of: path).filter { !isUnfinished($0, in: place) }
    } catch {
      throw ResultError(action: "write to '\(path)'", cause: error.cause, isUsage: true)
    }
    guard !entries.isEmpty else { return }
    guard replaces else {
      throw ResultError(
        action: "write to '\(path)'",
        cause: "it exists and is not empty: choose another directory with -o, or replace it with --force",
        isUsage: true)
    }
    // Replacing removes the whole directory, so only results may be replaced.
    if let cause = foreignContent(of: path) {
      throw ResultError(action: "replace '\(path)'", cause: cause, isUsage: true)
    }
  }

  deinit { if isOpen { Self.abandon(files, partial) } }

  package mutating func write(_ bytes: [UInt8], to table: ResultTable) throws(ResultError) {
    guard let file = tableFiles[table.rawValue] else { return }
    hashes[table.rawValue].update(bytes)
    try ResultError.wrapping { () throws(FileError) in try file.write(bytes) }
  }

  /// Adds another file.
  package mutating func add(file name: String, content: String) throws(ResultError) {
    do {
      let file = try Self.create(name, in: partial, path)
      files.append(file)
      try file.write(Array(content.utf8))
    } catch {
      throw ResultError(error)
    }
  }

  /// Renames the directory to its final path.
  package mutating func finish() throws(ResultError) {
    // Another process may have written to the path in the meantime.
    try Self.checkFree(path, replaces: replaces)
    do {
      for table in tableFiles { try table?.finish() }
      for file in files { try file.synchronize() }
      if isInPlace {
        try Directory.moveFiles(of: partial, last: Self.manifestName, name: path)
      } else {
        try Directory.move(partial, over: Self.place(of: path), name: path)
      }
    } catch {
      throw ResultError(error)
    }
    for file in files { try? file.close() }
    isOpen = false
  }

  /// Returns the final path of the directory; for a symbolic link its target, so that the link is kept.
  private static func place(of path: String) -> String { Directory.resolved(path) ?? path }

  private static func create(
    _ name: String, in partial: String, _ path: String
  ) throws(FileError) -> OpenFile {
    let file = try OpenFile(creating: "\(partial)/\(name)", name: "\(name) in '\(path)'")
    file.lock()
    return file
  }

  private static func abandon(_ files: [OpenFile], _ partial: String) {
    for file in files { try? file.close() }
    Directory.remove(partial)
  }
}
