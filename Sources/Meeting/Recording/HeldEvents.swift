import Metrics
import Quantity

/// Incomplete rows of `events.csv` and the rows after them, held back to keep the table in order of time.
struct HeldEvents {
  private var rows: [(at: SimTime, row: EventRow?)] = []
  /// Number of the first row held.
  private var first = 0

  var isEmpty: Bool { rows.isEmpty }

  /// Reserves a place for an event that begins now.
  ///
  /// - Returns: the row's number.
  mutating func reserve(at now: SimTime) -> Int {
    rows.append((now, nil))
    return first + rows.count - 1
  }

  mutating func append(_ row: EventRow, at now: SimTime) { rows.append((now, row)) }

  mutating func fill(_ number: Int, _ row: EventRow) { rows[number - first].row = row }

  /// Removes and returns the rows that are no longer held back.
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
