/// Events logged by a server during a recording; they are shown but not judged. Their times need not be in order, as
/// the log restarts with the session.
package struct ServerCourse: Equatable, Sendable {
  /// Kinds of events, in order of first occurrence, with the number of occurrences.
  package private(set) var events: [(name: String, count: Int)] = []

  /// - Throws: ``RecordingError`` for a file that cannot be read, is not CSV, or lacks a column or a value.
  package init(path: String) throws(RecordingError) {
    var table = try RecordingTable(path: path)
    let time = try table.place(of: ["t"])
    let event = try table.place(of: ["event"])
    while try table.next() {
      _ = try table.value(time)
      let name = table.text(event)
      guard !name.isEmpty else { throw table.error("event has no value") }
      if let place = events.firstIndex(where: { $0.name == name }) {
        events[place].count += 1
      } else {
        events.append((name, 1))
      }
    }
  }

  /// Counts of events, such as `3 allocator, 41 capacity, 9 probe`.
  package var text: String { events.map { "\($0.count) \($0.name)" }.joined(separator: ", ") }

  package static func == (one: ServerCourse, other: ServerCourse) -> Bool { one.text == other.text }
}
