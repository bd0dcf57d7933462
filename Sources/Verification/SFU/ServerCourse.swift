/// What a server logged of itself during a recording: looked at, not judged. Its times need no order, as the log of a
/// session that began anew starts again.
package struct ServerCourse: Equatable, Sendable {
  /// Kinds of events in the order of their first, and how often each came.
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

  /// As in `3 allocator, 41 capacity, 9 probe`.
  package var text: String { events.map { "\($0.count) \($0.name)" }.joined(separator: ", ") }

  package static func == (one: ServerCourse, other: ServerCourse) -> Bool { one.text == other.text }
}
