#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Leftovers of interrupted processes.
extension Directory {
  /// Checks whether a name is that of an incomplete file or directory: `NAME.partial-PROCESS`, possibly hidden by a
  /// leading dot, or such a directory set aside.
  ///
  /// - Parameter name: the final name; `nil` for any.
  package static func isPartial(_ entry: String, of name: String? = nil) -> Bool {
    guard let (final, _) = partialParts(of: entry) else { return false }
    return name.map { final == $0 || final == "." + $0 } ?? true
  }

  /// Returns the final name and the process of an incomplete file or directory.
  private static func partialParts(of entry: String) -> (name: Substring, process: pid_t)? {
    let whole = entry.hasSuffix(asideMark) ? entry.dropLast(asideMark.count) : entry[...]
    guard let mark = whole.ranges(of: partialMark).last, mark.lowerBound > whole.startIndex else {
      return nil
    }
    let digits = whole[mark.upperBound...]
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let process = pid_t(digits) else { return nil }
    return (whole[..<mark.lowerBound], process)
  }

  /// Removes partial files left behind by killed processes for a path.
  package static func removeLeftovers(ofFile path: String) {
    let (parent, name) = parts(of: path)
    for entry in abandoned(in: parent) {
      guard let parts = partialParts(of: entry), parts.name == name, isRegularFile(parent + entry) else {
        continue
      }
      remove(parent + entry)
    }
  }

  /// Removes partial directories left behind by killed processes, and restores a directory that they had set aside
  /// without replacing it.
  ///
  /// - Parameter isOwn: returns `true` if the writer creates a file with this path in the directory; a directory that
  ///   holds anything else is left alone.
  package static func removeLeftovers(ofDirectory path: String, where isOwn: (String) -> Bool) {
    let path = withoutTrailingSlashes(path)
    let (parent, name) = parts(of: path)
    for entry in abandoned(in: parent) {
      let place = parent + entry
      guard let parts = partialParts(of: entry), parts.name == "." + name, isDirectory(place),
        holdsOnly(place, where: isOwn)
      else { continue }
      if !entry.hasSuffix(asideMark) || isThere(path) || rename(place, path) != 0 { remove(place) }
    }
  }

  private static func parts(of path: String) -> (parent: String, name: String) {
    let parent = parent(of: path)
    return (parent, String(path.dropFirst(parent.count)))
  }

  private static func abandoned(in parent: String) -> [String] {
    ((try? entries(of: parent.isEmpty ? "." : parent)) ?? []).filter { isAbandoned(parent + $0, $0) }
  }

  /// Checks whether no process of this machine has the id in the name, and no process at all locks the entry.
  private static func isAbandoned(_ path: String, _ entry: String) -> Bool {
    guard let process = partialParts(of: entry)?.process, process > 0 else { return false }
    // In containers, a process often has the same id as its predecessor.
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
}
