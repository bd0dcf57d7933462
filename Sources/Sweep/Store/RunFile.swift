import Files
package import Metrics

/// The stored result of a finished run: `runs/RUN_ID.run`, with a checksum against corruption.
///
/// Five header lines (format, run id, status, cause of a failure, checksum of the rest), then the run's rows of
/// `scalars.csv` without the header.
package struct RunFile: Sendable {
  package var id: String
  package var status: RunStatus
  /// Why the run failed; empty if it did not.
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

  /// The contents of the file.
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

  /// The path of a run's file within a sweep directory.
  package static func path(of id: String, in directory: String) -> String { "\(directory)/runs/\(id).run" }

  /// Reads a run's file; `nil` if there is none or it is damaged.
  package static func read(_ id: String, in directory: String) -> RunFile? {
    guard let bytes = try? FileReader.bytes(of: path(of: id, in: directory), limit: 1 << 30) else {
      return nil
    }
    return RunFile(bytes: bytes, id: id)
  }

  /// Writes the file under a temporary name and renames it.
  ///
  /// It is not flushed to disk: after a power failure the checksum shows which runs to repeat.
  package func write(in directory: String) throws(ResultError) {
    let path = Self.path(of: id, in: directory)
    try ResultError.wrapping { () throws(FileError) in
      try WholeFile.write(bytes, to: path, synchronizing: false)
    }
  }
}
