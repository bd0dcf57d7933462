import ResultReading

/// Who took part in each run of a result, and which tiles were off the screen.
struct Attendance: Sendable {
  /// Runs in which a person has any value.
  private var people: [String: [Bool]] = [:]
  /// Runs in which a tile, or any tile of a viewer, was off the screen, by viewer and source.
  private var hidden: [[String]: [Bool]] = [:]

  /// - Parameter table: all values of the runs.
  init(_ table: ScalarTable) {
    func mark(_ runs: inout [Bool], _ values: [Double], where holds: (Double) -> Bool) {
      if runs.isEmpty { runs = values.map { _ in false } }
      for run in values.indices where holds(values[run]) { runs[run] = true }
    }
    for (key, values) in zip(table.keys, table.values) where key.scope != "meeting" && key.scope != "link" {
      for person in Self.people(of: key) { mark(&people[person, default: []], values) { !$0.isNaN } }
      guard key.metric == "time_off_screen" else { continue }
      for tile in [[key.viewer, key.source], [key.viewer, ""]] {
        mark(&hidden[tile, default: []], values) { $0 > 0 }
      }
    }
  }

  /// Checks whether the viewer and the source of a value were in the meeting, and its tile never off the screen.
  func expects(_ key: ScalarKey, in run: Int) -> Bool {
    Self.people(of: key).allSatisfy { people[$0]?[run] ?? false }
      && !(hidden[[key.viewer, key.source]]?[run] ?? false)
  }

  private static func people(of key: ScalarKey) -> [String] {
    [key.viewer] + (key.source.isEmpty ? [] : [String(key.source.prefix { $0 != "/" })])
  }
}
