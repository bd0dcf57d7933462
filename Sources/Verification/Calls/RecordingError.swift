/// Why a file is not a recording of a call.
struct RecordingError: Error, Equatable, CustomStringConvertible {
  let path: String
  /// From 1; `nil` if the error is not about a line.
  let line: Int?
  let text: String

  var description: String { "\(path):\(line ?? 1):1: error: \(text)" }
}
