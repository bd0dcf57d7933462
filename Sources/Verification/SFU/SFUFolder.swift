import Files

/// A folder of recorded meetings, each a `NAME.csv` with its setup as a scenario in `NAME.yaml`.
package struct SFUFolder: Sendable {
  /// A setup recorded once or several times.
  package struct Setup: Sendable {
    package let recording: SFURecording
    /// Repeated recordings of the setup, `NAMEb.csv` and `NAMEc.csv`.
    package let repetitions: [SFURecording]
    /// Path of the scenario file.
    package let scenario: String
    /// Events logged by the server; `nil` without a `NAME-server.csv`.
    package let server: ServerCourse?

    package var name: String { recording.name }

    /// Comparisons between every two recordings of the setup.
    package var repetitionComparisons: [CourseComparison] {
      let all = [recording] + repetitions
      return all.indices.flatMap { first in
        all[(first + 1)...].map { CourseComparison(all[first], with: $0) }
      }
    }
  }

  /// Setups, ordered by name.
  package private(set) var setups: [Setup] = []
  /// Errors in files that are not valid recordings, each as `file:line:column: error: text`.
  package private(set) var defects: [String] = []
  /// Warnings about files that are not compared.
  package private(set) var notes: [String] = []

  /// Reads every recording of a folder.
  ///
  /// - Throws: ``RecordingError`` if the folder cannot be read or has no recording.
  package init(_ path: String) throws(RecordingError) {
    let files: [String]
    do throws(FileError) {
      files = try Directory.entries(of: path)
    } catch {
      throw RecordingError(path: path, line: nil, text: error.description)
    }
    let tables = Self.stems(of: files, ".csv").filter { !$0.hasSuffix("-server") }
    let scenarios = Self.stems(of: files, ".yaml")
    for name in scenarios where !tables.contains(name) {
      notes.append("\(path)/\(name).yaml: warning: there is no \(name).csv beside it: not compared")
    }
    let names = tables.filter { scenarios.contains($0) && Self.original(of: $0, in: tables) == nil }
    for name in names {
      let repetitions = tables.filter { Self.original(of: $0, in: tables) == name }
      read(name, repetitions, in: path, files)
    }
    guard !setups.isEmpty || !defects.isEmpty else {
      throw RecordingError(
        path: path, line: nil, text: "no recording here: each is a NAME.csv with its scenario, NAME.yaml")
    }
  }

  private mutating func read(_ name: String, _ others: [String], in path: String, _ files: [String]) {
    let before = defects.count
    let recording = noting { () throws(RecordingError) in
      try Self.recording(name, in: path, files)
    }
    let server = readServer(of: name, in: path, files)
    guard let recording else {
      if defects.count == before {
        notes.append("\(path)/\(name).csv: warning: it holds timings, which are not compared")
      }
      return
    }
    var repetitions: [SFURecording] = []
    for other in others {
      let repetition = noting { () throws(RecordingError) in
        try Self.recording(other, in: path, files)
      }
      if let repetition { repetitions.append(repetition) }
      _ = readServer(of: other, in: path, files)
    }
    setups.append(
      Setup(
        recording: recording, repetitions: repetitions, scenario: "\(path)/\(name).yaml", server: server))
  }

  /// Reads a recording, with the layers of a scalable stream if they are beside it.
  private static func recording(
    _ name: String, in path: String, _ files: [String]
  ) throws(RecordingError) -> SFURecording? {
    var recording = try SFURecordingReader.read(path: "\(path)/\(name).csv", name: name)
    guard files.contains("\(name)-layers.csv") else { return recording }
    recording?.isLayered = true
    recording?.course.layers = try LayerCourse(path: "\(path)/\(name)-layers.csv")
    return recording
  }

  private mutating func readServer(of name: String, in path: String, _ files: [String]) -> ServerCourse? {
    guard files.contains("\(name)-server.csv") else { return nil }
    return noting { () throws(RecordingError) in try ServerCourse(path: "\(path)/\(name)-server.csv") }
  }

  /// Returns the value read; on an error, notes a defect and returns `nil`.
  private mutating func noting<Value>(_ read: () throws(RecordingError) -> Value?) -> Value? {
    do throws(RecordingError) {
      return try read()
    } catch {
      defects.append(error.description)
      return nil
    }
  }

  private static func stems(of files: [String], _ ending: String) -> [String] {
    files.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
  }

  /// Returns the recording that another one repeats: its name without the final `b` or `c`.
  private static func original(of name: String, in names: [String]) -> String? {
    guard name.hasSuffix("b") || name.hasSuffix("c") else { return nil }
    let first = String(name.dropLast())
    return names.contains(first) ? first : nil
  }
}
