import JSON
import ResultReading

/// Intervals of a run in which a participant was present, and the samples taken of them.
struct ParticipantIntervals {
  enum Column: String, CaseIterable {
    case upEstimate = "up_estimate_bps"
    case upBitRate = "up_bitrate_bps"
    case upLoss = "up_loss_frac"
    case upQueueDelay = "up_queue_delay_s"
    case downBitRate = "down_bitrate_bps"
    case downQueueDelay = "down_queue_delay_s"
  }

  /// Rows of `participants.csv`.
  let rows: [SubjectRows<Column>.Row]
  /// Indices into ``rows`` that become samples after the one of the join: one per second, or one per interval if that is
  /// longer.
  private let sampled: [Int]
  /// Length of all intervals but the first [s].
  private let interval: Double

  private enum Event: String, CaseIterable { case event }

  /// Times closer than this are equal, since tables have milliseconds [s].
  private static let tolerance = 0.0005

  init(_ directory: String, participant id: String) throws {
    let all = try SubjectRows<Column>.read(directory + "/participants.csv", of: [("participant", id)]).rows
    guard all.count > 1 else {
      throw ResultReadingError(directory, "there are fewer than two intervals of participant '\(id)'")
    }
    let interval = all[1].time - all[0].time
    let presence = try SubjectRows<Event>.read(directory + "/events.csv", of: [("participant", id)]).rows
      .filter { ["join", "leave"].contains($0[text: .event]) }
    // After a participant has left, its last packets arrive.
    rows = all.filter { row in
      let last = presence.last { $0.time <= row.time - interval + Self.tolerance }
      let next = presence.first { $0.time > row.time - interval + Self.tolerance }
      return last?[text: .event] != "leave" || next.map { $0.time < row.time } ?? false
    }
    guard rows.count > 1 else {
      throw ResultReadingError(directory, "participant '\(id)' is present for fewer than two intervals")
    }
    self.interval = interval
    var sampled: [Int] = []
    for index in rows.indices {
      if let last = sampled.last, rows[index].time - rows[last].time < 1 - Self.tolerance { continue }
      sampled.append(index)
    }
    self.sampled = sampled
  }

  /// Returns the length of an interval [s]; the last one of a run may be shorter, and the first after an absence is not
  /// longer than the others.
  func length(_ index: Int) -> Double {
    min(interval, index == 0 ? rows[0].time : rows[index].time - rows[index - 1].time)
  }

  /// Number of samples: the first is that of the join, before anything was sent or received.
  var count: Int { sampled.count + 1 }

  /// Times of the samples [s].
  var times: [Double] { [rows[0].time - length(0)] + sampled.map { rows[$0].time } }

  /// Returns the samples of a value given per interval.
  func samples(_ values: [Double?]) -> [JSONValue?] {
    samples { index in values[index].map { .number($0) } }
  }

  /// Returns the samples of a value of each interval.
  func samples(_ value: (Int) -> JSONValue?) -> [JSONValue?] { [nil] + sampled.map(value) }

  /// Returns the samples of the cumulative sum of an amount per interval, as whole numbers.
  func counter(_ amounts: [Double]) -> [JSONValue?] {
    var sum = 0.0
    let sums = amounts.map { amount in
      sum += amount
      return sum.rounded()
    }
    return [.number(0)] + samples(sums).dropFirst()
  }

  /// Returns the samples of the cumulative sum of a rate per second, as whole numbers.
  func counter(ofRate rates: [Double]) -> [JSONValue?] {
    counter(rates.indices.map { rates[$0] * length($0) })
  }

  /// Returns the rows of another table, one per interval, matched by the end of the interval.
  func aligned<Other>(_ others: [SubjectRows<Other>.Row]) -> [SubjectRows<Other>.Row?] {
    var place = 0
    return rows.map { row in
      while place < others.count, others[place].time < row.time - Self.tolerance { place += 1 }
      return place < others.count && others[place].time < row.time + Self.tolerance ? others[place] : nil
    }
  }
}
