/// Reads the tables of recorded meetings.
package enum SFURecordingReader {
  private static let longest = 7200.0
  /// Valid range of counters, in which integers are exact.
  private static let countable = -1e15...1e15
  /// Columns found in tables with other contents: timings of subscriptions and of a scrolling list.
  private static let foreign = ["wanted", "scroll_px"]

  /// Reads a recording: a row for each sample and publisher, or for each sample of a room.
  ///
  /// - Returns: `nil` for a table of timings, which is not a recording of this kind.
  /// - Throws: ``RecordingError`` for a file that cannot be read, is not CSV, or lacks a column or a value.
  package static func read(path: String, name: String) throws(RecordingError) -> SFURecording? {
    var table = try RecordingTable(path: path)
    guard !foreign.contains(where: table.has) else { return nil }
    let time = try table.place(of: ["t"])
    let publisher = table.has("publisher") ? try table.place(of: ["publisher"]) : nil
    let columns = try ["bytes", "lost", "frames", "h", "freeze_s"].map {
      (name) throws(RecordingError) in try table.place(of: [name])
    }
    let keyFrames = table.has("keyframes") ? try table.place(of: ["keyframes"]) : nil
    var publishers: [String] = []
    var lastTimes: [Double] = []
    var times: [Double] = []
    var course = TileCourse()
    while try table.next() {
      let now = try table.value(time)
      guard (0..<longest).contains(now) else {
        throw table.error("t: \(now) is not between 0 and \(Int(longest)) s")
      }
      if let last = times.last, now < last { throw table.error("t: \(now) s after \(last) s") }
      let id = publisher.map { table.text($0) } ?? ""
      if publisher != nil, id.isEmpty { throw table.error("publisher has no value") }
      let tile = publishers.firstIndex(of: id) ?? publishers.count
      if tile == publishers.count {
        publishers.append(id)
        lastTimes.append(now)
      } else {
        guard now > lastTimes[tile] else {
          throw table.error("a second row at \(now) s" + (id.isEmpty ? "" : " of '\(id)'"))
        }
        lastTimes[tile] = now
      }
      if now != times.last { times.append(now) }
      var values: [Double] = []
      for column in columns {
        let value = try table.number(column) ?? 0
        guard countable.contains(value) else {
          throw table.error("\(table.name(of: column)) is not between -1e15 and 1e15")
        }
        values.append(value)
      }
      let keys = try keyFrames.flatMap { (column) throws(RecordingError) in try table.number(column) } ?? 0
      course.add(
        TileCourse.Counters(
          bytes: values[0], lost: values[1], frames: values[2], height: values[3], frozen: values[4],
          keyFrames: keys),
        of: tile, at: now)
    }
    guard !times.isEmpty else { throw table.error("a recording needs at least one row") }
    return SFURecording(
      name: name, path: path, publishers: publisher == nil ? nil : publishers, times: times, course: course)
  }
}
