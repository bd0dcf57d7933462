#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Lists, creates and removes directories.
package enum Directory {
  /// Marker in the names of incomplete files and directories; the process id follows.
  package static let partialMark = ".partial-"
  /// Suffix of a directory that was set aside to be replaced.
  static let asideMark = ".old"

  /// Lists the names in a directory, sorted, without `.` and `..`.
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

  /// Checks whether a path exists.
  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Checks whether something has this name, even a dangling symbolic link.
  static func isThere(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Checks whether a path names a regular file; a symbolic link to one does not count.
  package static func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Checks whether two paths refer to the same file or directory.
  package static func isSame(_ a: String, _ b: String) -> Bool {
    var first = stat()
    var second = stat()
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev
      && first.st_ino == second.st_ino
  }

  /// Checks whether a path, which need not exist, is a directory or lies in it.
  package static func contains(_ directory: String, _ path: String) -> Bool {
    let parent = parent(of: path)
    guard let outer = resolved(directory),
      let inner = resolved(path) ?? resolved(parent.isEmpty ? "." : parent)
    else { return false }
    return inner == outer || inner.hasPrefix(outer == "/" ? outer : outer + "/")
  }

  /// Checks whether a directory is on a different file system from its parent.
  package static func isMountPoint(_ path: String) -> Bool {
    var own = stat()
    var parent = stat()
    return stat(path, &own) == 0 && stat(path + "/..", &parent) == 0 && own.st_dev != parent.st_dev
  }

  /// Checks whether every file in a directory, at any depth, is a regular file that its writer creates.
  ///
  /// - Parameter isOwn: returns `true` if the writer creates a file with this path in the directory.
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

  /// Returns a hidden path beside another one, for a file or directory that will replace it once complete.
  package static func partial(of path: String) -> String {
    let parent = parent(of: path)
    return "\(parent).\(path.dropFirst(parent.count))\(partialMark)\(getpid())"
  }

  package static func withoutTrailingSlashes(_ path: String) -> String {
    var result = path
    while result.count > 1, result.hasSuffix("/") { result.removeLast() }
    return result
  }

  /// Returns everything before a path's last component, including the slash; empty without one.
  static func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// Creates the directory that a path's last component is to lie in, with any missing parents.
  package static func makeParent(of path: String) throws(FileError) {
    let parent = withoutTrailingSlashes(parent(of: path))
    if !parent.isEmpty { try make(parent) }
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

  /// Resolves symbolic links and relative components; `nil` if the path does not exist.
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

  /// Removes incomplete files left in a directory by interrupted writers.
  package static func removePartials(in path: String) {
    for name in (try? entries(of: path)) ?? [] where isPartial(name) { remove("\(path)/\(name)") }
  }

  /// Checks whether a path names a directory; a symbolic link to one does not count, since removal does not follow
  /// links.
  package static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Checks whether a path refers to a regular file, following symbolic links.
  package static func leadsToFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Checks whether a path refers to a directory, following symbolic links.
  package static func leadsToDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
