import Files
import Metrics

#if canImport(Glibc)
  import Glibc
  private let systemWrite = Glibc.write
#else
  import Darwin
  private let systemWrite = Darwin.write
#endif

/// Folders and whole files.
enum FileTree {
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Names in a folder, sorted; `nil` when it is none.
  static func entries(of folder: String) -> [String]? { try? Directory.entries(of: folder) }

  /// Makes a folder and those above it.
  static func makeFolder(_ path: String) throws(ResultError) {
    var end = path.startIndex
    while true {
      let rest = path[end...].dropFirst()
      let slash = rest.firstIndex(of: "/")
      let part = String(path[..<(slash ?? path.endIndex)])
      if mkdir(part, 0o777) != 0, errno != EEXIST || entries(of: part) == nil {
        throw failure("make '\(part)'")
      }
      guard let slash else { return }
      end = slash
    }
  }

  /// Writes a file aside and renames it.
  static func write(_ bytes: [UInt8], to path: String) throws(ResultError) {
    let partial = "\(path).partial-\(getpid())"
    let file = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw failure("write '\(path)'") }
    do {
      try append(bytes, to: file, path)
    } catch {
      close(file)
      unlink(partial)
      throw error
    }
    guard close(file) == 0, rename(partial, path) == 0 else {
      let error = failure("write '\(path)'")
      unlink(partial)
      throw error
    }
  }

  /// Writes all bytes to an open file.
  static func append(_ bytes: [UInt8], to file: Int32, _ path: String) throws(ResultError) {
    var offset = 0
    while offset < bytes.count {
      let written = bytes[offset...].withUnsafeBytes { systemWrite(file, $0.baseAddress, $0.count) }
      if written < 0 {
        if errno == EINTR { continue }
        throw failure("write '\(path)'")
      }
      offset += written
    }
  }

  /// Copies a folder of files, which appears whole.
  static func copy(_ folder: String, to place: String) throws(ResultError) {
    let partial = "\(place).partial-\(getpid())"
    try makeFolder(partial)
    for name in entries(of: folder) ?? [] {
      let bytes: [UInt8]
      do {
        bytes = try FileReader.bytes(of: "\(folder)/\(name)", limit: 1 << 40)
      } catch {
        throw ResultError(action: "copy '\(folder)'", cause: error.description)
      }
      try write(bytes, to: "\(partial)/\(name)")
    }
    Directory.remove(place)
    guard rename(partial, place) == 0 else { throw failure("write '\(place)'") }
  }

  /// Whether two paths lead to one place.
  static func isSame(_ a: String, _ b: String) -> Bool {
    var first = stat()
    var second = stat()
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev
      && first.st_ino == second.st_ino
  }

  /// Removes what interrupted writers left in a folder.
  static func removePartials(in folder: String) {
    for name in entries(of: folder) ?? [] where name.contains(".partial-") {
      if unlink("\(folder)/\(name)") != 0 { Directory.remove("\(folder)/\(name)") }
    }
  }

  /// An error with the system's words for the last failure.
  static func failure(_ action: String) -> ResultError {
    ResultError(action: action, cause: String(cString: strerror(errno)).lowercased())
  }
}
