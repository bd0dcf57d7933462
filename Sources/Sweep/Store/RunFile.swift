import Files
package import Metrics

/// The stored result of a finished run: `runs/AB/RUN_ID.run`, with a checksum against corruption.
///
/// AB are the first two digits of the id, so that no directory holds all files of a large sweep. Earlier builds wrote
/// `runs/RUN_ID.run`, which can still be read.
///
/// The file has five header lines (format, run id, status, cause of a failure, checksum of the rest), followed by the
/// run's rows of `scalars.csv` without the header.
package struct RunFile: Sendable {
  package var id: String
  package var status: RunStatus
  /// Cause of a failure; empty if the run succeeded.
  package var cause: String
  /// Rows of `scalars.csv`.
  package var rows: [UInt8]

  private static let form = "meetsim-run 1"

  package init(id: String, status: RunStatus, cause: String = "", rows: [UInt8] = []) {
    self.id = id
    self.status = status
    self.cause = String(cause.map { $0.isNewline ? " " : $0 })
    self.rows = rows
  }

  private var checksum: String {
    var hash = ContentHash(of: "\(id)\n\(status.rawValue)\n\(cause)\n".utf8)
    hash.update(rows)
    return hash.hexadecimal
  }

  /// Contents of the file.
  package var bytes: [UInt8] {
    Array("\(Self.form)\n\(id)\n\(status.rawValue)\n\(cause)\n\(checksum)\n".utf8) + rows
  }

  /// Parses the contents of a file; `nil` if it is damaged or belongs to another run.
  package init?(bytes: [UInt8], id: String) {
    var lines: [String] = []
    var place = 0
    while lines.count < 5 {
      guard let end = bytes[place...].firstIndex(of: 0x0a) else { return nil }
      lines.append(String(decoding: bytes[place..<end], as: UTF8.self))
      place = end + 1
    }
    guard lines[0] == Self.form, lines[1] == id, let status = RunStatus(rawValue: lines[2]) else {
      return nil
    }
    self.init(id: id, status: status, cause: lines[3], rows: Array(bytes[place...]))
    guard checksum == lines[4] else { return nil }
  }

  /// Returns the path of a run's file within a sweep directory.
  package static func path(of id: String, in directory: String) -> String {
    "\(directory)/runs/\(id.dropFirst().prefix(2))/\(id).run"
  }

  private static func earlierPath(of id: String, in directory: String) -> String {
    "\(directory)/runs/\(id).run"
  }

  /// Checks whether a run has a file, even a damaged one.
  package static func exists(_ id: String, in directory: String) -> Bool {
    Directory.exists(path(of: id, in: directory)) || Directory.exists(earlierPath(of: id, in: directory))
  }

  /// Reads a run's file; `nil` if there is none or it is damaged.
  package static func read(_ id: String, in directory: String) -> RunFile? {
    for path in [path(of: id, in: directory), earlierPath(of: id, in: directory)] {
      if let bytes = try? FileReader.bytes(of: path, limit: 1 << 30) { return RunFile(bytes: bytes, id: id) }
    }
    return nil
  }

  /// Writes the file under a temporary name and renames it.
  ///
  /// The file is not flushed to disk: after a power failure the checksum shows which runs to repeat.
  package func write(in directory: String) throws(ResultError) {
    let path = Self.path(of: id, in: directory)
    try ResultError.wrapping { () throws(FileError) in
      try Directory.make(String(path.dropLast(id.count + 5)))
      try WholeFile.write(bytes, to: path, synchronizing: false)
    }
  }

  /// Removes incomplete files left in a sweep directory by killed workers.
  static func removePartials(in directory: String) {
    Directory.removePartials(in: "\(directory)/runs")
    for folder in (try? Directory.entries(of: "\(directory)/runs")) ?? [] where isFolder(folder) {
      Directory.removePartials(in: "\(directory)/runs/\(folder)")
    }
  }

  /// Finds the first entry below `runs` that is not a run's file; returns its path in the sweep directory.
  static func foreignEntry(in directory: String) throws(FileError) -> String? {
    for entry in try Directory.entries(of: "\(directory)/runs") {
      let place = "\(directory)/runs/\(entry)"
      guard isFolder(entry), Directory.isDirectory(place) else {
        if isFile(entry), Directory.isRegularFile(place) { continue }
        return "runs/\(entry)"
      }
      for name in try Directory.entries(of: place) {
        guard isFile(name), Directory.isRegularFile("\(place)/\(name)") else {
          return "runs/\(entry)/\(name)"
        }
      }
    }
    return nil
  }

  /// Checks whether a path below `runs` is that of a complete run file.
  static func isOwn(_ path: String) -> Bool {
    let parts = path.split(separator: "/").map(String.init)
    guard let name = parts.last, parts.count <= 2, parts.count == 1 || isFolder(parts[0]) else {
      return false
    }
    return isFile(name) && !Directory.isPartial(name)
  }

  /// Checks whether a name is that of a run file, complete or not.
  private static func isFile(_ name: String) -> Bool {
    guard name.hasPrefix("r"), let end = name.firstRange(of: ".run") else { return false }
    let rest = name[end.upperBound...]
    return isHexadecimal(name[..<end.lowerBound].dropFirst()) && (rest.isEmpty || Directory.isPartial(name))
  }

  private static func isFolder(_ name: String) -> Bool { name.utf8.count == 2 && isHexadecimal(name[...]) }

  private static func isHexadecimal(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
