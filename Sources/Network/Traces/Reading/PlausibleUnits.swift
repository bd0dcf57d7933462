/// Units in which the numbers of a whole file can be times and rates of a path [our model].
struct PlausibleUnits {
  /// Median step of the times, and the time from the first to the last, in the file's unit.
  private let step: Double
  private let span: Double
  private let first: Double
  /// Indicates times that are whole throughout.
  private let hasWholeTimes: Bool
  /// Median of the rates above zero, in the file's unit.
  private let median: Double
  /// Indicates rates that are whole throughout.
  private let hasWholeRates: Bool

  init(times: [Double], rates: [Double]) {
    first = times.first ?? 0
    span = (times.last ?? 0) - first
    step = Self.median(zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > 0 })
    hasWholeTimes = times.allSatisfy { $0 == $0.rounded() }
    median = Self.median(rates.filter { $0 > 0 })
    hasWholeRates = rates.allSatisfy { $0 == $0.rounded() }
  }

  static func median(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.sorted()[values.count / 2]
  }

  /// Units of time: steps of up to a minute are seconds, whole steps of 20 ms and more, and any that would be more than a
  /// minute, can be milliseconds over at least a second, and steps of more than ten minutes are not seconds.
  var timeUnits: [TraceTimeUnit] {
    if let unit = TraceTimeUnit(sinceEpoch: first) { return [unit] }
    let canBeMilliseconds = (hasWholeTimes ? step >= 20 : step > 60) && span >= 1000
    if !canBeMilliseconds { return [.seconds] }
    return step <= 600 ? [.seconds, .milliseconds] : [.milliseconds]
  }

  /// Units of rate that keep the median between 10 kbps and 10 Gbps.
  var allRateUnits: [TraceRateUnit] {
    let units: [TraceRateUnit] = [.megabits, .kbps, .bps].filter {
      (1e4...1e10).contains(median * $0.bitsPerSecond)
    }
    return units.isEmpty ? [.megabits] : units
  }

  /// Units of rate in a file of times and rates without a header: Mbps below 100, as Pensieve has them; beside seconds
  /// Mbps below 1000 as well where they are not whole throughout, since kbps of that size are whole in most files.
  func rateUnits(beside time: TraceTimeUnit) -> [TraceRateUnit] {
    let isMegabits = median < 100 || time == .seconds && median < 1000 && !hasWholeRates
    return isMegabits ? [.megabits] : allRateUnits
  }

  /// Indicates a file of Mbps that may as well be kbps.
  var isDoubtful: Bool { median >= 100 && rateUnits(beside: .seconds) == [.megabits] }

  /// Indicates pairs of rows that cannot be seconds and Mbps: chunks of more than a minute each.
  var hasLongSteps: Bool { step > 60 }
}
