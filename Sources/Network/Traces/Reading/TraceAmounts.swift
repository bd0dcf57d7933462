/// Meaning of a table's amounts of data, such as the bytes that an interface has received.
struct TraceAmounts {
  enum Kind {
    /// Everything since some start: a counter.
    case total
    /// Amount since the row before, or until the next one.
    case sinceLast, untilNext
  }

  let kind: Kind
  /// Reason to doubt the kind.
  let doubt: String?

  /// Maximum share of falls among a counter's steps, at which it restarts, and minimum number of steps to tell it from
  /// amounts that happen to rise [our model].
  private static let falls = 10
  private static let leastSteps = 5

  /// - Parameter hasStarts: `true` if the times are those at which the rows' intervals start.
  init(_ amounts: [Double], hasStarts: Bool) {
    let steps = zip(amounts, amounts.dropFirst())
    let rises = steps.count { $0 < $1 }
    let falls = steps.count { $0 > $1 }
    guard rises > 0, falls * Self.falls <= rises else {
      kind = hasStarts ? .untilNext : .sinceLast
      doubt = nil
      return
    }
    kind = .total
    doubt =
      falls > 0
      ? "its counter falls \(falls == 1 ? "once" : "\(falls) times"), and is taken to restart there"
      : amounts.count <= Self.leastSteps
        ? "its \(amounts.count) amounts rise, and are taken for a counter" : nil
  }

  var description: String {
    switch kind {
    case .total: "the counter"
    case .sinceLast: "the amounts since the row before,"
    case .untilNext: "the amounts until the next row,"
    }
  }

  /// Returns the rates that the amounts give over the times between the rows.
  ///
  /// - Parameter rows: time [s], amount [bit], `nil` where it is missing, and line of each row.
  func rates(
    _ rows: [(time: Double, amount: Double?, line: Int)]
  ) throws(CapacityTraceError) -> RateSamples {
    let rows = kind == .total ? Self.differences(rows) : rows
    var samples = RateSamples()
    var sum = 0.0
    for (row, next) in zip(rows, rows.dropFirst()) {
      let amount = kind == .untilNext ? row.amount : next.amount
      sum += amount ?? 0
      let length = next.time - row.time
      guard length > 0 else { continue }
      if amount != nil {
        try samples.add(.init(time: row.time, rate: sum / length, length: length, line: row.line))
      }
      sum = 0
    }
    if kind == .untilNext, let last = rows.last, let amount = last.amount {
      let length = samples.last?.length ?? 1
      try samples.add(.init(time: last.time, rate: (sum + amount) / length, length: length, line: last.line))
    }
    return samples
  }

  /// Amounts since the row before, from a counter, which restarts at zero where it falls.
  private static func differences(
    _ rows: [(time: Double, amount: Double?, line: Int)]
  ) -> [(time: Double, amount: Double?, line: Int)] {
    var last: Double?
    return rows.compactMap { row in
      guard let total = row.amount else { return nil }
      let before = last ?? total
      last = total
      return (row.time, total < before ? total : total - before, row.line)
    }
  }
}
