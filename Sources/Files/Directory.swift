#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What directories hold, and copies of them.
package enum Directory {
  /// The names in a directory, sorted, without `.` and `..`.
  package static func entries(of path: String) throws(FileError) -> [String] {
    guard let stream = opendir(path) else { throw failure("read '\(path)'") }
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

  /// The path without symbolic links and relative steps; `nil` when there is nothing there.
  package static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Puts a copy of a directory at a place, in whose stead it appears whole or not at all.
  ///
  /// Files whose name begins with a dot, such as locks, are not copied.
  ///
  /// - Throws: ``FileError`` when something can't be read or written; what was at the place is still there then.
  package static func copy(_ path: String, over place: String) throws(FileError) {
    var target = place
    while target.count > 1, target.hasSuffix("/") { target.removeLast() }
    let parent = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
    let name = String(target.dropFirst(parent.count))
    let partial = "\(parent).\(name).partial-\(getpid())"
    let aside = partial + ".old"
    remove(partial)
    do {
      try copyTree(path, to: partial)
    } catch {
      remove(partial)
      throw error
    }
    let isThere = access(target, F_OK) == 0
    guard !isThere || rename(target, aside) == 0 else {
      let error = failure("replace '\(target)'")
      remove(partial)
      throw error
    }
    guard rename(partial, target) == 0 else {
      let error = failure("write '\(target)'")
      if isThere { rename(aside, target) }
      remove(partial)
      throw error
    }
    if isThere { remove(aside) }
  }

  /// Removes a directory and all that is in it, as far as that can be done.
  package static func remove(_ path: String) {
    for name in (try? entries(of: path)) ?? [] {
      let inner = "\(path)/\(name)"
      if isDirectory(inner) { remove(inner) } else { unlink(inner) }
    }
    rmdir(path)
  }

  private static func copyTree(_ path: String, to target: String) throws(FileError) {
    guard mkdir(target, 0o777) == 0 else { throw failure("make '\(target)'") }
    for name in try entries(of: path) where !name.hasPrefix(".") {
      let source = "\(path)/\(name)"
      if isDirectory(source) {
        try copyTree(source, to: "\(target)/\(name)")
      } else {
        try write(try FileReader.bytes(of: source, limit: .max), to: "\(target)/\(name)")
      }
    }
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    guard let file = fopen(path, "w") else { throw failure("write '\(path)'") }
    let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
    let isFlushed = isWritten && fflush(file) == 0 && fsync(fileno(file)) == 0
    let error = isFlushed ? nil : failure("write '\(path)'")
    guard fclose(file) == 0, isFlushed else { throw error ?? failure("write '\(path)'") }
  }

  /// A symbolic link is no directory here: removing goes no further than what is in one.
  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func failure(_ action: String) -> FileError {
    FileError(description: "cannot \(action): \(String(cString: strerror(errno)).lowercased())")
  }
}
