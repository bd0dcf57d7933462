/// Units in which a file's numbers are plausible as times and rates of a path [our model].
struct PlausibleUnits {
  /// Median step of the times, and the time from the first to the last, in the file's unit.
  private let step: Double
  private let span: Double
  private let first: Double
  /// Indicates that all times are whole numbers.
  private let hasWholeTimes: Bool
  /// Median of the rates above zero, in the file's unit.
  private let median: Double
  /// Indicates that all rates are whole numbers.
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

  /// Plausible units of time, unless the first time is one since 1970. Milliseconds are plausible for steps of at least
  /// 20, or of more than 60 if not all times are whole, over at least 1000 in total; seconds unless milliseconds are
  /// and steps exceed 600.
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

  /// Plausible units of rate in a file of times and rates without a header: only Mbps below 100, as in Pensieve's
  /// traces, and beside times in seconds also below 1000 if not all rates are whole, since most files have whole kbps
  /// of that size.
  func rateUnits(beside time: TraceTimeUnit) -> [TraceRateUnit] {
    let isMegabits = median < 100 || time == .seconds && median < 1000 && !hasWholeRates
    return isMegabits ? [.megabits] : allRateUnits
  }

  /// Indicates rates read as Mbps that could just as well be kbps.
  var isDoubtful: Bool { median >= 100 && rateUnits(beside: .seconds) == [.megabits] }

  /// Indicates that pairs of rows cannot be in seconds and Mbps, since chunks would last more than a minute each.
  var hasLongSteps: Bool { step > 60 }
}
