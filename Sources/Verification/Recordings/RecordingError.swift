/// Reason why a file is not a recording.
package struct RecordingError: Error, Equatable, CustomStringConvertible {
  package let path: String
  /// Line from 1; `nil` if the error is not about a line.
  package let line: Int?
  package let text: String

  package var description: String { "\(path):\(line ?? 1):1: error: \(text)" }
}
