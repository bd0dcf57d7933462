#if canImport(Glibc)
  import Glibc
  private let systemWrite = Glibc.write
#else
  import Darwin
  private let systemWrite = Darwin.write
#endif

/// A result directory that appears whole or not at all: written beside its place under a hidden name, then renamed.
package struct ResultDirectory: ~Copyable, TableSink {
  private let path: String
  private let partial: String
  private var files: [Int32] = []
  private var isOpen = true
  /// Rows and content of each table, for the manifest.
  package private(set) var hashes = [ContentHash](repeating: ContentHash(), count: ResultTable.allCases.count)
  private let replaces: Bool

  /// Opens a directory for writing.
  ///
  /// - Parameters:
  ///   - path: where the results are to appear.
  ///   - replaces: whether a directory with content there may be replaced.
  /// - Throws: ``ResultError`` when the place is taken or can't be written.
  package init(path: String, replaces: Bool) throws(ResultError) {
    var trimmed = path
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    self.path = trimmed
    self.replaces = replaces
    let slash = trimmed.lastIndex(of: "/")
    let parent = slash.map { String(trimmed[...$0]) } ?? ""
    let name = slash.map { String(trimmed[trimmed.index(after: $0)...]) } ?? trimmed
    partial = "\(parent).\(name).partial-\(getpid())"
    if let entries = Self.entries(of: trimmed), !entries.isEmpty, !replaces {
      throw ResultError(
        action: "write to '\(trimmed)'",
        cause: "it exists and is not empty: choose another directory with -o, or replace it with --force",
        isUsage: true)
    }
    if replaces, let entries = Self.entries(of: trimmed), !entries.isEmpty, !entries.contains("manifest.json")
    {
      // Replacing removes what is there: never anything but results.
      throw ResultError(
        action: "replace '\(trimmed)'", cause: "it has no manifest.json, so it is no result directory",
        isUsage: true)
    }
    if access(trimmed, F_OK) == 0, Self.entries(of: trimmed) == nil {
      throw ResultError(
        action: "write to '\(trimmed)'", cause: "it is a file, not a directory", isUsage: true)
    }
    Self.remove(partial)
    if !parent.isEmpty { try Self.makeParents(of: trimmed) }
    guard mkdir(partial, 0o777) == 0 else {
      throw ResultError(action: "write to '\(trimmed)'", cause: Self.reason())
    }
    for table in ResultTable.allCases {
      let file = open("\(partial)/\(table.fileName)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
      guard file >= 0 else {
        let cause = Self.reason()
        Self.remove(partial)
        throw ResultError(action: "write \(table.fileName) in '\(trimmed)'", cause: cause)
      }
      files.append(file)
    }
  }

  deinit { if isOpen { Self.abandon(files, partial) } }

  package mutating func write(_ bytes: [UInt8], to table: ResultTable) throws(ResultError) {
    hashes[table.rawValue].update(bytes)
    try Self.writeAll(bytes, to: files[table.rawValue], name: table.fileName, directory: path)
  }

  /// Adds a further file.
  package mutating func add(file name: String, content: String) throws(ResultError) {
    let file = open("\(partial)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw ResultError(action: "write \(name) in '\(path)'", cause: Self.reason()) }
    files.append(file)
    try Self.writeAll(Array(content.utf8), to: file, name: name, directory: path)
  }

  /// Lets the directory appear at its place.
  package mutating func finish() throws(ResultError) {
    for file in files where fsync(file) != 0 {
      throw ResultError(action: "finish '\(path)'", cause: Self.reason())
    }
    var old: String?
    if replaces, access(path, F_OK) == 0 {
      let aside = partial + ".old"
      guard rename(path, aside) == 0 else {
        throw ResultError(action: "replace '\(path)'", cause: Self.reason())
      }
      old = aside
    }
    guard rename(partial, path) == 0 else {
      let cause = Self.reason()
      if let old { rename(old, path) }
      throw ResultError(action: "finish '\(path)'", cause: cause)
    }
    if let old { Self.remove(old) }
    for file in files { close(file) }
    isOpen = false
  }

  private static func writeAll(
    _ bytes: [UInt8], to file: Int32, name: String, directory: String
  ) throws(ResultError) {
    var offset = 0
    while offset < bytes.count {
      let written = bytes[offset...].withUnsafeBytes { systemWrite(file, $0.baseAddress, $0.count) }
      if written < 0 {
        if errno == EINTR { continue }
        throw ResultError(action: "write \(name) in '\(directory)'", cause: reason())
      }
      offset += written
    }
  }

  private static func abandon(_ files: [Int32], _ partial: String) {
    for file in files { close(file) }
    remove(partial)
  }

  private static func reason() -> String { String(cString: strerror(errno)).lowercased() }

  private static func entries(of directory: String) -> [String]? {
    guard let stream = opendir(directory) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Removes a directory of plain files.
  private static func remove(_ directory: String) {
    for name in entries(of: directory) ?? [] { unlink("\(directory)/\(name)") }
    rmdir(directory)
  }

  private static func makeParents(of path: String) throws(ResultError) {
    var end = path.startIndex
    while let slash = path[end...].dropFirst().firstIndex(of: "/") {
      let parent = String(path[..<slash])
      if mkdir(parent, 0o777) != 0, errno != EEXIST {
        throw ResultError(action: "make '\(parent)'", cause: reason())
      }
      end = slash
    }
  }
}
