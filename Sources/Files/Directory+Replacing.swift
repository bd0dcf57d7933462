#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Replacement of whole directories.
extension Directory {
  /// Copies the files that belong to a writer, atomically replacing the target directory.
  ///
  /// Files whose name begins with a dot, such as locks, are not copied.
  ///
  /// - Parameter isOwn: returns `true` if the writer creates a file with this path in the directory; others are not
  ///   copied.
  /// - Throws: ``FileError`` when something cannot be read or written; the target is then unchanged.
  package static func copy(
    _ path: String, over place: String, where isOwn: (String) -> Bool
  ) throws(FileError) {
    let target = withoutTrailingSlashes(place)
    removeLeftovers(ofDirectory: target, where: isOwn)
    let partial = partial(of: target)
    remove(partial)
    do {
      try copyTree(path, to: partial, below: "", where: isOwn)
      try move(partial, over: target)
    } catch {
      remove(partial)
      throw error
    }
  }

  private static func copyTree(
    _ path: String, to target: String, below folder: String, where isOwn: (String) -> Bool
  ) throws(FileError) {
    guard mkdir(target, 0o777) == 0 else { throw FileError(action: "create '\(target)'") }
    for name in try entries(of: path) where !name.hasPrefix(".") {
      let source = "\(path)/\(name)"
      if isDirectory(source) {
        try copyTree(source, to: "\(target)/\(name)", below: "\(folder)\(name)/", where: isOwn)
        // A folder from which nothing was copied is not the writer's; `rmdir` only removes empty ones.
        rmdir("\(target)/\(name)")
      } else if isOwn(folder + name) {
        try WholeFile.write(try FileReader.bytes(of: source, limit: .max), to: "\(target)/\(name)")
      }
    }
  }

  /// Moves a directory, replacing the target but keeping its permissions.
  ///
  /// - Parameter name: the target's name in errors; by default its path.
  /// - Throws: ``FileError`` on failure; the target is then unchanged.
  package static func move(_ path: String, over place: String, name: String? = nil) throws(FileError) {
    let name = name ?? place
    let aside = path + asideMark
    let isThere = exists(place)
    if isThere {
      // An interrupted process with the same id may have left one behind.
      remove(aside)
      var status = stat()
      if stat(place, &status) == 0 { chmod(path, status.st_mode & 0o7777) }
    }
    guard !isThere || rename(place, aside) == 0 else { throw FileError(action: "replace '\(name)'") }
    guard rename(path, place) == 0 else {
      let error = FileError(action: "write '\(name)'")
      if isThere { rename(aside, place) }
      throw error
    }
    if isThere { remove(aside) }
  }

  /// Moves the files of a directory into its parent, which stays in place and loses its other contents.
  ///
  /// - Parameters:
  ///   - last: the file that is moved last and removed first; without it the directory is incomplete.
  ///   - name: the target's name in errors.
  /// - Throws: ``FileError`` on failure; the moved files are then removed.
  package static func moveFiles(of path: String, last: String, name: String) throws(FileError) {
    let place = parent(of: path)
    let own = String(path.dropFirst(place.count))
    let old = try entries(of: place).filter { $0 != own && !isPartial($0) }
    for entry in old.filter({ $0 == last }) + old.filter({ $0 != last }) { remove(place + entry) }
    let files = try entries(of: path)
    var moved: [String] = []
    for file in files.filter({ $0 != last }) + files.filter({ $0 == last }) {
      guard rename("\(path)/\(file)", place + file) == 0 else {
        let error = FileError(action: "write '\(name)'")
        for file in moved { unlink(place + file) }
        throw error
      }
      moved.append(file)
    }
    rmdir(path)
  }
}
