#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Lists, creates and removes directories.
package enum Directory {
  /// Marks the names of incomplete files and directories; the process id follows.
  package static let partialMark = ".partial-"
  /// Follows the name of a directory that was set aside to be replaced.
  static let asideMark = ".old"

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
  static func isThere(_ path: String) -> Bool {
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

  /// Whether a path, which need not exist, is a directory or lies in it.
  package static func contains(_ directory: String, _ path: String) -> Bool {
    let parent = parent(of: path)
    guard let outer = resolved(directory),
      let inner = resolved(path) ?? resolved(parent.isEmpty ? "." : parent)
    else { return false }
    return inner == outer || inner.hasPrefix(outer == "/" ? outer : outer + "/")
  }

  /// Whether something else is mounted at a directory than at its parent.
  package static func isMountPoint(_ path: String) -> Bool {
    var own = stat()
    var parent = stat()
    return stat(path, &own) == 0 && stat(path + "/..", &parent) == 0 && own.st_dev != parent.st_dev
  }

  /// Whether every file in a directory, at any depth, is a regular one with a path of its writer.
  ///
  /// - Parameter isOwn: whether the writer makes a file with this path in the directory.
  package static func holdsOnly(
    _ path: String, below folder: String = "", where isOwn: (String) -> Bool
  ) -> Bool {
    guard let names = try? entries(of: path) else { return false }
    return names.allSatisfy { name in
      let place = "\(path)/\(name)"
      return isDirectory(place)
        ? holdsOnly(place, below: "\(folder)\(name)/", where: isOwn)
        : isRegularFile(place) && isOwn(folder + name)
    }
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
  static func parent(of path: String) -> String {
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

  /// A symbolic link does not count as a directory: removal does not follow links.
  package static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether a path refers to a regular file, following symbolic links.
  package static func leadsToFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether a path refers to a directory, following symbolic links.
  package static func leadsToDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
