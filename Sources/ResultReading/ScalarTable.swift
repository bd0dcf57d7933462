import Files
package import Metrics

/// Identity of a whole-run value: its subject, metric and statistic.
package struct ScalarKey: Hashable, Sendable {
  /// `tile`, `voice`, `participant`, `link` or `meeting`.
  package let scope: String
  package let viewer: String
  package let source: String
  package let metric: String
  package let stat: String
  package let unit: String
  package let direction: ScalarRow.Direction

  package init(
    scope: String, viewer: String, source: String, metric: String, stat: String, unit: String,
    direction: ScalarRow.Direction
  ) {
    self.scope = scope
    self.viewer = viewer
    self.source = source
    self.metric = metric
    self.stat = stat
    self.unit = unit
    self.direction = direction
  }
}

/// Content of `scalars.csv`: values over runs for each key.
package struct ScalarTable: Sendable {
  /// Keys in the order of their first appearance.
  package let keys: [ScalarKey]
  /// Values by key, then by run; NaN if a run has no value, and for freezes of a tile that shows nothing.
  package internal(set) var values: [[Double]]

  package init(keys: [ScalarKey], values: [[Double]]) {
    self.keys = keys
    self.values = values
    removeUnseenFreezes()
  }

  /// Reads a table.
  ///
  /// - Parameter runs: index of each run by id; `nil` for the table of a single run with any id.
  static func read(_ path: String, runs: [String: Int]?) throws(ResultReadingError) -> ScalarTable {
    try read(ColumnReader(path: path), runs: runs)
  }

  /// Reads the table of a single run from memory.
  package static func read(bytes: [UInt8]) throws(ResultReadingError) -> ScalarTable {
    try read(ColumnReader(bytes: bytes, path: "scalars.csv"), runs: nil)
  }

  private static func read(
    _ table: ColumnReader, runs: [String: Int]?
  ) throws(ResultReadingError) -> ScalarTable {
    var table = table
    let columns = ResultTable.scalars.columns.map(\.name)
    guard table.header == columns else {
      throw table.error(
        "the columns are not \(columns.joined(separator: ",")): the table was written by another version of meetsim"
      )
    }
    var keys: [ScalarKey] = []
    var values: [[Double]] = []
    // Most rows repeat a key, so keys are looked up by their bytes and decoded once.
    var numbers: [ArraySlice<UInt8>: Int] = [:]
    var run = (id: ArraySlice<UInt8>(), number: 0)
    while try table.next() {
      if table.record.raw(0) != run.id {
        let id = try table.text(0)
        if let runs {
          guard let number = runs[id] else { throw table.error("runs.csv has no run '\(id)'") }
          run.number = number
        } else if !run.id.isEmpty {
          throw table.error("unexpected second run '\(id)' in the results of a single run")
        }
        run.id = table.record.raw(0)
      }
      let bytes = table.record.raw(1, through: 7)
      let number: Int
      if let known = numbers[bytes] {
        number = known
      } else {
        number = keys.count
        numbers[bytes] = number
        keys.append(try key(table))
        values.append([Double](repeating: .nan, count: runs?.count ?? 1))
      }
      guard let value = try table.number(8) else { continue }
      guard values[number][run.number].isNaN else {
        throw table.error("duplicate \(keys[number].metric) for run '\(try table.text(0))'")
      }
      values[number][run.number] = value
    }
    return ScalarTable(keys: keys, values: values)
  }

  private static func key(_ table: ColumnReader) throws(ResultReadingError) -> ScalarKey {
    let text = try table.text(7)
    guard let direction = ScalarRow.Direction(rawValue: text) else {
      throw table.error("direction: '\(text)' is not bigger, smaller or neither")
    }
    return ScalarKey(
      scope: try table.text(1), viewer: try table.text(2), source: try table.text(3),
      metric: try table.text(4), stat: try table.text(5), unit: try table.text(6), direction: direction)
  }
}
