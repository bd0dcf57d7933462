/// Why a file is no recording of a call.
struct RecordingError: Error, Equatable, CustomStringConvertible {
  let path: String
  /// From 1; `nil` when it is not about a line.
  let line: Int?
  let text: String

  var description: String { path + (line.map { ":\($0)" } ?? "") + ": error: " + text }
}
