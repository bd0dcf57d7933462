import Metrics
import Quantity

/// Rows of `events.csv` that are not complete yet, and those that follow them: the table is in order of time.
struct HeldEvents {
  private var rows: [(at: SimTime, row: EventRow?)] = []
  /// Number of the first row held.
  private var first = 0

  var isEmpty: Bool { rows.isEmpty }

  /// Reserves a place for a row that begins now.
  ///
  /// - Returns: its number.
  mutating func reserve(at now: SimTime) -> Int {
    rows.append((now, nil))
    return first + rows.count - 1
  }

  mutating func append(_ row: EventRow, at now: SimTime) { rows.append((now, row)) }

  mutating func fill(_ number: Int, _ row: EventRow) { rows[number - first].row = row }

  /// Removes and returns the rows that nothing before them holds back.
  mutating func takeReady() -> [(at: SimTime, row: EventRow)] {
    var ready: [(at: SimTime, row: EventRow)] = []
    for held in rows {
      guard let row = held.row else { break }
      ready.append((held.at, row))
    }
    rows.removeFirst(ready.count)
    first += ready.count
    return ready
  }
}
