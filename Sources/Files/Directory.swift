#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Lists, creates, copies and removes directories.
package enum Directory {
  /// Marks the names of incomplete files and directories; the process id follows.
  package static let partialMark = ".partial-"
  /// Follows the name of a directory that was set aside to be replaced.
  private static let asideMark = ".old"

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

  /// Whether something has this name, be it a symbolic link to nothing.
  private static func isThere(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Whether a path names a regular file; a symbolic link to one does not count.
  package static func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

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

  /// Whether a name is that of an incomplete file or directory: `NAME.partial-PROCESS`, possibly hidden by a leading dot,
  /// or such a directory set aside.
  ///
  /// - Parameter name: the final name; `nil` for any.
  package static func isPartial(_ entry: String, of name: String? = nil) -> Bool {
    guard let (final, _) = partialParts(of: entry) else { return false }
    return name.map { final == $0 || final == "." + $0 } ?? true
  }

  /// The final name and the process of an incomplete file or directory.
  private static func partialParts(of entry: String) -> (name: Substring, process: pid_t)? {
    let whole = entry.hasSuffix(asideMark) ? entry.dropLast(asideMark.count) : entry[...]
    guard let mark = whole.ranges(of: partialMark).last, mark.lowerBound > whole.startIndex else {
      return nil
    }
    let digits = whole[mark.upperBound...]
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let process = pid_t(digits) else { return nil }
    return (whole[..<mark.lowerBound], process)
  }

  /// Removes what killed processes left behind while they wrote a file or a directory, and puts back what they had set
  /// aside without replacing it.
  package static func removeLeftovers(of path: String) {
    let path = withoutTrailingSlashes(path)
    let parent = parent(of: path)
    let name = String(path.dropFirst(parent.count))
    for entry in (try? entries(of: parent.isEmpty ? "." : parent)) ?? []
    where isPartial(entry, of: name) && isAbandoned(parent + entry, entry) {
      if !entry.hasSuffix(asideMark) || isThere(path) || rename(parent + entry, path) != 0 {
        remove(parent + entry)
      }
    }
  }

  /// Whether no process of this machine has the id in the name, and no process at all holds a lock on it.
  private static func isAbandoned(_ path: String, _ entry: String) -> Bool {
    guard let process = partialParts(of: entry)?.process, process > 0 else { return false }
    // In containers, processes often have the same id as their predecessors.
    if process != getpid(), kill(process, 0) == 0 || errno == EPERM { return false }
    guard isDirectory(path) else { return !isLocked(path) }
    return ((try? entries(of: path)) ?? []).allSatisfy { !isLocked("\(path)/\($0)") }
  }

  private static func isLocked(_ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    return flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
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
    removeLeftovers(of: target)
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
    let aside = path + asideMark
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
    for name in (try? entries(of: path)) ?? [] where isPartial(name) { remove("\(path)/\(name)") }
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
  package static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether a path refers to a directory, following symbolic links.
  package static func leadsToDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
