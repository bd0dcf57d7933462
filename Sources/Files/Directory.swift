#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Lists, creates, copies and removes directories.
package enum Directory {
  /// Marks the names of incomplete files and directories; the process id follows.
  package static let partialMark = ".partial-"

  /// The names in a directory, sorted, without `.` and `..`.
  package static func entries(of path: String) throws(FileError) -> [String] {
    guard let stream = opendir(path) else { throw FileError(action: "read '\(path)'") }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Whether a path exists.
  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Whether two paths refer to the same file or directory.
  package static func isSame(_ a: String, _ b: String) -> Bool {
    var first = stat()
    var second = stat()
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev
      && first.st_ino == second.st_ino
  }

  /// A hidden path next to another one, for a file or directory that replaces it once it is complete.
  package static func partial(of path: String) -> String {
    let parent = parent(of: path)
    return "\(parent).\(path.dropFirst(parent.count))\(partialMark)\(getpid())"
  }

  package static func withoutTrailingSlashes(_ path: String) -> String {
    var result = path
    while result.count > 1, result.hasSuffix("/") { result.removeLast() }
    return result
  }

  /// Everything before a path's last component, with the slash; empty without one.
  private static func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// Creates a directory and any missing parents.
  package static func make(_ path: String) throws(FileError) {
    var end = path.startIndex
    while true {
      let slash = path[end...].dropFirst().firstIndex(of: "/")
      let part = String(path[..<(slash ?? path.endIndex)])
      if mkdir(part, 0o777) != 0 {
        let error = FileError(action: "create '\(part)'")
        guard leadsToDirectory(part) else { throw error }
      }
      guard let slash else { return }
      end = slash
    }
  }

  /// The path with symbolic links and relative components resolved; `nil` if it does not exist.
  package static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Copies a directory, atomically replacing the target.
  ///
  /// Files whose name begins with a dot, such as locks, are not copied.
  ///
  /// - Throws: ``FileError`` when something cannot be read or written; the target is then unchanged.
  package static func copy(_ path: String, over place: String) throws(FileError) {
    let target = withoutTrailingSlashes(place)
    let partial = partial(of: target)
    remove(partial)
    do {
      try copyTree(path, to: partial)
      try move(partial, over: target)
    } catch {
      remove(partial)
      throw error
    }
  }

  /// Moves a directory, replacing the target.
  ///
  /// - Parameter name: the target's name in errors; by default its path.
  /// - Throws: ``FileError`` on failure; the target is then unchanged.
  package static func move(_ path: String, over place: String, name: String? = nil) throws(FileError) {
    let name = name ?? place
    let aside = path + ".old"
    let isThere = exists(place)
    // An interrupted process with the same id may have left one.
    if isThere { remove(aside) }
    guard !isThere || rename(place, aside) == 0 else { throw FileError(action: "replace '\(name)'") }
    guard rename(path, place) == 0 else {
      let error = FileError(action: "write '\(name)'")
      if isThere { rename(aside, place) }
      throw error
    }
    if isThere { remove(aside) }
  }

  /// Removes a file, or a directory with its contents; errors are ignored.
  package static func remove(_ path: String) {
    guard isDirectory(path) else {
      unlink(path)
      return
    }
    for name in (try? entries(of: path)) ?? [] { remove("\(path)/\(name)") }
    rmdir(path)
  }

  /// Removes the incomplete files that interrupted writers left in a directory.
  package static func removePartials(in path: String) {
    for name in (try? entries(of: path)) ?? [] where name.contains(partialMark) { remove("\(path)/\(name)") }
  }

  private static func copyTree(_ path: String, to target: String) throws(FileError) {
    guard mkdir(target, 0o777) == 0 else { throw FileError(action: "create '\(target)'") }
    for name in try entries(of: path) where !name.hasPrefix(".") {
      let source = "\(path)/\(name)"
      if isDirectory(source) {
        try copyTree(source, to: "\(target)/\(name)")
      } else {
        try WholeFile.write(try FileReader.bytes(of: source, limit: .max), to: "\(target)/\(name)")
      }
    }
  }

  /// A symbolic link does not count as a directory: removal does not follow links.
  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether a path refers to a directory, following symbolic links.
  package static func leadsToDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
